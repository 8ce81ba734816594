import { createHash } from 'node:crypto';
import { appendFile, mkdir, open } from 'node:fs/promises';
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
  /** It could not be written for a while, and can be again. */
  readonly onRecovery?: () => void;
}

/** More than this waits for the disk, and the rest is left out, with a fault. */
const mostWaitingCharacters = 16_000_000;

/**
 * Writes what is observed, and what was done about it, as traces: a file for each session, which `scan`, `replay` and the
 * report read. The files hold what was said, so they are for their user alone.
 */
export function createJournal({ folder, onFault, onRecovery }: JournalOptions): Journal {
  const opened = new Set<string>();
  const waiting = new Map<string, { readonly session: SessionName; readonly lines: string[] }>();
  let characters = 0;
  let writing: Promise<void> | undefined;
  let isFull = false;
  let isFailing = false;

  function write(session: SessionName, line: object, now: number): void {
    const file = fileOf(folder, session.key, now);
    const text = `${JSON.stringify(line)}\n`;
    if (characters + text.length > mostWaitingCharacters) {
      if (!isFull) onFault('the journal falls behind: events are left out until the disk has caught up', undefined);
      isFull = true;
      return;
    }
    isFull = false;
    characters += text.length;
    const batch = waiting.get(file) ?? { session, lines: [] };
    batch.lines.push(text);
    waiting.set(file, batch);
    writing ??= drain();
  }

  async function drain(): Promise<void> {
    await Promise.resolve(); // Lets the lines of one moment go together.
    for (const [file, { session, lines }] of waiting) {
      waiting.delete(file);
      const text = lines.join('');
      try {
        await mkdir(join(file, '..'), { recursive: true, mode: 0o700 });
        const start = opened.has(file) ? '' : await startOf(file, session);
        await appendFile(file, start + text, { mode: 0o600 });
        if (opened.size > 50_000) opened.clear();
        opened.add(file);
        if (isFailing) onRecovery?.();
        isFailing = false;
      } catch (cause) {
        opened.delete(file); // A full disk may have torn a line, so the next write looks how the file ends.
        if (!isFailing)
          onFault(
            `the journal could not be written: ${(cause as Error).message}; events are left out until it can be`,
            cause,
          );
        isFailing = true;
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

/**
 * What stands before the first lines that this process writes into a file. A gateway that was ended may have begun the
 * session there: then it goes on, on a line of its own where the last one was torn.
 */
async function startOf(file: string, { key, name, agent, model }: SessionName): Promise<string> {
  const last = await lastByte(file);
  if (last === undefined) return `${JSON.stringify({ loopfuse: 1, session: name || key, agent, model })}\n`;
  return last === newline ? '' : '\n';
}

const newline = 0x0a;

/** Nothing where there is no such file, or an empty one. */
async function lastByte(file: string): Promise<number | undefined> {
  const handle = await open(file, 'r').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw cause;
  });
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    return bytesRead === 0 ? undefined : buffer[0];
  } finally {
    await handle.close();
  }
}

/** A folder for each day. Keys come from clients, so the name is a hash. */
function fileOf(folder: string, key: string, now: number): string {
  const name = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 24);
  return join(folder, new Date(now).toISOString().slice(0, 10), `${name}.jsonl`);
}
