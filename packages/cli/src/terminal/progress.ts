import type { Terminal } from './terminal.js';
import { fit } from './width.js';

/** A line at the bottom of a terminal that shows the progress of long work. */
export interface Progress {
  /** Cheap; may be called for every event. */
  tick(): void;
  /** Removes the line, so that something else can be written. */
  clear(): void;
}

/** When the line is first shown, and how often it is drawn, in milliseconds. */
const patience = 500;
const pause = 100;
/** Ticks between two reads of the clock. */
const stride = 256;

export function createProgress(err: Terminal, describe: () => string): Progress {
  if (!err.isInteractive) return { tick() {}, clear() {} };
  let next = Date.now() + patience;
  let ticks = 0;
  let shown = false;
  return {
    tick() {
      if (++ticks % stride !== 0) return;
      const now = Date.now();
      if (now < next) return;
      next = now + pause;
      shown = true;
      void err.write(`\r\u001b[2K${fit(err.say(describe()), err.columns - 1, err.glyphs.more)}`);
    },
    clear() {
      if (shown) void err.write('\r\u001b[2K');
      shown = false;
    },
  };
}
