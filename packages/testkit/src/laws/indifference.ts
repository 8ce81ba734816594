import fc from 'fast-check';
import type { AgentEvent, Detector, EventType, Json, Readable } from 'loopfuse';
import { type LawOptions, lawSessions, type MakeDetectors, prove } from './law.js';
import { assertSame, essenceAt, play } from './play.js';

/** Call ids, the order of the keys of inputs, and events that the detectors do not read change nothing. */
export function checkIndifference(make: MakeDetectors, options: LawOptions = {}): void {
  const { tools } = options;
  const foreign = foreignTo(make());
  const strangers =
    foreign.length === 0
      ? fc.constant([])
      : fc.array(fc.tuple(fc.nat(500), fc.constantFrom(...foreign)), { maxLength: 12 });

  prove('indifference', fc.tuple(lawSessions(options), fc.nat(), strangers), options, ([session, salt, inserted]) => {
    const expected = play(make(), session, tools);
    const same = (seq: number) => seq;

    const disguised = play(make(), disguise(session, salt), tools);
    assertSame(
      disguised.findings.map((found) => found.map((finding) => essenceAt(finding, same))),
      expected.findings.map((found) => found.map((finding) => essenceAt(finding, same))),
      'indifference: call ids or the order of keys made a difference',
    );

    const { events, origin } = insert(session, inserted);
    const among = play(make(), events, tools);
    const place = (seq: number) => origin[seq] ?? -1;
    assertSame(
      among.findings.flat().map((finding) => essenceAt(finding, place)),
      expected.findings.flat().map((finding) => essenceAt(finding, same)),
      'indifference: events that it does not read made a difference',
    );
    return expected.findings.flat().length;
  });
}

const samples: readonly AgentEvent[] = [
  { type: 'steer', text: 'You have made this call four times with the same result. Try something else.' },
  { type: 'steer', text: 'again and again '.repeat(100) },
  { type: 'usage', inputTokens: 12_000, outputTokens: 300, cachedTokens: 9000 },
  { type: 'opinion', by: 'judge', confidence: 1, analysis: 'It repeats itself.' },
  { type: 'text', text: 'again and again '.repeat(100) },
  { type: 'text', text: '```' },
  { type: 'reasoning', text: 'I should look once more. '.repeat(60) },
  { type: 'turn-start' },
  { type: 'turn-end', reason: 'stop' },
  { type: 'retry' },
  { type: 'compaction' },
  { type: 'prompt', id: 'next', text: 'Go on.' },
  { type: 'tool-call', id: 'foreign', tool: 'foreign_tool', input: { a: 1 } },
  { type: 'tool-result', id: 'foreign', output: 'foreign' },
];

/**
 * Events that none of the detectors reads. If one reads steps, they also do not affect the joining of calls with
 * results; if one reads words, they also do not affect the words.
 */
function foreignTo(detectors: readonly Detector[]): readonly AgentEvent[] {
  const reads = new Set<Readable>(detectors.flatMap((detector) => detector.reads));
  const apartFromSteps: readonly EventType[] = ['steer', 'usage', 'opinion'];
  const apartFromWords: readonly EventType[] = ['usage', 'opinion'];
  return samples.filter(
    ({ type }) =>
      !reads.has(type) &&
      (!reads.has('step') || apartFromSteps.includes(type)) &&
      (!reads.has('words') || apartFromWords.includes(type)),
  );
}

/** The same session with other call ids and with the keys of its inputs in another order. */
function disguise(session: readonly AgentEvent[], salt: number): readonly AgentEvent[] {
  const ids = new Map<string, string>();
  const disguised = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `toolu_${((salt + ids.size * 7919) % 1e9).toString(36)}_${ids.size}`);
    return ids.get(id)!;
  };
  return session.map((event) => {
    if (event.type === 'tool-call') return { ...event, id: disguised(event.id), input: turned(event.input) };
    return event.type === 'tool-result' ? { ...event, id: disguised(event.id) } : event;
  });
}

function turned(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(turned);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, turned(inner)]),
  );
}

function insert(session: readonly AgentEvent[], inserted: readonly (readonly [number, AgentEvent])[]) {
  const events: AgentEvent[] = [];
  const origin: number[] = [];
  session.forEach((event, k) => {
    for (const [place, foreign] of inserted) {
      if (place % session.length !== k) continue;
      events.push(foreign);
      origin.push(-1);
    }
    events.push(event);
    origin.push(k);
  });
  return { events, origin };
}
