import type { Terminal } from './terminal.js';
import { fit } from './width.js';

/** A line at the bottom that says how far the work has come. Only people see it, and only when they have to wait. */
export interface Progress {
  /** Cheap: call it as often as there is news. */
  tick(): void;
  /** Takes the line away, so that something else can be written. */
  clear(): void;
}

const patience = 500;
const pause = 100;
/** Ticks between two looks at the clock. */
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
