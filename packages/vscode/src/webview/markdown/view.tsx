import type { Blocks } from '@loopfuse/conversation';
import { Component, type ComponentChildren, Fragment, type VNode } from 'preact';
import { useServices } from '../host.js';
import { CodeBlock } from './code-block.js';
import { parseBlock } from './parse.js';
import type { Block, Cell, Inline } from './tree.js';

/** Markdown that may still grow. Finished blocks are parsed and rendered once. */
export function Markdown({ text: { done, rest } }: { readonly text: Blocks }): VNode {
  return (
    <div class="markdown">
      {[...done, rest].map((block, k) => (
        <BlockView key={k} text={block} />
      ))}
    </div>
  );
}

class BlockView extends Component<{ readonly text: string }> {
  override shouldComponentUpdate(next: { readonly text: string }): boolean {
    return next.text !== this.props.text;
  }

  render(): VNode {
    return <Fragment>{parseBlock(this.props.text).map(drawBlock)}</Fragment>;
  }
}

function drawBlock(block: Block): VNode {
  switch (block.type) {
    case 'paragraph':
      return <p>{drawInlines(block.children)}</p>;
    case 'heading': {
      // The headings of an answer are below those of the page.
      const Tag = `h${Math.min(6, block.depth + 2)}` as 'h3';
      return <Tag>{drawInlines(block.children)}</Tag>;
    }
    case 'code':
      return <CodeBlock language={block.language} text={block.text} />;
    case 'quote':
      return <blockquote>{block.blocks.map(drawBlock)}</blockquote>;
    case 'list': {
      const items = block.items.map(({ checked, blocks }) => (
        <li class={checked === undefined ? undefined : 'task'}>
          {checked !== undefined && (
            <input type="checkbox" checked={checked} disabled aria-label={checked ? 'done' : 'not done'} />
          )}
          {isTight(blocks) ? drawInlines(blocks[0].children) : blocks.map(drawListBlock)}
        </li>
      ));
      return block.start === undefined ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
    case 'table':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard
        <div class="table" tabIndex={0}>
          <table>
            <thead>
              <tr>{block.header.map((cell) => drawCell('th', cell))}</tr>
            </thead>
            <tbody>
              {block.rows.map((row) => (
                <tr>{row.map((cell) => drawCell('td', cell))}</tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'rule':
      return <hr />;
    case 'plain':
      return <p class="plain">{block.text}</p>;
  }
}

/** The first paragraph of an item is beside its bullet, without the margin of a paragraph. */
function drawListBlock(block: Block, index: number): VNode {
  return index === 0 && block.type === 'paragraph' ? <div>{drawInlines(block.children)}</div> : drawBlock(block);
}

function isTight(blocks: readonly Block[]): blocks is readonly [Extract<Block, { type: 'paragraph' }>] {
  return blocks.length === 1 && blocks[0]!.type === 'paragraph';
}

function drawCell(Tag: 'th' | 'td', { align, children }: Cell): VNode {
  return <Tag class={align}>{drawInlines(children)}</Tag>;
}

function drawInlines(inlines: readonly Inline[]): ComponentChildren {
  return inlines.map(drawInline);
}

function drawInline(inline: Inline): ComponentChildren {
  switch (inline.type) {
    case 'text':
      return inline.text;
    case 'code':
      return <code>{inline.text}</code>;
    case 'strong':
      return <strong>{drawInlines(inline.children)}</strong>;
    case 'emphasis':
      return <em>{drawInlines(inline.children)}</em>;
    case 'deleted':
      return <del>{drawInlines(inline.children)}</del>;
    case 'link':
      return (
        <Fragment>
          <a href={inline.href} title={inline.href} target="_blank" rel="noreferrer">
            {drawInlines(inline.children)}
          </a>
          {inline.host !== '' && <span class="target"> ({inline.host})</span>}
        </Fragment>
      );
    case 'file':
      return <FileLink path={inline.path} text={inline.text} code={inline.code} />;
    case 'break':
      return <br />;
  }
}

/** A file of the workspace, which the editor opens. */
export function FileLink({
  path,
  text,
  code,
}: {
  readonly path: string;
  readonly text: string;
  readonly code: boolean;
}): VNode {
  const { host } = useServices();
  return (
    <button
      type="button"
      class="link file"
      title={`Open ${path}`}
      onClick={() => host.post({ type: 'open-file', path })}
    >
      {code ? <code>{text}</code> : text}
    </button>
  );
}
