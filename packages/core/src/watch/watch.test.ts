import { hostileEvents, observe, play, poisoned, poisons, session, sessions, wrongShapes } from '@loopfuse/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Detector, defineDetector, type Sighting } from '../detector.js';
import type { AgentEvent, Json } from '../event.js';
import type { Fault } from '../fault.js';
import type { Finding } from '../finding.js';
import { balanced } from '../presets/balanced.js';
import { createWatch, resumeWatch, type WatchOptions, type WatchSnapshot } from './watch.js';

/** Sees a tool called with the same outcome three times in a row; from the second time on it suspects. */
const sameAnswer = (name = 'same-answer'): Detector =>
  defineDetector<'step' | 'prompt', { call: number; outcome: number; times: number; onset: number }, { times: number }>(
    {
      name,
      reads: ['step', 'prompt'],
      start: () => ({ call: 0, outcome: 0, times: 0, onset: 0 }),
      observe(state, reading) {
        if (reading.type === 'prompt') {
          state.times = 0;
          return undefined;
        }
        const { call, outcome, tool, callSeq } = reading;
        if (call !== state.call || outcome !== state.outcome) Object.assign(state, { call, outcome, times: 0 });
        if (++state.times === 2) state.onset = callSeq;
        if (state.times < 2) return undefined;
        const { times, onset } = state;
        const status = times === 2 ? 'suspect' : 'looping';
        return {
          kind: 'repeated-calls',
          status,
          onset,
          confidence: 0.9,
          evidence: { times },
          tools: [tool],
          calls: [call],
        };
      },
      explain: ({ times }) => `The same call brought the same answer ${times} times.`,
    },
  );

/** Sees every exclamation mark. */
const shouting: Detector = defineDetector<'text', { marks: number }, { marks: number }>({
  name: 'shouting',
  reads: ['text'],
  start: () => ({ marks: 0 }),
  observe(state, { text }, seq) {
    const seen: Sighting<{ marks: number }>[] = [];
    for (const character of text)
      if (character === '!')
        seen.push({
          kind: 'chanting',
          status: 'looping',
          onset: seq,
          confidence: 1,
          evidence: { marks: ++state.marks },
        });
    return seen;
  },
  explain: ({ marks }) => `${marks} exclamation marks were seen.`,
});

const read = (path: string, content = 'one') => session().call('read_file', { path }).result(content).events;
const readOften = (times: number) => session().repeat(times, (s) => s.call('read_file', { path: 'a' }).result('one'));

function watched(detectors: readonly Detector[], options: Partial<WatchOptions> = {}) {
  const faults: Fault[] = [];
  const watch = createWatch({ detectors, onFault: (fault) => faults.push(fault), ...options });
  const show = (events: readonly AgentEvent[]): Finding[] => events.flatMap((event) => observe(watch, event));
  return { watch, show, faults };
}

describe('watching', () => {
  test('a detector is shown what it reads, with its place in the session, and nothing else', () => {
    const seen: [string, number][] = [];
    const spy = defineDetector({
      name: 'spy',
      reads: ['tool-call', 'step', 'turn-end'],
      start: () => ({}),
      observe: (_, reading, seq) => void seen.push([reading.type, seq]),
      explain: () => '',
    });
    const { watch, show } = watched([spy]);
    show(session().prompt().text('Hm.').call('a').think('So.').result('').turn().turn().usage(1, 2).events);
    expect(seen).toEqual([
      ['tool-call', 2],
      ['step', 4],
      ['turn-end', 6],
    ]);
    expect(watch.seq).toBe(9);
  });

  test('the verdict is clear, suspect or looping, by the gravest finding', () => {
    const { watch } = watched([sameAnswer(), shouting]);
    const statuses = [...readOften(3).events, { type: 'text', text: 'Oh!! ' } as const].map((event) =>
      watch.observe(event),
    );
    expect(statuses.map(({ status }) => status)).toEqual([
      'clear',
      'clear',
      'clear',
      'suspect',
      'clear',
      'looping',
      'looping',
    ]);
    expect(statuses.at(-1)).toMatchObject({ findings: [{ evidence: { marks: 1 } }, { evidence: { marks: 2 } }] });
    expect(watch.observe({ type: 'text', text: 'Calm.' })).toEqual({ status: 'clear' });
  });

  test('one certain finding among suspicions makes the verdict certain', () => {
    const saying = (name: string, status: 'suspect' | 'looping') =>
      defineDetector({
        name,
        reads: ['text'],
        start: () => ({}),
        observe: (_, __, onset) => ({ kind: 'stall', status, onset, confidence: 0.5, evidence: null }),
        explain: () => 'It said so.',
      });
    const { watch } = watched([saying('first', 'suspect'), saying('second', 'looping'), saying('third', 'suspect')]);
    expect(watch.observe({ type: 'text', text: '' }).status).toBe('looping');
  });

  test('a finding says who saw what, where, how often, and what was spent', () => {
    const { show } = watched([sameAnswer()]);
    const findings = show(readOften(4).usage(100, 20).events);
    expect(
      findings.map(({ seq, onset, again, status, waste }) => ({ seq, onset, again, status, calls: waste.calls })),
    ).toEqual([
      { seq: 3, onset: 2, again: 0, status: 'suspect', calls: 1 },
      { seq: 5, onset: 2, again: 0, status: 'looping', calls: 2 },
      { seq: 7, onset: 2, again: 1, status: 'looping', calls: 3 },
    ]);
    expect(findings[0]).toMatchObject({
      detector: 'same-answer',
      kind: 'repeated-calls',
      tools: ['read_file'],
      confidence: 0.9,
    });
    expect(findings[0]).not.toHaveProperty('lane');
  });

  test('a loop that ended and comes back is a new episode', () => {
    const { show } = watched([sameAnswer()]);
    const again = show([...readOften(4).events, ...read('b'), ...readOften(4).events]).map((finding) => finding.again);
    expect(again).toEqual([0, 0, 1, 0, 0, 1]);
  });

  test('two detectors that see the same loop share its episode', () => {
    const { show } = watched([sameAnswer(), sameAnswer('same-answer-too')]);
    const looping = show(readOften(4).events).filter(({ status }) => status === 'looping');
    expect(looping.map(({ detector, again }) => [detector, again])).toEqual([
      ['same-answer', 0],
      ['same-answer-too', 1],
      ['same-answer', 2],
      ['same-answer-too', 3],
    ]);
  });

  test('an error that was caught and passed on as a result is a failure that says what it says', () => {
    const build = (output: unknown, k: number): AgentEvent[] => [
      { type: 'tool-call', id: `${k}`, tool: 'build', input: {} },
      { type: 'tool-result', id: `${k}`, output: output as Json },
    ];
    const missing = ['the parser of dates', 'a comma in line three', 'write access to the cache', 'the module "left"'];
    const different = watched(balanced()).show(missing.flatMap((what, k) => build(new Error(`expected ${what}`), k)));
    expect(different.filter(({ status }) => status === 'looping')).toEqual([]);
    const same = watched(balanced()).show(missing.flatMap((_, k) => build(new Error('expected a comma'), k)));
    expect(same.at(-1)).toMatchObject({ kind: 'repeated-failure', status: 'looping' });
  });

  test('two detectors of the same name, and rules that are none, are refused', () => {
    expect(() => createWatch({ detectors: [shouting, shouting] })).toThrow(
      'options.detectors has two of the same name, "shouting"',
    );
    expect(() => createWatch({ detectors: [], tools: { read: { times: 1 } } })).toThrow(
      /times must be an integer of at least 2, got 1/,
    );
  });

  test('a finding is explained by the detector that saw it; others are named', () => {
    const { watch, show, faults } = watched([sameAnswer(), { ...shouting, explain: () => JSON.parse('{') as string }]);
    const [repeated] = show(readOften(2).events);
    const [shout] = show([{ type: 'text', text: '!' }]);
    expect(watch.explain(repeated!)).toBe('The same call brought the same answer 2 times.');
    expect(watch.explain({ ...repeated!, detector: 'gone' })).toBe('gone saw a loop (repeated-calls).');
    expect(watch.explain(shout!)).toBe('shouting saw a loop (chanting).');
    expect(faults).toMatchObject([{ where: 'shouting', message: expect.stringContaining('could not be explained') }]);
  });
});

describe('faults', () => {
  const fragile = defineDetector<'text', { seen: number }, { seen: number }>({
    name: 'fragile',
    reads: ['text'],
    start: () => ({ seen: 0 }),
    observe(state, { text }, onset) {
      state.seen++;
      if (text === 'break') fail('it broke');
      return { kind: 'chanting', status: 'looping', onset, confidence: 1, evidence: { seen: state.seen } };
    },
    explain: ({ seen }) => `${seen} deltas were seen.`,
  });

  test('a detector that throws is reported and starts afresh, and the others go on', () => {
    const { show, faults } = watched([fragile, shouting]);
    const seen = show(['a', 'b', 'break!', 'break', 'c!'].map((text) => ({ type: 'text', text })));
    expect(faults).toEqual([
      {
        where: 'fragile',
        message: 'the detector failed and starts afresh: it broke',
        seq: 3,
        cause: new Error('it broke'),
      },
    ]);
    expect(seen.filter(({ detector }) => detector === 'fragile').map(({ evidence }) => evidence)).toEqual([
      { seen: 1 },
      { seen: 2 },
      { seen: 3 },
      { seen: 1 },
    ]);
    expect(seen.filter(({ detector }) => detector === 'shouting')).toHaveLength(2);
  });

  test('a value that is no event is reported, counted and otherwise ignored', () => {
    fc.assert(
      fc.property(sessions(), fc.array(fc.tuple(fc.nat(200), wrongShapes()), { maxLength: 5 }), (events, wrong) => {
        const { watch, show, faults } = watched([sameAnswer(), shouting]);
        const found = events.flatMap((event, k) => {
          for (const [at, value] of wrong)
            if (at % events.length === k) expect(watch.observe(value as AgentEvent)).toEqual({ status: 'clear' });
          return show([event]);
        });
        const expected = play([sameAnswer(), shouting], events).findings.flat();
        expect(found.map(({ evidence }) => evidence)).toEqual(expected.map(({ evidence }) => evidence));
        expect(faults.map(({ where }) => where)).toEqual(events.length === 0 ? [] : wrong.map(() => 'event'));
        expect(watch.seq).toBe(events.length + faults.length);
      }),
      { numRuns: 40 },
    );
  });

  test('even an event that throws when it is looked at does not throw', () => {
    const { watch, faults } = watched([shouting]);
    const trap = new Proxy({}, { get: () => fail('do not look') });
    const late = Object.defineProperty({ type: 'tool-call', id: '1', tool: 'a' }, 'input', {
      get: () => fail('nor here'),
    });
    expect(watch.observe(trap as AgentEvent)).toEqual({ status: 'clear' });
    expect(() => watch.observe(late as unknown as AgentEvent)).not.toThrow();
    expect(faults[0]).toMatchObject({ where: 'event', seq: 0, message: 'event 0 was ignored: do not look' });
    expect(watch.seq).toBe(2);
  });

  test('nothing that can be inside an event makes a fault', () => {
    fc.assert(
      fc.property(fc.array(hostileEvents(), { maxLength: 20 }), (events) => {
        expect(play([sameAnswer(), shouting], events).faults).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  test('a fault handler that throws does not matter, and neither does none', () => {
    const onFault = () => fail('the log is full');
    for (const options of [{ onFault }, {}]) {
      const watch = createWatch({ detectors: [fragile], ...options });
      expect(() => watch.observe({ type: 'text', text: 'break' })).not.toThrow();
      expect(() => watch.observe(7 as never)).not.toThrow();
      expect(watch.observe({ type: 'text', text: 'a' })).toMatchObject({ findings: [{ evidence: { seen: 1 } }] });
    }
  });

  test('a state that cannot be saved is reported and left out', () => {
    const { watch, faults } = watched([{ ...shouting, save: () => fail('no room') }, sameAnswer()]);
    watch.observe({ type: 'text', text: '!' });
    expect(Object.keys(watch.snapshot().lanes[0]!.detectors)).toEqual(['same-answer']);
    expect(faults).toMatchObject([{ where: 'shouting', message: expect.stringContaining('no room') }]);
  });
});

describe('lanes', () => {
  test('each sub-agent is watched on its own, and findings name it', () => {
    const { show } = watched([sameAnswer()]);
    const findings = show(
      session().repeat(2, (s) =>
        s
          .call('read_file', { path: 'a' })
          .lane('left', (helper) => helper.call('read_file', { path: 'a' }).result('one'))
          .result('one'),
      ).events,
    );
    expect(findings.map(({ lane, status }) => [lane, status])).toEqual([
      ['left', 'suspect'],
      [undefined, 'suspect'],
    ]);
  });

  test('so many lanes are kept and no more: the main one, and those heard of last', () => {
    const { watch, show } = watched([sameAnswer()]);
    show(read('a'));
    for (let k = 0; k < 100; k++)
      show(session().lane(`helper-${k}`, (s) => s.call('read_file', { path: 'a' }).result('one')).events);
    const kept = watch.snapshot().lanes.map(({ lane }) => lane);
    expect(kept).toHaveLength(32);
    expect(kept).toEqual(['', ...Array.from({ length: 31 }, (_, k) => `helper-${69 + k}`)]);
    expect(show(read('a'))).toMatchObject([{ status: 'suspect' }]);
    expect(show(session().lane('helper-3', (s) => s.call('read_file', { path: 'a' }).result('one')).events)).toEqual(
      [],
    );
  });
});

describe('exemptions and forgetting', () => {
  test('calls of an exempted tool are no evidence, nor are their results; others are', () => {
    const shown: string[] = [];
    const spy = defineDetector({
      name: 'spy',
      reads: ['tool-call', 'tool-result'],
      start: () => ({}),
      observe: (_, event) => void shown.push(event.type),
      explain: () => '',
    });
    const { watch, show } = watched([sameAnswer(), spy]);
    watch.exempt({ tool: 'read_*' });
    expect(show(readOften(5).events)).toEqual([]);
    expect(shown).toEqual([]);
    expect(show(session().repeat(2, (s) => s.call('list', { path: 'a' }).result('one')).events)).toHaveLength(1);
  });

  test('an exemption can be for calls with a text in their input, or for a kind of loop', () => {
    const { watch, show } = watched([sameAnswer(), shouting]);
    watch.exempt({ tool: 'read_file', containing: 'log' });
    watch.exempt({ kind: 'chanting' });
    expect(show(session().repeat(5, (s) => s.call('read_file', { path: 'app.log' }).result('one')).events)).toEqual([]);
    expect(show([{ type: 'text', text: '!!!' }])).toEqual([]);
    expect(show(readOften(2).events)).toHaveLength(1);
  });

  test('a tool can be exempted by rule', () => {
    const { show } = watched([sameAnswer()], { tools: { 'read_*': { exempt: true } } });
    expect(show(readOften(5).events)).toEqual([]);
  });

  test('what is no exemption is refused, and the error quotes it', () => {
    const { watch } = watched([]);
    expect(() => watch.exempt({ toll: 'read' } as never)).toThrow(
      /names a tool or a kind of loop, got \{"toll":"read"\}/,
    );
    watch.exempt({ tool: 'read', extra: 1 } as never);
    watch.exempt({ tool: 'write', containing: undefined, kind: undefined } as never);
    watch.exempt({ kind: 'cycle', tool: undefined } as never);
    expect(watch.exemptions).toEqual([{ tool: 'read' }, { tool: 'write' }, { kind: 'cycle' }]);
  });

  test('after forgetting, the same loop must build up anew, in every lane; the count of events goes on', () => {
    const { watch, show } = watched([sameAnswer()]);
    const helper = (times: number) =>
      session().lane('helper', (s) => s.repeat(times, (t) => t.call('a').result('one'))).events;
    show([...readOften(4).events, ...helper(4)]);
    watch.forget();
    expect(watch.seq).toBe(16);
    expect(show([...readOften(1).events, ...helper(1)])).toEqual([]);
    expect(show(readOften(2).events).map(({ status, again }) => [status, again])).toEqual([
      ['suspect', 0],
      ['looping', 0],
    ]);
  });

  test('a call just shown repeats when it belongs to a loop that was seen and nothing has changed since', () => {
    const { watch, show } = watched([sameAnswer()]);
    const call = (id: string, path = 'a') => ({ type: 'tool-call', id, tool: 'read_file', input: { path } }) as const;
    show([...readOften(3).events, call('x')]);
    expect(watch.repeats(call('x'))).toBe(true);
    expect(watch.repeats(call('never shown'))).toBe(false);
    expect(watch.repeats({ ...call('x'), lane: 'helper' })).toBe(false);
    show([{ type: 'tool-result', id: 'x', output: 'one' }, call('y', 'b')]);
    expect(watch.repeats(call('y', 'b'))).toBe(false);
    watch.observe(call('y'));
    expect(watch.repeats(call('y'))).toBe(true); // of two calls under way with one id, the one just shown
    show([
      { type: 'tool-result', id: 'y', output: 'two' },
      ...session().call('write_file', { path: 'a', content: 'new' }).result('written').events,
      call('z'),
    ]);
    expect(watch.repeats(call('z'))).toBe(false);
  });

  test('after forgetting no call repeats', () => {
    const { watch, show } = watched([sameAnswer()]);
    const call = { type: 'tool-call', id: 'x', tool: 'read_file', input: { path: 'a' } } as const;
    show([...readOften(3).events, call]);
    expect(watch.repeats(call)).toBe(true);
    watch.forget();
    expect(watch.repeats(call)).toBe(false);
  });
});

describe('snapshots', () => {
  const detectors = () => [sameAnswer(), shouting];

  function resumed(snapshot: unknown) {
    const faults: Fault[] = [];
    const watch = resumeWatch(
      { detectors: detectors(), onFault: (fault) => faults.push(fault) },
      snapshot as WatchSnapshot,
    );
    return { watch, faults };
  }

  const findingsOf = (watch: { observe: (event: AgentEvent) => unknown }, events: readonly AgentEvent[]) =>
    events.map((event) => watch.observe(event));

  test('a snapshot through JSON has the same future, exemptions and lanes included', () => {
    fc.assert(
      fc.property(sessions(), sessions(), sessions(), (first, helper, second) => {
        const { watch, show } = watched(detectors());
        watch.exempt({ tool: 'grep', containing: 'b.ts' });
        show([...first, ...helper.map((event) => ({ ...event, lane: 'helper' }))]);
        const { watch: other, faults } = resumed(JSON.parse(JSON.stringify(watch.snapshot())));
        const future = [...second, ...helper.map((event) => ({ ...event, lane: 'helper' }))];
        expect(findingsOf(other, future)).toEqual(findingsOf(watch, future));
        expect(other.snapshot()).toEqual(watch.snapshot());
        expect(faults).toEqual([]);
      }),
    );
  });

  test('a snapshot shares no object with the session it was taken of, nor with the one that goes on from it', () => {
    fc.assert(
      fc.property(sessions(), sessions(), (before, after) => {
        const { watch, show } = watched(detectors());
        watch.exempt({ tool: 'nothing' });
        show(before);
        const snapshot = watch.snapshot();
        const asTaken = JSON.stringify(snapshot);
        const { watch: other } = resumed(snapshot);
        const expected = findingsOf(resumed(JSON.parse(asTaken)).watch, after);

        findingsOf(other, after);
        expect(JSON.stringify(snapshot)).toBe(asTaken);
        scramble(snapshot);
        expect(findingsOf(watch, after)).toEqual(expected);
        expect(watch.snapshot()).toEqual(other.snapshot());
        expect(watch.exemptions).toEqual([{ tool: 'nothing' }]);
      }),
    );
  });

  test('what is no snapshot at all is reported, and the watch works as a new one', () => {
    const noSnapshot = fc.oneof(
      fc.jsonValue() as fc.Arbitrary<unknown>,
      fc.constantFrom<unknown>(
        null,
        [],
        7,
        'x',
        {},
        { version: 2, seq: 0, lanes: [] },
        { version: 1, seq: -1, lanes: [] },
      ),
      fc.constantFrom<unknown>(
        { version: 1, seq: 0.5, lanes: [] },
        { version: 1, seq: 0 },
        { version: 1, seq: 0, lanes: {} },
      ),
    );
    fc.assert(
      fc.property(noSnapshot, sessions(), (value, events) => {
        const { watch, faults } = resumed(value);
        expect(faults).toMatchObject([
          { where: 'snapshot', message: expect.stringMatching(/expected a snapshot|the snapshot\./) },
        ]);
        expect(findingsOf(watch, events)).toEqual(findingsOf(createWatch({ detectors: detectors() }), events));
      }),
    );
  });

  test('whatever became of a snapshot, the watch neither throws nor stops working', () => {
    fc.assert(
      fc.property(sessions(), poisons(), sessions(), (before, poison, after) => {
        const { watch: healthy, show } = watched(detectors());
        healthy.exempt({ tool: 'nothing' });
        show(before);
        const saved = JSON.parse(JSON.stringify(healthy.snapshot())) as Json;
        const { watch } = resumed(poisoned(saved, poison));
        findingsOf(watch, after);
        JSON.stringify(watch.snapshot());
        watch.forget();
        const [shout] = observe(watch, { type: 'text', text: '!' });
        if (!watch.exemptions.some((one) => 'kind' in one)) expect(shout).toMatchObject({ evidence: { marks: 1 } });
      }),
      { numRuns: 200 },
    );
  });

  const healthy = () => {
    const { watch, show } = watched(detectors());
    show([...readOften(3).events, { type: 'text', text: 'Oh!' }]);
    return JSON.parse(JSON.stringify(watch.snapshot())) as { exemptions: Json; lanes: Record<string, Json>[] };
  };

  test.each<[string, (snapshot: ReturnType<typeof healthy>) => void]>([
    ['exemptions', (snapshot) => Object.assign(snapshot, { exemptions: [{ tool: 7 }] })],
    ['exemptions', (snapshot) => Object.assign(snapshot, { exemptions: null })],
    ['lane', ({ lanes }) => lanes.push({ lane: 7 })],
    ['tally', ({ lanes }) => Object.assign(lanes[0]!, { tally: { calls: 'many' } })],
    ['episodes', ({ lanes }) => Object.assign(lanes[0]!, { episodes: [{}] })],
    ['calls under way', ({ lanes }) => Object.assign(lanes[0]!, { steps: 'none' })],
    ['state of shouting', ({ lanes }) => Object.assign(lanes[0]!.detectors!, { shouting: { marks: null } })],
  ])('broken %s are reported, and the rest is kept', (part, damage) => {
    const snapshot = healthy();
    damage(snapshot);
    const { watch, faults } = resumed(snapshot);
    expect(faults).toMatchObject([
      { where: 'snapshot', message: expect.stringContaining(`the saved ${part} could not be read`) },
    ]);
    expect(watch.seq).toBe(7);
    const [, found] = read('a').map((event) => observe(watch, event));
    expect(found).toMatchObject([{ status: 'looping', evidence: { times: 4 } }]);
  });

  test('a detector that is new since the snapshot starts afresh without a fault, and one that is gone is no fault', () => {
    const { watch: old, show } = watched([sameAnswer(), sameAnswer('gone')]);
    show(readOften(2).events);
    const { watch, faults } = resumed(old.snapshot());
    expect(findingsOf(watch, [...read('a'), { type: 'text', text: '!' }])).toMatchObject([
      { status: 'clear' },
      { findings: [{ detector: 'same-answer', evidence: { times: 3 } }] },
      { findings: [{ detector: 'shouting', evidence: { marks: 1 } }] },
    ]);
    expect(faults).toEqual([]);
  });
});

function fail(message: string): never {
  throw new Error(message);
}

/** Spoils everything in a value that can be spoilt. */
function scramble(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    scramble(inner);
    (value as Record<string, unknown>)[key] = 'scrambled';
  }
}
