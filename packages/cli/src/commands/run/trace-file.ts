import { closeSync, openSync, writeSync } from 'node:fs';
import type { GatewayEvent } from '@loopfuse/gateway';
import { messageOf } from 'loopfuse/words';

export interface TraceFile {
  /** Why writing stopped; undefined while the trace is complete. */
  readonly problem: string | undefined;
  take(event: GatewayEvent): void;
  close(): void;
}

/**
 * Writes what a gateway observes as a trace, which `scan`, `replay` and the report read. Readable for its user alone. Throws
 * where the file cannot be opened.
 */
export function createTraceFile(file: string): TraceFile {
  const open = openSync(file, 'a', 0o600);
  let session = '';
  let problem: string | undefined;
  function line(value: unknown): void {
    if (problem !== undefined) return;
    try {
      writeSync(open, `${JSON.stringify(value)}\n`);
    } catch (cause) {
      problem = messageOf(cause); // a full disk must not stop the agent
    }
  }
  return {
    get problem() {
      return problem;
    },
    take(event) {
      if (event.type !== 'observed') return;
      const { key, name, agent, model } = event.session;
      if (key !== session) line({ loopfuse: 1, session: name, agent, model });
      session = key;
      line(event.event);
    },
    close: () => closeSync(open),
  };
}
