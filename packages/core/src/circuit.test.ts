import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Circuit, type CircuitInput, closedCircuit, loadCircuit, transition } from './circuit.js';
import type { Finding } from './finding.js';
import type { Findings, Halt } from './policy.js';

const finding: Finding = {
  detector: 'stale-rounds',
  kind: 'cycle',
  status: 'looping',
  seq: 9,
  onset: 3,
  episode: '1',
  again: 0,
  confidence: 1,
  evidence: null,
  tools: ['read_file'],
  calls: [1],
  waste: { calls: 3, characters: 0, tokens: 0 },
};

const stop: Halt = { type: 'stop', reason: 'It loops.', findings: [finding] };

const inputs = fc.constantFrom<CircuitInput>(
  { type: 'steered', because: [finding] },
  { type: 'broken', decision: stop },
  { type: 'clean' },
  { type: 'released' },
  { type: 'prompt' },
);
const because = fc.constant<Findings>([finding]);
const circuits: fc.Arbitrary<Circuit> = fc.oneof(
  fc.record({ state: fc.constant('closed' as const), trips: fc.nat() }),
  fc.record({ state: fc.constant('probation' as const), trips: fc.nat(), clean: fc.nat(20), because }),
  fc.record({ state: fc.constant('open' as const), trips: fc.nat(), decision: fc.constant(stop) }),
);

test('from every state every input leads to a state, without changing the one before', () => {
  fc.assert(
    fc.property(circuits, inputs, fc.integer({ min: 1, max: 20 }), (circuit, input, recovery) => {
      const before = JSON.stringify(circuit);
      const next = transition(Object.freeze(circuit), Object.freeze(input), recovery);
      expect(['closed', 'probation', 'open']).toContain(next.state);
      expect(transition(circuit, input, recovery)).toEqual(next);
      expect(JSON.stringify(circuit)).toBe(before);
      expect(JSON.parse(JSON.stringify(next))).toEqual(next);
    }),
  );
});

test('trips are counted up by what was done about a loop, and back to zero only by a new request', () => {
  fc.assert(
    fc.property(circuits, inputs, (circuit, input) => {
      const { trips } = transition(circuit, input);
      const tripped = input.type === 'steered' || input.type === 'broken';
      expect(trips).toBe(input.type === 'prompt' ? 0 : circuit.trips + (tripped ? 1 : 0));
    }),
  );
});

test('an open circuit stays open until a person or a new request closes it', () => {
  fc.assert(
    fc.property(fc.array(inputs, { maxLength: 30 }), (drawn) => {
      let circuit = transition(closedCircuit, { type: 'broken', decision: stop });
      for (const input of drawn.filter(({ type }) => type === 'clean' || type === 'broken'))
        circuit = transition(circuit, input);
      expect(circuit).toMatchObject({ state: 'open', decision: stop });
      expect(transition(circuit, { type: 'released' }).state).toBe('closed');
      expect(transition(circuit, { type: 'prompt' })).toEqual(closedCircuit);
    }),
  );
});

test('probation ends after so many clean calls in a row, and a steer in between starts the count again', () => {
  const clean = (circuit: Circuit, times: number, recovery: number) =>
    Array.from({ length: times }).reduce<Circuit>((state) => transition(state, { type: 'clean' }, recovery), circuit);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), (recovery) => {
      const steered = transition(closedCircuit, { type: 'steered', because: [finding] }, recovery);
      expect(clean(steered, recovery - 1, recovery)).toMatchObject({ state: 'probation', clean: recovery - 1 });
      expect(clean(steered, recovery, recovery)).toEqual({ state: 'closed', trips: 1 });
      const again = transition(
        clean(steered, recovery - 1, recovery),
        { type: 'steered', because: [finding] },
        recovery,
      );
      expect(again).toMatchObject({ state: 'probation', trips: 2, clean: 0 });
    }),
  );
});

test('nothing clean changes a circuit that is closed', () => {
  expect(transition(closedCircuit, { type: 'clean' })).toBe(closedCircuit);
});

test('every circuit goes through JSON unchanged', () => {
  fc.assert(
    fc.property(circuits, (circuit) => {
      expect(loadCircuit(JSON.parse(JSON.stringify(circuit)))).toEqual(circuit);
    }),
  );
});

test.each([
  [{ state: 'closed', trips: -1 }, /circuit\.trips must be a non-negative integer, got -1/],
  [{ state: 'ajar', trips: 1 }, /circuit\.state must be closed or probation or open, got "ajar"/],
  [{ state: 'open', trips: 1, because: [finding] }, /circuit\.decision must be of type object, got undefined/],
  [
    { state: 'open', trips: 1, decision: { type: 'escalate', findings: [finding] } },
    /circuit\.decision must be a decision to ask or to stop/,
  ],
  [
    { state: 'probation', trips: 1, clean: 0, because: [{ ...finding, kind: 'boredom' }] },
    /circuit\.because\[0\]\.kind must be .* or cycle or .*, got "boredom"/,
  ],
  [{ state: 'probation', trips: 1, clean: 0, because: [] }, /circuit\.because must be a list of findings/],
])('%j is refused, and the error says what was expected', (saved, message) => {
  expect(() => loadCircuit(saved)).toThrow(message);
});
