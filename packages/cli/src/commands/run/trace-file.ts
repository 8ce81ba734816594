import { closeSync, openSync, writeSync } from 'node:fs';
import type { GatewayEvent } from '@loopfuse/gateway';

/** Writes what a gateway observes as a trace, which `scan`, `replay` and the report read. Readable for its user alone. */
export function createTraceFile(file: string): { take(event: GatewayEvent): void; close(): void } {
  const open = openSync(file, 'a', 0o600);
  let session = '';
  let broken = false;
  function line(value: unknown): void {
    if (broken) return;
    try {
      writeSync(open, `${JSON.stringify(value)}\n`);
    } catch {
      broken = true; // a full disk must not stop the agent
    }
  }
  return {
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
