import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useServices } from '../host.js';
import { Icon } from '../view/icon.js';

/** Lines in one piece of a long code block. While code is streaming, only the last piece changes. */
const pieceLines = 200;

export function CodeBlock({ language, text }: { readonly language: string; readonly text: string }): VNode {
  return (
    <figure class="code">
      <figcaption>
        <span>{language || 'text'}</span>
        <CopyButton text={text} what="code" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the keyboard */}
      <pre tabIndex={0}>
        <code>{piecesOf(text)}</code>
      </pre>
    </figure>
  );
}

function piecesOf(text: string): string | VNode[] {
  const lines = text.split('\n');
  if (lines.length <= pieceLines) return text;
  const pieces: VNode[] = [];
  for (let k = 0; k < lines.length; k += pieceLines)
    pieces.push(<div class="piece">{lines.slice(k, k + pieceLines).join('\n')}</div>);
  return pieces;
}

export function CopyButton({ text, what }: { readonly text: string; readonly what: string }): VNode {
  const { host } = useServices();
  const [copied, setCopied] = useState(false);
  function copy(): void {
    host.post({ type: 'copy', text });
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  }
  return (
    <button
      type="button"
      class="quiet copy"
      aria-label={copied ? 'Copied' : `Copy ${what}`}
      title={copied ? 'Copied' : `Copy ${what}`}
      onClick={copy}
    >
      <Icon name={copied ? 'check' : 'copy'} />
    </button>
  );
}
