import { open, stat } from 'node:fs/promises';
import { createReading, formats, type RecordedSession, readWith } from '@loopfuse/formats';
import type { AgentEvent } from 'loopfuse';

/** A session in a file, with its events. */
export interface Recording {
  readonly session: RecordedSession;
  readonly events: readonly AgentEvent[];
}

const trace = formats.filter(({ name }) => name === 'trace');
const known = formats.filter(({ name }) => name === 'trace' || name === 'loopfuse-session');

/** Larger files are left to the command line, which reads them with little memory. */
const largest = 64 << 20;

/** The sessions in a trace file or a session file of ours. Rejects if there are none, with a message for the user. */
export async function readRecordings(file: string): Promise<readonly Recording[]> {
  const { size } = await stat(file);
  if (size > largest)
    throw new RangeError(`${file} is larger than ${largest >> 20} MB. Look at it with: loopfuse scan ${file}`);
  const found = new Map<RecordedSession, AgentEvent[]>();
  const faults: string[] = [];
  await readWith(known, file, {
    onSession: (session) => void found.set(session, []),
    onEvent: (event, session) => void found.get(session)?.push(event),
    onFault: ({ line, message }) => void faults.push(line === undefined ? message : `line ${line}: ${message}`),
  });
  if (found.size === 0) throw new TypeError(`${file} holds no session: ${faults[0] ?? 'it is empty'}`);
  return [...found].map(([session, events]) => ({ session, events }));
}

/** The bytes that are read to detect the format. */
const headBytes = 16 << 10;

/** Whether a file is one of our traces, by its first bytes. */
export async function isTrace(file: string): Promise<boolean> {
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return false;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const reading = createReading(trace, file, { onEvent: () => {} });
    await reading.push(buffer.subarray(0, bytesRead));
    return (await reading.end()).format === 'trace';
  } catch {
    return false; // a folder of that name, or a file that cannot be read
  } finally {
    await handle.close();
  }
}
