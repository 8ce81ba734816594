import type { AgentEvent } from 'loopfuse';
import { expect } from 'vitest';
import type { Format, ReadFault, RecordedSession } from '../format.js';
import { formats } from '../index.js';
import { readWith } from '../reading/read.js';
import { createReading } from '../reading/reading.js';
import type { ReadOptions, ReadSummary } from '../visitor.js';
import { fixture } from './fixtures.js';

/** What was read of a file, for tests. */
export interface AllRead {
  readonly summary: ReadSummary;
  readonly sessions: readonly { readonly session: RecordedSession; readonly events: readonly AgentEvent[] }[];
  readonly faults: readonly ReadFault[];
}

/** Reads a file as `readSessions` does and keeps everything. */
export async function readAll(
  file: string,
  options?: ReadOptions,
  from: readonly Format[] = formats,
): Promise<AllRead> {
  const { visitor, finish } = collector();
  return finish(await readWith(from, file, visitor, options));
}

/** Reads bytes that come in the given pieces. */
export async function readBytes(
  pieces: readonly Buffer[],
  { name = 'file.jsonl', from = formats, options = {} as ReadOptions } = {},
): Promise<AllRead> {
  const { visitor, finish } = collector();
  const reading = createReading(from, name, visitor, options);
  for (const piece of pieces) if (!reading.push(piece)) break;
  return finish(await reading.end());
}

function collector() {
  const events = new Map<RecordedSession, AgentEvent[]>();
  const ended = new Set<RecordedSession>();
  const faults: ReadFault[] = [];
  const visitor = {
    onSession(session: RecordedSession) {
      if (events.has(session)) throw new Error(`session ${session.id} began twice`);
      events.set(session, []);
    },
    onEvent(event: AgentEvent, session: RecordedSession) {
      if (ended.has(session)) throw new Error(`an event of ${session.id} came after its end`);
      events.get(session)!.push(event);
    },
    onEnd(session: RecordedSession) {
      if (ended.has(session)) throw new Error(`session ${session.id} ended twice`);
      ended.add(session);
    },
    onFault: (fault: ReadFault) => void faults.push(fault),
  };
  function finish(summary: ReadSummary): AllRead {
    if (ended.size !== events.size) throw new Error('a session did not end');
    return { summary, faults, sessions: [...events].map(([session, its]) => ({ session, events: its })) };
  }
  return { visitor, finish };
}

/** Events as lines of text that a test can be read by. */
export function linesOf(events: readonly AgentEvent[] = []): string[] {
  return events.map((event) => `${event.lane === undefined ? '' : `[${event.lane}] `}${lineOf(event)}`);
}

/** The sessions of a fixture beside the test, each with its events as lines. Faults fail the test. */
export async function readFixture(testUrl: string, ...parts: string[]) {
  const { sessions, faults } = await readAll(fixture(testUrl, ...parts));
  expect(faults).toEqual([]);
  return sessions.map(({ session, events }) => ({ ...session, lines: linesOf(events) }));
}

/** The events of the only session in a file. */
export async function linesIn(file: string): Promise<string[]> {
  const { sessions } = await readAll(file);
  if (sessions.length !== 1) throw new Error(`${file} holds ${sessions.length} sessions`);
  return linesOf(sessions[0]!.events);
}

function lineOf(event: AgentEvent): string {
  switch (event.type) {
    case 'prompt':
      return `prompt: ${event.text}`;
    case 'text':
      return `text: ${event.text}`;
    case 'reasoning':
      return `reasoning: ${event.text}`;
    case 'tool-call':
      return `call ${event.id}: ${event.tool} ${JSON.stringify(event.input)}`;
    case 'tool-result': {
      const outcome = event.failed === undefined ? '' : event.failed ? ' failed' : ' fine';
      return `result ${event.id}${outcome}: ${typeof event.output === 'string' ? event.output : JSON.stringify(event.output)}`;
    }
    case 'usage': {
      const cached = event.cachedTokens === undefined ? '' : ` (${event.cachedTokens} cached)`;
      return `usage ${event.inputTokens}${cached} + ${event.outputTokens}${event.cost === undefined ? '' : ` for $${event.cost}`}`;
    }
    case 'turn-end':
      return event.reason === undefined ? 'turn-end' : `turn-end: ${event.reason}`;
    default:
      return event.type;
  }
}
