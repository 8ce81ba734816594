import type { VNode } from 'preact';
import { exactText } from '../words/visible-text.js';
import { Clipped } from './clipped.js';

/** How many lines a patch adds and removes. */
export function changeOf(patch: string): { readonly added: number; readonly removed: number } {
  const lines = bodyOf(patch);
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  };
}

/** A patch without its header: added and removed lines with their context. */
export function Diff({ patch, most }: { readonly patch: string; readonly most: number }): VNode {
  return <Clipped lines={bodyOf(patch)} most={most} end="first" draw={drawLines} />;
}

function drawLines(lines: readonly string[]): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the keyboard
    <pre class="diff" tabIndex={0}>
      {lines.map((line) => {
        const [kind, mark, said] = kindOf(line);
        return (
          <div class={`line ${kind}`}>
            {said !== '' && <span class="for-screen-readers">{said}</span>}
            {mark !== '' && (
              <span class="mark" aria-hidden="true">
                {mark}
              </span>
            )}
            {exactText(mark === '' ? line : line.slice(1))}
          </div>
        );
      })}
    </pre>
  );
}

function kindOf(line: string): readonly [kind: string, mark: string, said: string] {
  switch (line.charAt(0)) {
    case '+':
      return ['added', '+', 'added: '];
    case '-':
      return ['removed', '−', 'removed: '];
    case ' ':
      return ['kept', ' ', ''];
    default:
      return ['hunk', '', ''];
  }
}

function bodyOf(patch: string): readonly string[] {
  const lines = patch.replace(/\n$/, '').split('\n');
  const start = lines.findIndex((line) => line.startsWith('@@'));
  return start < 0 ? [] : lines.slice(start);
}
