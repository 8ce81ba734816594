import { type ClientEvent, clientEventTypes } from '@loopfuse/agent/events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { choices, guardStates, readToHost, readToView, type ToHost, type ToView, tones } from './index.js';

const through = (value: unknown) => JSON.parse(JSON.stringify(value));
const count = fc.nat();
const usage = fc.record({ inputTokens: count, outputTokens: count, cachedTokens: count, reasoningTokens: count });

const toHost: { readonly [Type in ToHost['type']]: fc.Arbitrary<unknown> } = {
  ready: fc.constant({ type: 'ready' }),
  send: fc.record({ type: fc.constant('send'), text: fc.string({ unit: 'binary' }) }),
  attach: fc.constant({ type: 'attach' }),
  detach: fc.record({ type: fc.constant('detach'), id: count }),
  stop: fc.constant({ type: 'stop' }),
  continue: fc.constant({ type: 'continue' }),
  restore: fc.record({ type: fc.constant('restore'), id: fc.string() }),
  retry: fc.constant({ type: 'retry' }),
  'undo-edits': fc.record({ type: fc.constant('undo-edits'), id: count }),
  'answer-loop': fc.record(
    {
      type: fc.constant('answer-loop'),
      choice: fc.constantFrom(...choices),
      hint: fc.string(),
    },
    { requiredKeys: ['type', 'choice'] },
  ),
  'answer-approval': fc.record({
    type: fc.constant('answer-approval'),
    id: count,
    answer: fc.constantFrom('once', 'always', 'no'),
  }),
  'open-diff': fc.record({ type: fc.constant('open-diff'), id: count }),
  'new-chat': fc.constant({ type: 'new-chat' }),
  'list-sessions': fc.constant({ type: 'list-sessions' }),
  resume: fc.record({ type: fc.constant('resume'), id: fc.uuid() }),
  'set-approval': fc.record({ type: fc.constant('set-approval'), mode: fc.constantFrom('ask', 'auto-edit', 'yolo') }),
  'open-file': fc.record({ type: fc.constant('open-file'), path: fc.string() }),
  copy: fc.record({ type: fc.constant('copy'), text: fc.string() }),
  command: fc.record({ type: fc.constant('command'), command: fc.constantFrom('loopfuse.newChat', 'loopfuse.focus') }),
  problem: fc.record({ type: fc.constant('problem'), message: fc.string() }),
};

const facts = fc.record(
  {
    model: fc.string(),
    provider: fc.string(),
    approval: fc.constantFrom('ask', 'auto-edit', 'yolo'),
    guard: fc.constantFrom(...guardStates),
    usage,
    price: fc.record({ input: count, output: count, cached: count }),
    trusted: fc.boolean(),
    blocked: fc.string(),
    undoable: fc.array(fc.record({ id: count, call: fc.string(), files: fc.array(fc.string()) })),
  },
  { requiredKeys: ['model', 'provider', 'approval', 'guard', 'usage', 'trusted'] },
);
const halted = fc.record({
  kind: fc.string(),
  title: fc.string(),
  explanation: fc.string(),
  findings: fc.array(fc.constant({ tools: ['ls'], seq: 1 })),
  choices: fc.array(fc.constantFrom('stop', 'hint')),
  evidence: fc.constant({ times: 3 }),
});
const name = { path: fc.string(), lines: fc.tuple(count, count) };
const attached = fc.array(fc.record({ ...name, id: count, note: fc.string() }, { requiredKeys: ['path', 'id'] }));
const history = fc.array(
  fc.constantFrom(
    { role: 'user', from: 'user', text: 'Hello' },
    { role: 'assistant', parts: [{ type: 'text', text: 'Yes' }] },
    { role: 'tool', results: [] },
  ),
);

const toView: { readonly [Type in ToView['type']]: fc.Arbitrary<unknown> } = {
  conversation: fc.record(
    { type: fc.constant('conversation'), sessionId: fc.string(), history, facts, halted, cut: fc.boolean(), attached },
    { requiredKeys: ['type', 'sessionId', 'history', 'facts'] },
  ),
  started: fc.record(
    {
      type: fc.constant('started'),
      text: fc.string(),
      attached: fc.array(fc.record(name, { requiredKeys: ['path'] })),
    },
    { requiredKeys: ['type'] },
  ),
  attached: fc.record({ type: fc.constant('attached'), attached }),
  events: fc.record({
    type: fc.constant('events'),
    events: fc.array(
      fc.record({ type: fc.oneof(fc.constantFrom(...clientEventTypes), fc.string()), text: fc.string() }),
    ),
  }),
  settled: fc.constant({ type: 'settled' }),
  approval: fc.record({
    type: fc.constant('approval'),
    id: count,
    request: fc.record({
      call: fc.constant({ id: 'c', tool: 'write_file', input: { path: 'a' } }),
      title: fc.string(),
      effect: fc.constantFrom('edit', 'run'),
      display: fc.constantFrom({ type: 'text', text: 'x' }, { type: 'diff', path: 'a', patch: '' }),
      covers: fc.array(fc.string()),
    }),
  }),
  'approval-gone': fc.record({ type: fc.constant('approval-gone'), id: count }),
  'loop-answered': fc.record(
    { type: fc.constant('loop-answered'), choice: fc.constantFrom(...choices), hint: fc.string() },
    { requiredKeys: ['type', 'choice'] },
  ),
  'loop-choice-failed': fc.constant({ type: 'loop-choice-failed' }),
  facts: fc.record({ type: fc.constant('facts'), facts }),
  sessions: fc.record({
    type: fc.constant('sessions'),
    sessions: fc.array(
      fc.record({
        id: fc.uuid(),
        title: fc.string(),
        updatedAt: fc.string(),
        model: fc.string(),
        messages: count,
        halted: fc.boolean(),
      }),
    ),
  }),
  note: fc.record({ type: fc.constant('note'), text: fc.string(), tone: fc.constantFrom(...tones) }),
  compose: fc.record({ type: fc.constant('compose'), text: fc.string() }, { requiredKeys: ['type'] }),
};

const ways = [
  ['to the host', readToHost, fc.oneof(...Object.values(toHost))],
  ['to the page', readToView, fc.oneof(...Object.values(toView))],
] as const;

describe.each(ways)('a message %s', (_, read: (value: unknown) => unknown, messages: fc.Arbitrary<unknown>) => {
  test('survives JSON unchanged', () => {
    fc.assert(
      fc.property(messages, (message) => {
        expect(read(through(message))).toEqual(through(message));
      }),
    );
  });

  test('of an unknown type, or something that is not a message, is rejected by name', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ type: fc.string() })), (value) => {
        fc.pre(
          !(
            typeof value === 'object' &&
            value !== null &&
            Object.hasOwn({ ...toHost, ...toView }, String((value as { type?: unknown }).type))
          ),
        );
        expect(() => read(value)).toThrow(TypeError);
      }),
    );
    expect(() => read({ type: 'format-disk' })).toThrow(/"format-disk"/);
  });

  test('without one of its fields is rejected', () => {
    fc.assert(
      fc.property(messages, fc.nat(), (message, nth) => {
        const whole = through(message) as Record<string, unknown>;
        const optional = whole.type === 'conversation' ? ['cut', 'halted', 'attached'] : ['hint'];
        const keys = Object.keys(whole).filter((key) => !optional.includes(key));
        fc.pre(!(['started', 'compose'] as unknown[]).includes(whole.type));
        const { [keys[nth % keys.length]!]: _gone, ...rest } = whole;
        expect(() => read(rest)).toThrow(TypeError);
      }),
    );
  });
});

test('the page cannot name other files as sessions, or commands of others', () => {
  for (const id of ['../../etc/passwd', 'a/b', '', 'x'.repeat(65)])
    expect(() => readToHost({ type: 'resume', id })).toThrow(TypeError);
  for (const command of ['workbench.action.quit', 'loopfuse', 'loopfuse.a b', 'loopfuse.x.y'])
    expect(() => readToHost({ type: 'command', command })).toThrow(TypeError);
});

test('events are passed on with all their fields, even those of unknown types', () => {
  const events = [{ type: 'telepathy', deep: { nested: [1] } }] as unknown as ClientEvent[];
  expect(readToView({ type: 'events', events })).toEqual({ type: 'events', events });
});
