import { ascii, type Glyphs, inAscii, unicode, usesUtf8 } from './glyphs.js';
import { coloured, type Paint, plain, wantsColour } from './paint.js';
import { printable } from './printable.js';

/** One of the two output streams of a command, with the properties of its reader. */
export interface Terminal {
  /** Whether it is a terminal, not a pipe or a file. */
  readonly isInteractive: boolean;
  /** Whether it shows colours. */
  readonly hasColours: boolean;
  /** The width to use for layout. */
  readonly columns: number;
  readonly glyphs: Glyphs;
  readonly paint: Paint;
  /** Untrusted text as one line that this terminal can show, without control characters. */
  say(text: string): string;
  /** Resolves when the stream takes more. */
  write(text: string): Promise<void>;
}

/** Longer lines are hard to read; a pipe has no width of its own. */
const widest = 120;
const narrowest = 40;
const pipeColumns = 100;

export function terminalOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Terminal {
  const isInteractive = stream.isTTY === true;
  const utf8 = usesUtf8(env);
  let drained: Promise<void> | undefined; // one for all writers
  const hasColours = wantsColour(env, isInteractive);
  return {
    isInteractive,
    hasColours,
    get columns() {
      const asked = Number(env.COLUMNS);
      const columns = stream.columns || (Number.isInteger(asked) && asked > 0 ? asked : pipeColumns);
      return Math.max(narrowest, Math.min(widest, columns));
    },
    glyphs: utf8 ? unicode : ascii,
    paint: hasColours ? coloured : plain,
    say: utf8 ? printable : (text) => inAscii(printable(text)),
    async write(text) {
      if (stream.errored || stream.destroyed || stream.write(text)) return; // a stream that failed takes nothing more
      drained ??= new Promise((resolve) => {
        const done = () => {
          drained = undefined;
          stream.off('drain', done).off('error', done).off('close', done);
          resolve();
        };
        stream.on('drain', done).on('error', done).on('close', done);
      });
      await drained;
    },
  };
}
