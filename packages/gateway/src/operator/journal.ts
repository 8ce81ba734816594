import { createHash } from 'node:crypto';
import { appendFile, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { GatewayEvent, SessionName } from '../gateway-event.js';

export interface Journal {
  note(event: GatewayEvent, now: number): void;
  /** Resolves when everything noted so far is in the files. */
  close(): Promise<void>;
}

export interface JournalOptions {
  readonly folder: string;
  readonly onFault: (message: string, cause: unknown) => void;
  /** Called when the journal can be written again after a failure. */
  readonly onRecovery?: () => void;
}

/** If more than this waits for the disk, the rest is left out, with a fault. */
const mostWaitingCharacters = 16_000_000;

/**
 * Writes the observed events, and what was done about them, as traces: a file for each session, which `scan`, `replay`
 * and the report can read. The files hold the content of sessions, so only their user may read them.
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
    await Promise.resolve(); // So that lines noted at the same moment are written together.
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
        opened.delete(file); // A full disk may have cut a line, so the next write checks how the file ends.
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
      // Decisions are our own messages: they are not evidence when the trace is read.
      else if (event.type === 'action')
        write(event.session, { type: 'steer', at: now, text: `[${event.action}] ${event.message}` }, now);
    },
    async close() {
      while (writing !== undefined) await writing;
    },
  };
}

/**
 * What comes before the first lines that this process writes to a file: a header. If an earlier gateway began the file,
 * there is no header, but a line break if the last line was cut.
 */
async function startOf(file: string, { key, name, agent, model }: SessionName): Promise<string> {
  const last = await lastByte(file);
  if (last === undefined) return `${JSON.stringify({ loopfuse: 1, session: name || key, agent, model })}\n`;
  return last === newline ? '' : '\n';
}

const newline = 0x0a;

/** Undefined if there is no such file, or it is empty. */
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

/** There is a folder for each day. Keys come from clients, so the name is a hash. */
function fileOf(folder: string, key: string, now: number): string {
  const name = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 24);
  return join(folder, new Date(now).toISOString().slice(0, 10), `${name}.jsonl`);
}
