import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Finding } from './finding.js';
import { interactive, policies, policyNames, shadow, unattended } from './policies.js';
import { type Act, type Decision, decisionLike, isHalt, ladder, shadowOf, type Trip } from './policy.js';

const isDecision = (value: unknown) => decisionLike(value, 'it') === undefined;

const finding = (tools: readonly string[]): Finding => ({
  detector: 'some-detector',
  kind: 'cycle',
  status: 'looping',
  seq: 9,
  onset: 3,
  episode: '1',
  again: 0,
  confidence: 1,
  evidence: null,
  tools,
  calls: [],
  waste: { calls: 3, characters: 0, tokens: 0 },
});

function trip(trips: number, more: Partial<Trip> = {}): Trip {
  const findings = [finding(['read_file'])] as const;
  return { trips, findings, explanation: 'It loops.', advice: 'It loops. Stop.', refusable: false, ...more };
}

const trips = fc
  .record({ count: fc.integer({ min: 1, max: 1000 }), refusable: fc.boolean(), inText: fc.boolean() })
  .map((drawn) =>
    trip(drawn.count, { refusable: drawn.refusable, findings: [finding(drawn.inText ? [] : ['read_file'])] }),
  );

const ladders = fc
  .record({
    steers: fc.nat(3),
    rewinds: fc.nat(3),
    escalations: fc.nat(3),
    last: fc.constantFrom('ask' as const, 'stop' as const),
  })
  .map(ladder);

test('shadow never does anything but allow, and says what the policy under it would have done', () => {
  fc.assert(
    fc.property(trips, ladders, (one, policy) => {
      expect(shadowOf(policy)(one)).toEqual({ type: 'allow', would: policy(one) });
      expect(shadow(one)).toEqual({ type: 'allow', would: interactive(one) });
      expect(shadowOf(shadowOf(policy))(one)).toEqual(shadowOf(policy)(one));
    }),
  );
});

test('every decision but allow carries the findings it came from, and is known as a decision through JSON', () => {
  fc.assert(
    fc.property(trips, ladders, (one, policy) => {
      const decision = policy(one) as Act;
      expect(decision.findings).toEqual(one.findings);
      for (const each of [decision, shadowOf(policy)(one)])
        expect(isDecision(JSON.parse(JSON.stringify(each)))).toBe(true);
      expect(isDecision({ ...decision, findings: [] })).toBe(false);
      expect(isDecision({ ...decision, findings: [{ ...one.findings[0], episode: undefined }] })).toBe(false);
      expect(isDecision({ type: 'allow', would: { ...decision, findings: undefined } })).toBe(false);
      expect(isHalt(decision)).toBe(decision.type === 'ask' || decision.type === 'stop');
    }),
  );
});

test('a ladder with all its rungs tells, rewinds to where the loop began, escalates, and halts', () => {
  const policy = ladder({ steers: 1, rewinds: 1, escalations: 2, last: 'ask' });
  const early = { ...finding(['read_file']), onset: 1 };
  const elsewhere = { ...early, onset: 0, lane: 'helper' };
  const findings = [finding(['read_file']), early, elsewhere] as const;
  const decisions = [1, 2, 3, 4, 5].map((count) => policy(trip(count, { findings })));
  expect(decisions.map(({ type }) => type)).toEqual(['steer', 'rewind', 'escalate', 'escalate', 'ask']);
  expect(decisions[1]).toMatchObject({ from: 1, note: expect.stringContaining('It loops. Stop.') });
});

test('the recovery rungs are off unless they are chosen, in every policy that has a name', () => {
  const types = (name: (typeof policyNames)[number], recovery?: { rewinds: number; escalations: number }) =>
    [1, 2, 3, 4, 5].map((count) => {
      const decision = policies[name].make(recovery)(trip(count));
      return decision.type === 'allow' ? (decision.would?.type ?? 'allow') : decision.type;
    });
  for (const name of policyNames) {
    expect(types(name)).not.toContain('rewind');
    expect(types(name)).not.toContain('escalate');
    expect(types(name, { rewinds: 1, escalations: 1 })).toEqual(expect.arrayContaining(['rewind', 'escalate']));
  }
});

test('a ladder tells the model so many times, refusing the call where it can, and then takes its last step', () => {
  fc.assert(
    fc.property(trips, fc.nat(6), fc.constantFrom('ask' as const, 'stop' as const), (one, steers, last) => {
      const { type } = ladder({ steers, last })(one);
      expect(type).toBe(one.trips > steers ? last : one.refusable ? 'block' : 'steer');
    }),
  );
});

test('the model gets the advice, the person and the log get the explanation', () => {
  const { findings } = trip(1);
  expect(ladder()(trip(1))).toEqual({ type: 'steer', message: 'It loops. Stop.', findings });
  expect(ladder()(trip(2, { refusable: true }))).toEqual({
    ...{ type: 'block', message: 'It loops. Stop.', findings },
  });
  expect(ladder()(trip(3))).toEqual({ type: 'stop', reason: 'It loops.', findings });
  expect(ladder({ last: 'ask' })(trip(3))).toMatchObject({ type: 'ask', question: { message: 'It loops.' } });
});

test('a person is asked with the findings, and can exempt a tool only where one takes part', () => {
  const choicesOf = (decision: Decision) => (decision.type === 'ask' ? decision.question.choices : []);
  const ask = ladder({ steers: 0, last: 'ask' });
  expect(ask(trip(1))).toMatchObject({ findings: [{ tools: ['read_file'] }] });
  expect(choicesOf(ask(trip(1)))).toEqual(['stop', 'continue', 'hint', 'exempt', 'disable']);
  expect(choicesOf(ask(trip(1, { findings: [finding([])] })))).toEqual(['stop', 'continue', 'hint', 'disable']);
});

test('with a person at hand the second trip is theirs; without one the third ends the run', () => {
  const types = (policy: typeof shadow) => [1, 2, 3].map((count) => policy(trip(count)).type);
  expect(types(interactive)).toEqual(['steer', 'ask', 'ask']);
  expect(types(unattended)).toEqual(['steer', 'steer', 'stop']);
});

test('a ladder that is made wrongly is refused, and the error quotes what is wrong', () => {
  expect(() => ladder({ steers: -1 })).toThrow(/ladder: steers must be an integer of at least 0, got -1/);
  expect(() => ladder({ rewinds: 0.5 })).toThrow(/ladder: rewinds must be an integer of at least 0, got 0.5/);
  expect(() => ladder({ escalations: -1 })).toThrow(/ladder: escalations must be an integer of at least 0, got -1/);
  expect(() => ladder({ last: 'shout' as 'ask' })).toThrow(/ladder: last must be ask or stop, got "shout"/);
});
