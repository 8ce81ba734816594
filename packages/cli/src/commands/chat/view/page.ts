import type { Shell } from '../../../shell.js';
import { type Glyphs, inAscii, unicode } from '../../../terminal/glyphs.js';
import { printable, printableText, visibleText } from '../../../terminal/printable.js';

/** The properties of the terminal that the views need. */
export interface Page {
  readonly columns: number;
  readonly rows: number;
  readonly glyphs: Glyphs;
  readonly hasColours: boolean;
  /** Whether more than ASCII can be shown. */
  readonly utf8: boolean;
  /** Untrusted text as one line. */
  line(text: string): string;
  /** Untrusted text as lines, without escape sequences. */
  text(text: string): string;
  /** Untrusted text as lines, with nothing left out. */
  exact(text: string): string;
}

/** Limits for the layout: the smallest usable size, and the longest line that is easy to read. */
const narrowest = 30;
const widest = 120;
const lowest = 8;

export function pageOf(
  { out }: { readonly out: Pick<Shell['out'], 'glyphs' | 'hasColours'> },
  size: { columns?: number; rows?: number },
): Page {
  const utf8 = out.glyphs.more === '…';
  const plain = utf8 ? (text: string) => text : inLines;
  return {
    columns: Math.max(narrowest, Math.min(widest, size.columns ?? 80)),
    rows: Math.max(lowest, size.rows ?? 24),
    glyphs: out.glyphs,
    hasColours: out.hasColours,
    utf8,
    line: (text) => plain(printable(text)),
    text: (text) => plain(printableText(text)),
    exact: (text) => plain(visibleText(text)),
  };
}

/** A terminal of the usual size without colours. */
export function plainPage(): Page {
  return pageOf({ out: { glyphs: unicode, hasColours: false } }, {});
}

function inLines(text: string): string {
  return text.split('\n').map(inAscii).join('\n');
}
