import { cuts, hostileEvents, longSession, recut, session, sessions, wrongShapes } from '@loopfuse/testkit';
import fc from 'fast-check';
import type { AgentEvent } from 'loopfuse';
import { describe, expect, test } from 'vitest';
import { excerptOf, isSameText, shown } from './excerpt.js';
import {
  createTranscript,
  type Entry,
  resumeTranscript,
  type Transcript,
  type TranscriptOptions,
} from './transcript.js';

function written(events: readonly AgentEvent[], options: TranscriptOptions = {}): Transcript {
  const transcript = createTranscript(options);
  for (const event of events) transcript.observe(event);
  return transcript;
}

const anything = fc.array(fc.oneof(hostileEvents(), wrongShapes() as fc.Arbitrary<AgentEvent>), { maxLength: 60 });
const streams = fc.oneof(sessions(), anything);
const texts = ({ entries }: Transcript) => entries.map(inWords);

function call(id: string): AgentEvent {
  return { type: 'tool-call', id, tool: 'read', input: { id } };
}

function answer(id: string): AgentEvent {
  return { type: 'tool-result', id, output: `the answer to ${id}` };
}

function inWords(entry: Entry): string {
  if (entry.type === 'compaction') return 'compaction';
  if (entry.type !== 'call') return `${entry.type}: ${shown(entry.text)}`;
  const output = entry.output === null ? 'nothing' : shown(entry.output);
  return `${entry.tool} ${shown(entry.input)} → ${entry.failed ? 'failed ' : ''}${output}`;
}

describe('the laws of a transcript', () => {
  test('it keeps no more than its limit, whatever happens', () => {
    fc.assert(
      fc.property(streams, fc.integer({ min: 1, max: 10 }), (events, most) => {
        const transcript = written(events, { entries: most, characters: 4800 });
        expect(transcript.entries.length).toBeLessThanOrEqual(most);
        for (const entry of transcript.entries)
          if (entry.type !== 'compaction')
            for (const text of entry.type === 'call' ? [entry.input, entry.output] : [entry.text])
              expect((text?.head.length ?? 0) + (text?.tail.length ?? 0)).toBeLessThanOrEqual(200);
      }),
    );
  });

  test('it stays small over a long session', () => {
    const reads = new Set(['tool-call', 'tool-result', 'text', 'reasoning', 'prompt', 'turn-start'] as const);
    const transcript = createTranscript();
    let largest = 0;
    let count = 0;
    for (const event of longSession(reads, 20_000)) {
      transcript.observe(event);
      if (++count % 500 === 0) largest = Math.max(largest, JSON.stringify(transcript.snapshot()).length);
    }
    expect(largest).toBeLessThan(100_000);
  });

  test('calls that wait for their results are not in it, however many there are', () => {
    fc.assert(
      fc.property(streams, fc.integer({ min: 1, max: 60 }), (events, count) => {
        const before = written([...events, { type: 'turn-start' }], { entries: 100 });
        const pending = Array.from({ length: count }, (_, k): AgentEvent => call(`pending ${k}`));
        const after = written([...events, { type: 'turn-start' }, ...pending], { entries: 100 });
        expect(after.entries).toEqual(before.entries.slice(after.forgotten - before.forgotten));
      }),
    );
  });

  test('a result whose call is unknown or forgotten adds nothing', () => {
    fc.assert(
      fc.property(streams, fc.nat(8), (events, count) => {
        const later = Array.from({ length: count }, (_, k): AgentEvent[] => [call(`later ${k}`), answer(`later ${k}`)]);
        const known = [...(count === 8 ? [call('early')] : []), ...later.flat()];
        const before = written([...events, ...known], { entries: 8 });
        const after = written([...events, ...known, answer('early')], { entries: 8 });
        expect(after.snapshot()).toEqual(before.snapshot());
      }),
    );
  });

  test('how text was cut does not matter', () => {
    fc.assert(
      fc.property(sessions(), cuts(), (events, cut) => {
        expect(written(recut(events, cut).events).snapshot()).toEqual(written(events).snapshot());
      }),
    );
  });

  test('a snapshot at any event, through JSON, has the same future', () => {
    fc.assert(
      fc.property(sessions(), fc.nat(), (events, at) => {
        const cut = at % (events.length + 1);
        const saved = JSON.parse(JSON.stringify(written(events.slice(0, cut)).snapshot()));
        const resumed = resumeTranscript({}, saved);
        for (const event of events.slice(cut)) resumed.observe(event);
        expect(resumed.snapshot()).toEqual(JSON.parse(JSON.stringify(written(events).snapshot())));
      }),
    );
  });

  test('a snapshot is not touched by what happens after it', () => {
    const transcript = written(session().text('one').events);
    const saved = JSON.stringify(transcript.snapshot());
    const kept = transcript.snapshot();
    transcript.observe({ type: 'text', text: 'two' });
    expect(JSON.stringify(kept)).toBe(saved);
  });
});

describe('a transcript', () => {
  test('puts each result to its call, whatever the order', () => {
    const transcript = written([
      { type: 'tool-call', id: 'a', tool: 'read', input: { path: 'a' } },
      { type: 'tool-call', id: 'b', tool: 'read', input: { path: 'b' } },
      { type: 'tool-result', id: 'b', output: 'B' },
      { type: 'tool-result', id: 'a', output: { text: 'A' }, failed: true },
      { type: 'tool-result', id: 'c', output: 'of a call that nobody saw' },
    ]);
    expect(texts(transcript)).toEqual(['read {"path":"a"} → failed {"text":"A"}', 'read {"path":"b"} → B']);
  });

  test('keeps long ids apart, and gives a result without an id to the oldest call', () => {
    const id = (end: string) => 'x'.repeat(300) + end;
    const calls = ['1', '2', '3'].map((k): AgentEvent => ({ type: 'tool-call', id: id(k), tool: 't', input: k }));
    const transcript = written([
      ...calls,
      { type: 'tool-result', id: id('2'), output: 'second' },
      { type: 'tool-result', id: '', output: 'first' },
    ]);
    expect(texts(transcript)).toEqual(['t "1" → first', 't "2" → second']);
  });

  test('leaves out calls of the turn under way that have no result yet', () => {
    const before = session().turn().call('read', 1).result('one').turn().text('and now');
    expect(texts(written(before.call('read', 2).call('read', 3).events))).toEqual(['read 1 → one', 'text: and now']);
    expect(texts(written(before.call('read', 2).call('read', 3).result('two').events)).at(-1)).toBe('read 2 → two');
  });

  test('keeps calls of earlier turns whose results nobody showed', () => {
    expect(texts(written(session().turn().call('read', 1).turn().events))).toEqual(['read 1 → nothing']);
  });

  test('forgets an attempt that is made again', () => {
    const events = session().turn().text('first').turn().text('bro').call('read', 1).retry().text('broken off no more');
    expect(texts(written(events.events))).toEqual(['text: first', 'text: broken off no more']);
  });

  test('keeps what was said in different turns apart', () => {
    const events = session().turn().text('a').text('b').turn().text('c').think('d').text('e');
    expect(texts(written(events.events))).toEqual(['text: ab', 'text: c', 'reasoning: d', 'text: e']);
  });

  test('knows the latest request, warnings and summaries, and counts what it forgot', () => {
    const transcript = written(
      session().prompt('Fix it.').turn().text('Done.').prompt('And test it.').steer('You repeat.').compaction().events,
      { entries: 3 },
    );
    expect(shown(transcript.request!)).toBe('And test it.');
    expect(texts(transcript)).toEqual(['user: And test it.', 'steer: You repeat.', 'compaction']);
    expect(transcript.forgotten).toBe(2);
  });

  test('does not take the last request for the one whose words are not known', () => {
    expect(written(session().prompt('Fix it.').prompt().events).request).toBe(null);
  });

  test('refuses a snapshot that is none', () => {
    for (const snapshot of [null, {}, { request: null, entries: [{ type: 'call' }], forgotten: 0, settled: 0 }])
      expect(() => resumeTranscript({}, snapshot)).toThrow(TypeError);
  });

  test('quotes an option that cannot be', () => {
    expect(() => createTranscript({ entries: 0 })).toThrow('entries must be an integer of at least 1, got 0');
    expect(() => createTranscript({ characters: 100 })).toThrow('got 100');
  });
});

describe('an excerpt', () => {
  test('keeps beginning and end, and says how much is between', () => {
    expect(shown(excerptOf('abcdefghij', 4))).toBe('ab […6 characters left out…] ij');
    expect(shown(excerptOf('abcd', 4))).toBe('abcd');
  });

  test('keeps texts apart that differ in the middle only', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const around = (text: string) => excerptOf(`${'x'.repeat(50)}${text}${'y'.repeat(50)}`, 20);
        expect(isSameText(around(a), around(b))).toBe(a === b);
      }),
    );
  });
});
