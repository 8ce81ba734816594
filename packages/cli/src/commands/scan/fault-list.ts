import type { Terminal } from '../../terminal/terminal.js';

export interface FaultList {
  add(fault: { readonly file: string; readonly line?: number; readonly message: string }): void;
  /** Faults that were counted, but not kept. */
  addHidden(count: number): void;
  /** Says how many were not shown. */
  end(): Promise<void>;
}

const mostShown = 20;

/** Prints what could not be read, as `file:line: why`, at most 20 lines: a broken log must not hide the rest. */
export function createFaultList(err: Terminal): FaultList {
  let count = 0;
  let shown = 0;
  return {
    add({ file, line, message }) {
      count++;
      if (shown >= mostShown) return;
      shown++;
      const place = line === undefined ? err.say(file) : `${err.say(file)}:${line}`;
      void err.write(`${err.paint(place, 'yellow')}: ${err.say(message)}\n`);
    },
    addHidden(more) {
      count += more;
    },
    async end() {
      const hidden = count - shown;
      if (hidden > 0)
        await err.write(`${err.say('…')}and ${hidden} more like ${hidden === 1 ? 'it' : 'these'}, not shown.\n`);
    },
  };
}
