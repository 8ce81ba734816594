import type { TraceEvent } from '@loopfuse/agent';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { telemetry } from './telemetry.js';
import { recorder } from './testing/recorder.js';

const marker = 'walrus-onyx-31';
const words = fc.string({ maxLength: 12 }).map((text) => `${text}${marker}`);
const count = fc.nat(1000);
const id = fc.constantFrom('a', 'b', 'c');
const tool = fc.constantFrom('read_file', 'ls');

const usage = fc.record({ inputTokens: count, outputTokens: count, cachedTokens: count, reasoningTokens: count });
const finding = fc.record({
  detector: fc.constantFrom('stale-rounds', 'chanting'),
  kind: fc.constantFrom('cycle' as const, 'chanting' as const),
  status: fc.constant('looping' as const),
  seq: count,
  onset: count,
  episode: fc.constant('1'),
  again: count,
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  evidence: words,
  tools: fc.array(fc.oneof(tool, words), { maxLength: 3 }),
  calls: fc.array(count, { maxLength: 3 }),
  waste: fc.record({ calls: count, characters: count, tokens: count }),
});
const report = fc
  .tuple(fc.array(finding, { minLength: 1, maxLength: 2 }), words, fc.constantFrom('steer' as const, 'block' as const))
  .map(([findings, text, type]) => ({
    kind: 'cycle' as const,
    title: text,
    explanation: text,
    findings,
    evidence: text,
    waste: { calls: 1, characters: 2, tokens: 3 },
    decision: { type, message: text, findings },
    choices: [],
    resumes: true,
    dropped: [],
  }));
const spending = fc.record(
  { calls: count, inputTokens: count, outputTokens: count, cost: fc.float({ min: 0, max: 9, noNaN: true }) },
  { requiredKeys: ['calls', 'inputTokens', 'outputTokens'] },
);
const opinion = fc.record({
  type: fc.constant('opinion' as const),
  by: fc.constant('second-model'),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  analysis: words,
});
const ids = { promptId: id };
const purpose = fc.constantFrom('turn' as const, 'compression' as const);
const of = <Type extends TraceEvent['type'], Rest extends object>(
  type: Type,
  rest: { [K in keyof Rest]: fc.Arbitrary<Rest[K]> },
  optional: readonly (keyof Rest)[] = [],
) =>
  fc.record({ type: fc.constant(type), ...rest } as never, {
    requiredKeys: ['type', ...Object.keys(rest).filter((key) => !optional.includes(key as keyof Rest))] as never,
  }) as unknown as fc.Arbitrary<TraceEvent>;

/** Events in any order, with or without their starts and ends. */
const anything: fc.Arbitrary<TraceEvent> = fc.oneof(
  of('prompt-start', { ...ids, sessionId: id }),
  of('prompt-end', { ...ids, outcome: fc.constantFrom('finished', 'error', 'left', 'loop-detected') }),
  of('turn-start', { turn: count }),
  of('turn-end', { turn: count }),
  of('model-start', { purpose, provider: fc.constant('openai.chat'), model: fc.constant('m') }),
  of('model-end', { purpose, usage, reason: fc.constant('stop'), error: words }, ['usage', 'reason', 'error']),
  of('tool-start', { id, tool }),
  of('tool-end', { id, tool, status: fc.constantFrom('ok', 'failed', 'cancelled') }),
  of('judge-start', {}),
  of('judge-end', { opinion, spending }, ['opinion', 'spending']),
  of('history-compressed', {}),
  of('loop-steered', { ...ids, report }),
  of('loop-detected', { ...ids, report }),
  of('detection-disabled', ids),
);
const streams = fc.array(anything, { maxLength: 40 });
const last: TraceEvent = { type: 'prompt-end', promptId: 'a', outcome: 'finished' };
const clear: readonly TraceEvent[] = [
  { type: 'turn-end', turn: 0 },
  { type: 'model-end', purpose: 'turn' },
  ...['a', 'b', 'c'].map((id) => ({ type: 'tool-end', id, tool: 'ls', status: 'ok' }) as const),
];

test('events in any order never throw, and the end of a request ends every span in it', () => {
  fc.assert(
    fc.property(streams, streams, (before, within) => {
      const record = recorder();
      const receive = telemetry(record);
      for (const event of [...before, ...clear, last]) receive(event);
      expect(record.open()).toBe(0);
      receive({ type: 'prompt-start', promptId: 'a', sessionId: 's' });
      for (const event of within) if (!event.type.startsWith('prompt')) receive(event);
      receive(last);
      expect(record.open()).toBe(0);
    }),
    { numRuns: 60 },
  );
});

test('no written text is in any name, attribute, event, status or metric', async () => {
  await fc.assert(
    fc.asyncProperty(streams, async (events) => {
      const record = recorder();
      const receive = telemetry(record);
      for (const event of [...events, ...clear, last]) receive(event);
      expect(await record.everything()).not.toContain(marker);
    }),
    { numRuns: 60 },
  );
});

test('a start takes the place of what did not end', () => {
  const record = recorder();
  const receive = telemetry(record);
  for (const sessionId of ['one', 'two']) {
    receive({ type: 'prompt-start', promptId: 'p', sessionId });
    receive({ type: 'turn-start', turn: 1 });
    receive({ type: 'tool-start', id: 'a', tool: 'ls' });
  }
  expect(record.spans().map(({ name, attributes }) => [name, attributes['loopfuse.unfinished']])).toEqual([
    ['execute_tool ls', true],
    ['loopfuse.turn', true],
    ['invoke_agent loopfuse', true],
  ]);
  receive(last);
  expect(record.open()).toBe(0);
  receive({ type: 'tool-end', id: 'a', tool: 'ls', status: 'ok' }); // too late
  expect(record.spans().length).toBe(6);
});
