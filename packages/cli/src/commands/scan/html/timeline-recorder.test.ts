import type { Timeline } from '@loopfuse/dashboard';
import fc from 'fast-check';
import type { AgentEvent } from 'loopfuse';
import { expect, test } from 'vitest';
import { createMask } from '../../../recorded/mask.js';
import { createExcerpts } from './excerpts.js';
import type { Plan } from './plan.js';
import { createTimelineRecorder } from './timeline-recorder.js';

const all: Plan = [{ from: 0, to: 1_000_000 }];

function recorded(events: readonly AgentEvent[], plan = all): Timeline {
  const hasCalls = events.some(({ type }) => type === 'tool-call');
  const recorder = createTimelineRecorder({ plan, excerpts: createExcerpts(createMask()), hasCalls });
  for (const event of events) recorder.observe(event);
  return recorder.end();
}

function call(id: string, path: string, output?: string): AgentEvent[] {
  const called: AgentEvent = { type: 'tool-call', id, tool: 'read', input: { path } };
  return output === undefined ? [called] : [called, { type: 'tool-result', id, output }];
}

const event: fc.Arbitrary<AgentEvent> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string() }),
  fc.record({ type: fc.constant('reasoning' as const), text: fc.string(), lane: fc.constantFrom('sub') }),
  fc.record({
    type: fc.constant('tool-call' as const),
    id: fc.constantFrom('a', 'b', ''),
    tool: fc.constantFrom('read', 'bash'),
    input: fc.jsonValue() as fc.Arbitrary<never>,
  }),
  fc.record({
    type: fc.constant('tool-result' as const),
    id: fc.constantFrom('a', 'b', 'c'),
    output: fc.jsonValue() as fc.Arbitrary<never>,
  }),
  fc.constantFrom<AgentEvent>({ type: 'prompt', text: 'go' }, { type: 'turn-start' }, { type: 'retry' }),
  fc.record({ type: fc.constant('usage' as const), inputTokens: fc.integer(), outputTokens: fc.double() }),
  // Of a wrong shape.
  fc.record({
    type: fc.constantFrom('text', 'tool-call', 'other'),
    at: fc.string(),
  }) as unknown as fc.Arbitrary<AgentEvent>,
);

test('whatever happens, marks are in order, every sound call has one, and nothing throws', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const { items } = recorded(events);
      for (const [k, item] of items.entries()) {
        expect(item.seq).toBeGreaterThanOrEqual(items[k - 1]?.seq ?? 0);
        expect(item.last).toBeGreaterThanOrEqual(item.seq);
        expect(item.last).toBeLessThan(events.length);
        expect(item.novelty).toBeGreaterThanOrEqual(0);
        expect(item.novelty).toBeLessThanOrEqual(100);
      }
      const sound = events.filter((one) => one.type === 'tool-call' && typeof one.tool === 'string');
      expect(items.filter(({ type, tool }) => type === 'call' && tool !== undefined).length).toBe(sound.length);
    }),
  );
});

test('equal calls and equal results have equal numbers, others have others', () => {
  const { items } = recorded([
    ...call('1', 'a.ts', 'no such file a.ts here'),
    ...call('2', 'b.ts', 'export const b = 1;'),
    ...call('3', 'a.ts', 'no such file a.ts here'),
    ...call('4', 'c.ts', 'export const b = 1;'),
  ]);
  const [a, b, again, c] = items;
  expect(again!.same).toBe(a!.same);
  expect(again!.outcome).toBe(a!.outcome);
  expect(c!.outcome).toBe(b!.outcome);
  expect(new Set([a!.same, b!.same, c!.same]).size).toBe(3);
  expect(a!.outcome).not.toBe(b!.outcome);
});

test('in a loop novelty falls to nothing and progress stands still', () => {
  const honest = Array.from({ length: 10 }, (_, k) =>
    call(`h${k}`, `file-${'abcdefghij'[k]}.ts`, `content of ${'klmnopqrst'[k]}`),
  );
  const loop = Array.from({ length: 10 }, (_, k) =>
    call(`l${k}`, 'missing.ts', 'Error: ENOENT no such file missing.ts'),
  );
  const { items } = recorded([...honest.flat(), ...loop.flat()]);
  expect(items[9]!.novelty).toBe(100);
  expect(items.at(-1)!.novelty).toBe(0);
  expect(items.map(({ progress }) => progress)).toEqual([...Array(10).fill(1), ...Array(10).fill(0)]);
});

test('cuts of the stream do not matter', () => {
  const text = 'First this is said. Then that is said, and it is long enough.\n'.repeat(30);
  const whole = recorded([{ type: 'text', text }]).items;
  expect(whole.length).toBeGreaterThan(3);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 20 }), (lengths) => {
      const deltas: AgentEvent[] = [];
      let at = 0;
      for (const length of lengths) {
        deltas.push({ type: 'text', text: text.slice(at, at + length) });
        at += length;
      }
      deltas.push({ type: 'text', text: text.slice(at) });
      const cut = recorded(deltas).items;
      const shown = (items: Timeline['items']) => items.map(({ text, same, novelty }) => ({ text, same, novelty }));
      expect(shown(cut)).toEqual(shown(whole));
    }),
  );
});

test('what the plan leaves out becomes gaps that say how much is in them', () => {
  const events = Array.from({ length: 100 }, (_, k) =>
    call(`${k}`, `${k % 7}.ts`, `result ${'abcdefg'[k % 7]}`),
  ).flat();
  const { items } = recorded(events, [
    { from: 0, to: 9 },
    { from: 100, to: 109 },
  ]);
  expect(items.map(({ type }) => type)).toEqual([...Array(5).fill('call'), 'gap', ...Array(5).fill('call'), 'gap']);
  expect(items[5]).toMatchObject({ seq: 10, last: 99, calls: 45, text: '' });
  expect(items.reduce((sum, { calls }) => sum + calls, 0)).toBe(100);
});

test('a call without a result is marked so, and still known as the same call', () => {
  const { items } = recorded([...call('1', 'a.ts', 'text of a'), ...call('2', 'a.ts')]);
  expect(items[1]).toMatchObject({ status: 'unseen', same: items[0]!.same });
  expect(items[1]!.result).toBeUndefined();
});

test('tokens go to the mark that follows, results and inputs are masked', () => {
  const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789';
  const { items } = recorded([
    { type: 'prompt', text: `my key is ${key}` },
    { type: 'usage', inputTokens: 100, outputTokens: 20 },
    ...call('1', key, `denied for ${key}`),
  ]);
  expect(items[1]!.tokens).toBe(120);
  expect(JSON.stringify(items)).not.toContain(key);
  expect(items[1]).toMatchObject({ input: 'path: [secret-1]', result: 'denied for [secret-1]' });
});

test('a key in a long message is masked before that is cut', () => {
  const lines = Array.from({ length: 40 }, () => 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj');
  const text = `Here it is:\n-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n${'More words. '.repeat(90)}`;
  const { items } = recorded([{ type: 'text', text }]);
  expect(items.length).toBeGreaterThan(2);
  expect(JSON.stringify(items)).not.toContain('MIIEvQ');
});
