import { ascii, inAscii, unicode } from '../src/terminal/glyphs.js';
import { coloured, plain } from '../src/terminal/paint.js';
import { printable } from '../src/terminal/printable.js';
import type { Terminal } from '../src/terminal/terminal.js';

export interface FakeTerminal extends Terminal {
  /** Everything written so far. */
  readonly written: string;
}

/** A terminal that remembers what was written to it. */
export function fakeTerminal({ columns = 80, colours = false, utf8 = true, isInteractive = false } = {}): FakeTerminal {
  let written = '';
  return {
    isInteractive,
    hasColours: colours,
    columns,
    glyphs: utf8 ? unicode : ascii,
    paint: colours ? coloured : plain,
    say: utf8 ? printable : (text) => inAscii(printable(text)),
    async write(text) {
      written += text;
    },
    get written() {
      return written;
    },
  };
}
