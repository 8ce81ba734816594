import { Lexer, type MarkedToken, type Token, Tokenizer, type Tokens } from 'marked';
import { withoutEndLines } from '../words/visible-text.js';
import { decoded } from './entities.js';
import { fileOf, hostBeside, safeTarget, withFiles } from './links.js';
import type { Block, Cell, Inline } from './tree.js';

/** Text that is longer or nested deeper than this is shown as it is, because parsing it would take too long. */
const longest = 20_000;
const deepest = 24;
const mostMarks = 300;

/** Parses one of the blocks that `blocks.ts` cuts. Total: what cannot be parsed is shown as it is. */
export function parseBlock(text: string): readonly Block[] {
  const code = codeOf(text);
  if (code !== undefined) return [code];
  if (text.trim() === '') return [];
  if (text.length > longest) return [plain(text)];
  try {
    return blocksOf(new Lexer({ gfm: true, tokenizer: new WaryTokenizer() }).lex(text), 0);
  } catch {
    return [plain(text)]; // nested too deeply for the stack
  }
}

/** A code block at the margin needs no lexer, however long it is, and counts as code before it is closed. */
function codeOf(text: string): Block | undefined {
  const mark = /^(?:`{3,}|~{3,})/.exec(text)?.[0];
  const lineEnd = text.indexOf('\n');
  if (mark === undefined || lineEnd < 0) return undefined;
  const info = text.slice(mark.length, lineEnd);
  if (mark.startsWith('`') && info.includes('`')) return undefined;
  const body = text.slice(lineEnd + 1);
  const end = body.trimEnd().lastIndexOf('\n') + 1;
  const last = body.slice(end).trim();
  const closed = last.startsWith(mark) && last === mark.charAt(0).repeat(last.length);
  const shown = closed ? body.slice(0, end) : body;
  return { type: 'code', language: info.trim().split(/\s/)[0] ?? '', text: shown.replace(/\n$/, '') };
}

/** Skips emphasis in texts with so many marks that the search would take too long. */
class WaryTokenizer extends Tokenizer {
  #looked = '';
  #crowded = false;

  override emStrong(...given: Parameters<Tokenizer['emStrong']>): Tokens.Em | Tokens.Strong | undefined {
    return this.#isCrowded(given[1]) ? undefined : super.emStrong(...given);
  }

  override del(...given: Parameters<Tokenizer['del']>): Tokens.Del | undefined {
    return this.#isCrowded(given[1]) ? undefined : super.del(...given);
  }

  /** Called at every character of a paragraph with the same text, so the answer is cached. */
  #isCrowded(text: string): boolean {
    if (text !== this.#looked) {
      this.#looked = text;
      this.#crowded = text.length > mostMarks && text.split(/[*_~]/).length > mostMarks;
    }
    return this.#crowded;
  }
}

function blocksOf(tokens: readonly Token[], depth: number): Block[] {
  const blocks: Block[] = [];
  let loose: Inline[] = []; // inline tokens between blocks, as in the items of a tight list
  const flush = () => {
    if (loose.length > 0) blocks.push({ type: 'paragraph', children: loose });
    loose = [];
  };
  for (const token of tokens as readonly MarkedToken[]) {
    if (token.type === 'space' || token.type === 'checkbox') continue;
    const block = blockOf(token, depth);
    if (block === undefined) {
      loose.push(...inlinesOf(token.type === 'text' && token.tokens ? token.tokens : [token], depth));
      continue;
    }
    flush();
    blocks.push(block);
  }
  flush();
  return blocks;
}

function blockOf(token: MarkedToken, depth: number): Block | undefined {
  if (depth > deepest) return plain(token.raw);
  switch (token.type) {
    case 'paragraph':
      return { type: 'paragraph', children: inlinesOf(token.tokens, depth) };
    case 'heading':
      return { type: 'heading', depth: token.depth, children: inlinesOf(token.tokens, depth) };
    case 'code':
      return { type: 'code', language: (token.lang ?? '').split(/\s/)[0] ?? '', text: token.text };
    case 'blockquote':
      return { type: 'quote', blocks: blocksOf(token.tokens, depth + 1) };
    case 'list':
      return {
        type: 'list',
        start: token.ordered ? Number(token.start) || 1 : undefined,
        items: token.items.map(({ tokens, task, checked }) => ({
          ...(task ? { checked: checked === true } : {}),
          blocks: blocksOf(tokens, depth + 1),
        })),
      };
    case 'table':
      return {
        type: 'table',
        header: token.header.map((cell) => cellOf(cell, depth)),
        rows: token.rows.map((row) => row.map((cell) => cellOf(cell, depth))),
      };
    case 'hr':
      return { type: 'rule' };
    case 'html':
      return token.block ? plain(token.raw) : undefined;
    case 'def':
      return plain(token.raw);
    default:
      return undefined;
  }
}

function cellOf({ tokens, align }: Tokens.TableCell, depth: number): Cell {
  return { align: align ?? undefined, children: inlinesOf(tokens, depth) };
}

function inlinesOf(tokens: readonly Token[], depth: number): Inline[] {
  return (tokens as readonly MarkedToken[]).flatMap((token): Inline[] => inlineOf(token, depth));
}

function inlineOf(token: MarkedToken, depth: number): Inline[] {
  if (depth > deepest) return [{ type: 'text', text: token.raw }];
  switch (token.type) {
    case 'text':
      return token.tokens === undefined ? textOf(decoded(token.text)) : inlinesOf(token.tokens, depth + 1);
    case 'escape':
      return [{ type: 'text', text: token.text }];
    case 'codespan': {
      const path = fileOf(token.text);
      return path === undefined
        ? [{ type: 'code', text: token.text }]
        : [{ type: 'file', path, text: token.text, code: true }];
    }
    case 'strong':
      return [{ type: 'strong', children: inlinesOf(token.tokens, depth + 1) }];
    case 'em':
      return [{ type: 'emphasis', children: inlinesOf(token.tokens, depth + 1) }];
    case 'del':
      return [{ type: 'deleted', children: inlinesOf(token.tokens, depth + 1) }];
    case 'link':
    case 'image':
      return linkOf(token, depth);
    case 'br':
      return [{ type: 'break' }];
    default:
      return [{ type: 'text', text: token.raw }];
  }
}

function textOf(text: string): Inline[] {
  return withFiles(text).map(({ text: part, path }) => {
    return path === undefined ? { type: 'text', text: part } : { type: 'file', path, text: part, code: false };
  });
}

/** A link with an allowed target, a file, or else the source text. An image is not loaded; it becomes a link. */
function linkOf({ href, text, raw, tokens }: Tokens.Link | Tokens.Image, depth: number): Inline[] {
  const target = safeTarget(href);
  if (target !== undefined) {
    const words = decoded(text);
    const children = inlinesOf(tokens, depth + 1).map(unlinked);
    return [
      {
        type: 'link',
        href: target,
        host: hostBeside(words, target),
        children: children.length > 0 ? children : [{ type: 'text', text: target }],
      },
    ];
  }
  const path = fileOf(href);
  return [path === undefined ? { type: 'text', text: raw } : { type: 'file', path, text, code: false }];
}

/** Links cannot be nested. */
function unlinked(inline: Inline): Inline {
  return inline.type === 'file' ? { type: inline.code ? 'code' : 'text', text: inline.text } : inline;
}

function plain(text: string): Block {
  return { type: 'plain', text: withoutEndLines(text) };
}
