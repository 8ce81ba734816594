import type { Display } from '@loopfuse/agent';
import type { VNode } from 'preact';
import { exactText, withoutEndLines } from '../words/visible-text.js';
import { Clipped } from './clipped.js';
import { Diff } from './diff.js';

/** What a call would do, with invisible characters shown, because users approve it. */
export function DisplayView({ display, most }: { readonly display: Display; readonly most: number }): VNode {
  switch (display.type) {
    case 'diff':
      return <Diff patch={display.patch} most={most} />;
    case 'command':
      return (
        <div class="command">
          <Lines text={exactText(display.command)} most={most} end="first" />
          <p class="where">in {exactText(display.folder)}</p>
        </div>
      );
    case 'text':
      return <Lines text={exactText(display.text)} most={most} end="first" />;
    default:
      return <Lines text={exactText(JSON.stringify(display, undefined, 2))} most={most} end="first" />;
  }
}

interface LinesProps {
  readonly text: string;
  readonly most: number;
  readonly end: 'first' | 'last';
}

/** Preformatted text in the font of the editor. */
export function Lines({ text, most, end }: LinesProps): VNode {
  return (
    <Clipped
      lines={withoutEndLines(text).split('\n')}
      most={most}
      end={end}
      draw={(lines) => (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is long is scrolled with the keyboard
        <pre class="lines" tabIndex={0}>
          {lines.join('\n')}
        </pre>
      )}
    />
  );
}
