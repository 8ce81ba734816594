import fc from 'fast-check';
import type { AgentEvent, Finding } from 'loopfuse';
import { describe, expect, test } from 'vitest';
import { ancestorSchedule } from './ancestor-schedule.js';
import { evidenceSchedule } from './evidence-schedule.js';
import { loadScheduleState, type Schedule, type ScheduleState, scheduleOf } from './schedule.js';

type Happening = { readonly event: AgentEvent; readonly findings: readonly Finding[] };
type Answers = readonly (number | 'none')[];

const turn: AgentEvent = { type: 'turn-start' };
const finding = (status: Finding['status'], kind: Finding['kind'] = 'stall'): Finding => ({
  detector: 'any',
  kind,
  status,
  seq: 1,
  onset: 0,
  episode: '1',
  again: 0,
  confidence: 0.5,
  evidence: null,
  tools: [],
  calls: [],
  waste: { calls: 0, characters: 0, tokens: 0 },
});
const result = (...findings: Finding[]): Happening => ({
  event: { type: 'tool-result', id: '1', output: '' },
  findings,
});

/** The turns, counted over the whole session, before which the judge is asked; he answers at once. */
function askedAt(schedule: Schedule, happenings: readonly Happening[], answers: Answers, from = schedule.start()) {
  let state: ScheduleState = from;
  let turns = 0;
  const asked: number[] = [];
  for (const { event, findings } of happenings) {
    state = schedule.next(state, event, findings);
    if (event.type !== 'turn-start') continue;
    turns++;
    if (!schedule.isDue(state)) continue;
    const answer = answers[asked.length] ?? 'none';
    asked.push(turns);
    if (answer !== 'none') state = schedule.next(state, opinion(answer), []);
  }
  return asked;
}

function opinion(confidence: number): AgentEvent {
  return { type: 'opinion', by: 'judge', confidence, analysis: '' };
}

/** Turns in each of which something is suspected, or not. */
function turns(count: number, suspects = false): Happening[] {
  return Array.from({ length: count }, () => [
    { event: turn, findings: [] },
    result(...(suspects ? [finding('suspect')] : [])),
  ]).flat();
}

const happenings = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant<Happening>({ event: turn, findings: [] }) },
    { weight: 3, arbitrary: fc.constant(result(finding('suspect'))) },
    { weight: 1, arbitrary: fc.constant(result(finding('looping'))) },
    { weight: 1, arbitrary: fc.constant(result(finding('suspect', 'judged'))) },
    { weight: 2, arbitrary: fc.constant(result()) },
  ),
  { maxLength: 400 },
);
const confidences = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant('none' as const));
const answerLists = fc.array(confidences, { maxLength: 60 });

describe.each<[string, Schedule]>([
  ['evidence', evidenceSchedule()],
  ['ancestors', ancestorSchedule],
])('the %s schedule', (_name, schedule) => {
  test('never asks within three turns of the last question', () => {
    fc.assert(
      fc.property(happenings, answerLists, (session, answers) => {
        const asked = askedAt(schedule, session, answers);
        for (const [k, now] of asked.slice(1).entries()) expect(now - asked[k]!).toBeGreaterThanOrEqual(3);
      }),
    );
  });

  test('goes on from its state, through JSON, at any event as if nothing had been', () => {
    fc.assert(
      fc.property(happenings, fc.nat(), (session, at) => {
        const cut = session.length === 0 ? 0 : at % session.length;
        const run = (state: ScheduleState, part: readonly Happening[]) =>
          part.reduce((before, { event, findings }) => schedule.next(before, event, findings), state);
        const saved = JSON.parse(JSON.stringify(run(schedule.start(), session.slice(0, cut))));
        const resumed = loadScheduleState(schedule, saved);
        expect(askedAt(schedule, session.slice(cut), [], resumed)).toEqual(
          askedAt(schedule, session.slice(cut), [], run(schedule.start(), session.slice(0, cut))),
        );
        expect(run(resumed, session.slice(cut))).toEqual(run(schedule.start(), session));
      }),
    );
  });

  test('starts from scratch at a prompt', () => {
    fc.assert(
      fc.property(happenings, (session) => {
        const prompt: Happening = { event: { type: 'prompt' }, findings: [] };
        const last = [...session, prompt].reduce(
          (state, { event, findings }) => schedule.next(state, event, findings),
          schedule.start(),
        );
        expect(last).toEqual(schedule.start());
      }),
    );
  });

  test('applies an answer once, however often it is shown', () => {
    fc.assert(
      fc.property(happenings, fc.double({ min: 0, max: 1, noNaN: true }), (session, confidence) => {
        let state = schedule.start();
        for (const { event, findings } of session) state = schedule.next(state, event, findings);
        const applied = schedule.next(state, opinion(confidence), []);
        expect(schedule.next(applied, opinion(confidence), [])).toEqual(applied);
      }),
    );
  });

  test('is not shaken by answers that are none', () => {
    for (const confidence of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const asked = schedule.next(schedule.start(), turn, [finding('suspect')]);
      expect(schedule.next(asked, opinion(confidence), [])).toEqual(asked);
    }
  });

  test('refuses a state that is not its own', () => {
    expect(() => loadScheduleState(schedule, { turn: 'two' })).toThrow(TypeError);
    expect(() => loadScheduleState(schedule, undefined)).toThrow(TypeError);
  });
});

describe('a prompt that makes something suspect', () => {
  const suspected: Happening = { event: { type: 'prompt' }, findings: [finding('suspect')] };

  test('is a reason to ask before the next turn', () => {
    expect(askedAt(evidenceSchedule(), [...turns(1), suspected, ...turns(1)], [])).toEqual([2]);
    expect(askedAt(ancestorSchedule, [...turns(1), suspected, ...turns(1)], [])).toEqual([]);
  });

  test('is no new beginning: who saw no loop is asked the less often', () => {
    const talk = Array.from({ length: 60 }, () => [...turns(1), suspected]).flat();
    expect(askedAt(evidenceSchedule(), talk, Array(9).fill(0))).toEqual([2, 17, 47]);
  });

  test('is one where only a judge was sure', () => {
    const judged: Happening = { event: { type: 'prompt' }, findings: [finding('looping', 'judged')] };
    const state = evidenceSchedule().next({ ...evidenceSchedule().start(), turn: 9 }, judged.event, judged.findings);
    expect(state).toEqual(evidenceSchedule().start());
  });
});

describe('the ancestors', () => {
  test('ask before turn 30 for the first time, and every three turns where no answer comes', () => {
    expect(askedAt(ancestorSchedule, turns(40), [])).toEqual([30, 33, 36, 39]);
    expect(askedAt(ancestorSchedule, turns(40, true), [])).toEqual([30, 33, 36, 39]);
  });

  test('ask again the sooner the surer the answer was: in round(5 + 10 (1 - c)) turns', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.9, noNaN: true }), (confidence) => {
        const [first, second] = askedAt(ancestorSchedule, turns(60), [confidence]);
        expect([first, second! - first!]).toEqual([30, Math.round(5 + 10 * (1 - confidence))]);
      }),
    );
  });
});

describe('by evidence', () => {
  const schedule = evidenceSchedule();

  test('asks before the turn after a suspicion, however early', () => {
    const session = [...turns(2), result(finding('suspect')), ...turns(3)];
    expect(askedAt(schedule, session, [])).toEqual([3]);
  });

  test('asks at a suspicion that comes with the turn itself', () => {
    expect(askedAt(schedule, [...turns(5), { event: turn, findings: [finding('suspect')] }], [])).toEqual([6]);
  });

  test('hardly ever asks while nothing is suspected', () => {
    expect(askedAt(schedule, turns(400), [0.1, 0.1, 0.1])).toEqual([60, 180]);
  });

  test('does not ask about what the engine is sure of', () => {
    const sure = result(finding('looping'), finding('suspect'));
    const session = Array.from({ length: 50 }, () => [{ event: turn, findings: [finding('suspect')] }, sure]).flat();
    expect(askedAt(schedule, session, [])).toEqual([1]);
  });

  test('does not take the word of a judge for a reason to ask one', () => {
    const session = Array.from({ length: 30 }, () => [
      { event: turn, findings: [] },
      result(finding('suspect', 'judged')),
    ]).flat();
    expect(askedAt(schedule, session, [])).toEqual([]);
  });

  test('forgets a suspicion that is not renewed', () => {
    const first = [result(finding('suspect')), ...turns(1)];
    expect(askedAt(schedule, [...turns(1), ...first, result(finding('suspect')), ...turns(20)], [0.1])).toEqual([2]);
  });

  test('asks again soon after doubt, later after calm, and twice as late with each calm answer in a row', () => {
    const gaps = (answers: Answers) => {
      const asked = askedAt(schedule, turns(200, true), answers);
      return asked.slice(1, 4).map((now, k) => now - asked[k]!);
    };
    expect(gaps([0.9, 0.9, 0.9])).toEqual([4, 4, 4]);
    expect(gaps([0, 0, 0])).toEqual([15, 30, 60]);
    expect(gaps([0, 0.6, 0])).toEqual([15, 8, 15]);
  });

  test('asks the sooner the surer the last answer was', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
        const next = (confidence: number) => askedAt(schedule, turns(100, true), [confidence])[1]!;
        expect(next(Math.max(a, b))).toBeLessThanOrEqual(next(Math.min(a, b)));
      }),
    );
  });

  test('quotes an option that cannot be', () => {
    expect(() => evidenceSchedule({ shortest: 0 })).toThrow('shortest must be an integer of at least 1, got 0');
    expect(() => evidenceSchedule({ shortest: 5, longest: 4 })).toThrow('longest must be an integer of at least 5');
    expect(() => evidenceSchedule({ unasked: 2.5 })).toThrow('got 2.5');
  });
});

test('a schedule is chosen by name, or is one of your own', () => {
  const own: Schedule = { start: () => ({}), next: (state) => state, isDue: () => true };
  expect(scheduleOf(own)).toBe(own);
  expect(scheduleOf('ancestors')).toBe(ancestorSchedule);
  expect(() => scheduleOf('often' as 'evidence')).toThrow('got "often"');
});
