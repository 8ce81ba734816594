import type { AgentEvent } from 'loopfuse';
import { expect, test } from 'vitest';
import { createBatch } from './event-batch.js';

const turn: AgentEvent = { type: 'turn-start' };

test('every event arrives once, in its order', () => {
  const events = Array.from({ length: 2000 }, (_, at): AgentEvent => ({ type: 'turn-start', at }));
  const seen: AgentEvent[] = [];
  const batch = createBatch((event) => seen.push(event));
  for (const event of events) batch.add(event);
  batch.flush();
  batch.flush();
  expect(seen).toEqual(events);
});

test('neither many events nor long ones are kept back', () => {
  let kept = 0;
  const batch = createBatch(() => kept--);
  const add = (event: AgentEvent): number => {
    kept++;
    batch.add(event);
    return kept;
  };
  for (let k = 0; k < 2000; k++) expect(add(turn)).toBeLessThan(512);
  batch.flush();
  const long = 'x'.repeat(600_000);
  add({ type: 'text', text: long });
  expect(add({ type: 'tool-result', id: '1', output: long })).toBe(0);
});

test('what is no event is passed on like any other', () => {
  const seen: unknown[] = [];
  const batch = createBatch((event) => seen.push(event));
  const strange = [{ type: 'text', text: null }, { type: 'text', text: 7 }, { type: 'tool-result' }, {}];
  for (const event of strange) batch.add(event as unknown as AgentEvent);
  batch.flush();
  expect(seen).toEqual(strange);
});
