import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginCall, type CallsUnderWay, endCall, keepKey, keyOf, loadKeys, markStale } from './calls-under-way.js';
import type { AgentEvent } from './event.js';
import { createGuard } from './guard.js';
import { balanced } from './presets/index.js';

const most = 64;
const keys = fc.constantFrom('a', 'b', 'c', 'd');
const moves = fc.oneof(
  fc.record({ type: fc.constant('begin' as const), key: keys }),
  fc.record({ type: fc.constant('end' as const), key: keys }),
  fc.constant({ type: 'steer' as const, key: '' }),
);

test('a result is stale where the last steer came after its call and before it, and only once', () => {
  fc.assert(
    fc.property(fc.array(moves, { maxLength: 30 }), (drawn) => {
      const calls: CallsUnderWay = { outstanding: new Set(), stale: new Set(), refused: new Set() };
      drawn.forEach(({ type, key }, place) => {
        if (type === 'begin') beginCall(calls, key);
        else if (type === 'steer') markStale(calls);
        else {
          const since = drawn.slice(0, place);
          const ended = since.findLastIndex((move) => move.type === 'end' && move.key === key);
          const began = since.findLastIndex((move) => move.type === 'begin' && move.key === key);
          const isStale = began > ended && since.slice(began).some((move) => move.type === 'steer');
          expect(endCall(calls, key)).toBe(isStale);
          expect(calls.outstanding.has(key)).toBe(false);
        }
      });
    }),
  );
});

test('a call that is carried out is not the one that was refused under its id', () => {
  const calls: CallsUnderWay = { outstanding: new Set(), stale: new Set(), refused: new Set(['a', 'b']) };
  beginCall(calls, 'a');
  expect([...calls.refused]).toEqual(['b']);
});

test('of many keys the latest are kept, also of those in a snapshot', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3 * most }), (count) => {
      const all = Array.from({ length: count }, (_, k) => `${k}`);
      const kept = new Set<string>();
      for (const key of all) keepKey(kept, key);
      expect([...kept]).toEqual(all.slice(-most));
      expect([...loadKeys([7, ...all, null])]).toEqual(all.slice(-most));
    }),
  );
  expect([...loadKeys('abc')]).toEqual([]);
});

test('calls are told apart by id and lane, and what is no text has no key', () => {
  const key = (id: unknown, lane?: unknown) => keyOf({ type: 'tool-result', id, lane, output: '' } as never);
  expect(key('1')).toBe(key('1'));
  expect(key('1', '')).toBe(key('1'));
  expect(new Set([key('1'), key('2'), key('1', 'x'), key('2', 'x'), key('1', 'y')]).size).toBe(5);
  expect([key(7), key(undefined), key('1', 7)]).toEqual(['', '', '']);
});

test.each<AgentEvent>([
  { type: 'turn-start' },
  { type: 'text', text: 'a' },
  { type: 'reasoning', text: 'a' },
  { type: 'usage', inputTokens: 1, outputTokens: 1 },
  { type: 'turn-end' },
  { type: 'retry' },
  { type: 'compaction' },
  { type: 'steer', text: 'a' },
  { type: 'prompt', text: 'a' },
])('only its result ends a call: an event of type $type that has its id does not', (event) => {
  const guard = createGuard({ detectors: balanced() });
  const named = { id: 'call', lane: 'helper' };
  guard.observe({ type: 'tool-call', ...named, tool: 'read_file', input: {} });
  const { outstanding } = guard.snapshot();
  expect(outstanding).toHaveLength(1);
  guard.observe({ ...event, ...named });
  expect(guard.snapshot().outstanding).toEqual(outstanding);
  guard.observe({ type: 'tool-result', ...named, output: 'a' });
  expect(guard.snapshot().outstanding).toEqual([]);
});
