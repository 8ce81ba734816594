import { createHash } from 'node:crypto';
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { GatewayEvent, SessionName } from '../gateway-event.js';

export interface Journal {
  note(event: GatewayEvent, now: number): void;
  /** Resolves when everything that was noted is in the files. */
  close(): Promise<void>;
}

export interface JournalOptions {
  readonly folder: string;
  readonly onFault: (message: string, cause: unknown) => void;
}

/** More than this waits for the disk, and the rest is left out, with a fault. */
const mostWaitingCharacters = 16_000_000;

/**
 * Writes what is observed, and what was done about it, as traces: a file for each session, which `scan`, `replay` and the
 * report read. The files hold what was said, so they are for their user alone.
 */
export function createJournal({ folder, onFault }: JournalOptions): Journal {
  const opened = new Set<string>();
  const waiting = new Map<string, string[]>();
  let characters = 0;
  let writing: Promise<void> | undefined;
  let isFull = false;

  function write(session: SessionName, line: object, now: number): void {
    const file = fileOf(folder, session.key, now);
    const lines = waiting.get(file) ?? [];
    if (!opened.has(file)) {
      if (opened.size > 50_000) opened.clear();
      opened.add(file);
      const { name, agent, model } = session;
      lines.push(`${JSON.stringify({ loopfuse: 1, session: name || session.key, agent, model })}\n`);
    }
    const text = `${JSON.stringify(line)}\n`;
    if (characters + text.length > mostWaitingCharacters) {
      if (!isFull) onFault('the journal falls behind: events are left out until the disk has caught up', undefined);
      isFull = true;
      return;
    }
    isFull = false;
    characters += text.length;
    lines.push(text);
    waiting.set(file, lines);
    writing ??= drain();
  }

  async function drain(): Promise<void> {
    await Promise.resolve(); // Lets the lines of one moment go together.
    for (const [file, lines] of waiting) {
      waiting.delete(file);
      const text = lines.join('');
      try {
        await mkdir(join(file, '..'), { recursive: true, mode: 0o700 });
        await appendFile(file, text, { mode: 0o600 });
      } catch (cause) {
        onFault(`the journal could not be written: ${(cause as Error).message}`, cause);
      }
      characters = Math.max(0, characters - text.length);
    }
    writing = undefined;
    if (waiting.size > 0) writing = drain();
  }

  return {
    note(event, now) {
      if (event.type === 'observed') write(event.session, { ...event.event, at: event.event.at ?? now }, now);
      // Decisions are messages of ours: no evidence for whoever reads the trace.
      else if (event.type === 'action')
        write(event.session, { type: 'steer', at: now, text: `[${event.action}] ${event.message}` }, now);
    },
    async close() {
      while (writing !== undefined) await writing;
    },
  };
}

/** A folder for each day. Keys come from clients, so the name is a hash. */
function fileOf(folder: string, key: string, now: number): string {
  const name = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 24);
  return join(folder, new Date(now).toISOString().slice(0, 10), `${name}.jsonl`);
}
