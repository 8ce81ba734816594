import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Finding } from './finding.js';
import { type Decision, interactive, ladder, shadow, type Trip, unattended } from './policy.js';

const finding = (tools: readonly string[]): Finding => ({
  detector: 'some-detector',
  kind: 'cycle',
  status: 'looping',
  seq: 9,
  onset: 3,
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

test('shadow never does anything but allow', () => {
  fc.assert(fc.property(trips, (one) => shadow(one).type === 'allow'));
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
  expect(ladder()(trip(1))).toEqual({ type: 'steer', message: 'It loops. Stop.' });
  expect(ladder()(trip(2, { refusable: true }))).toEqual({ type: 'block', message: 'It loops. Stop.' });
  expect(ladder()(trip(3))).toEqual({ type: 'stop', reason: 'It loops.' });
  expect(ladder({ last: 'ask' })(trip(3))).toMatchObject({ type: 'ask', question: { message: 'It loops.' } });
});

test('a person is asked with the findings, and can exempt a tool only where one takes part', () => {
  const choicesOf = (decision: Decision) => (decision.type === 'ask' ? decision.question.choices : []);
  const ask = ladder({ steers: 0, last: 'ask' });
  expect(ask(trip(1))).toMatchObject({ question: { findings: [{ tools: ['read_file'] }] } });
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
  expect(() => ladder({ last: 'shout' as 'ask' })).toThrow(/ladder: last must be ask or stop, got "shout"/);
});
