import fc from 'fast-check';
import type { AgentEvent } from 'loopfuse';
import { expect, test } from 'vitest';
import { beginAlike, createContentPrint } from './content-print.js';

function printOf(events: readonly AgentEvent[]): readonly number[] {
  const print = createContentPrint();
  for (const event of events) print.observe(event);
  return print.marks;
}

const event: fc.Arbitrary<AgentEvent> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string(), at: fc.nat() }),
  fc.record({
    type: fc.constant('tool-call' as const),
    id: fc.string(),
    tool: fc.string(),
    input: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<never>,
  }),
);
const events = fc.array(event, { minLength: 1, maxLength: 40 });

test('whatever a session goes on to do, it begins like itself', () => {
  fc.assert(
    fc.property(events, events, (before, after) => {
      expect(beginAlike(printOf(before), printOf([...before, ...after]))).toBe(true);
    }),
  );
});

test('sessions that differ in their first event do not begin alike', () => {
  fc.assert(
    fc.property(events, (rest) => {
      const first: AgentEvent = { type: 'prompt', text: 'Mend the build.' };
      const other: AgentEvent = { type: 'prompt', text: 'Mend the tests.' };
      expect(beginAlike(printOf([first, ...rest]), printOf([other, ...rest]))).toBe(false);
    }),
  );
});

test('times, tools, ids, and what is in the input or the output distinguish sessions', () => {
  const call = { type: 'tool-call', id: 'a', tool: 'read', input: { path: 'a.ts' }, at: 1_790_000_000_000 } as const;
  const others: AgentEvent[] = [
    { ...call, id: 'b' },
    { ...call, tool: 'write' },
    { ...call, input: { path: 'b.ts' } },
    { ...call, at: call.at + 1 },
    { type: 'tool-result', id: 'a', output: 'a.ts' },
  ];
  for (const other of others) expect(beginAlike(printOf([call]), printOf([other]))).toBe(false);
});
