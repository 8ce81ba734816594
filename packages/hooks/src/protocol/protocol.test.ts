import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Json } from 'loopfuse';
import { describe, expect, test } from 'vitest';
import { protocols } from './index.js';
import type { Measure, Moment, Protocol } from './protocol.js';

/** What the real agents sent in one run each: a file read, a missing file, a command that fails. */
function recorded({ name }: Protocol): { readonly event: string; readonly payload: Json }[] {
  return readFileSync(new URL(`fixtures/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const measures: readonly Measure[] = (['tell', 'refuse', 'ask', 'end'] as const).map((type) => ({
  type,
  text: 'WORDS',
}));
const env = { HOME: '/home/ada' };

describe.each(protocols.map((protocol) => [protocol.name, protocol] as const))('%s', (name, protocol) => {
  const events = recorded(protocol).flatMap(({ event, payload }) => {
    const read = protocol.read(payload, event, env);
    return read === undefined ? [] : [{ ...read, payload }];
  });
  const only = <Type extends Moment['type']>(type: Type) =>
    events.map(({ moment }) => moment).filter((moment) => moment.type === type) as Extract<Moment, { type: Type }>[];

  test('reports one prompt, three calls and their three results, in order', () => {
    expect(only('prompt').map(({ text }) => text)).toEqual(['Say what the main function does.']);
    const calls = only('call').map(({ call }) => call);
    expect(calls).toHaveLength(3);
    expect(only('result').map(({ call }) => call)).toEqual(calls);
    expect(events.map(({ moment }) => moment.type).filter((type) => type !== 'resume')).toEqual([
      'prompt',
      ...['call', 'result', 'call', 'result', 'call', 'result'],
    ]);
  });

  test('gives results as the text that the tool answered', () => {
    const [read, missing, command] = only('result');
    expect(read?.output).toContain('A small project');
    expect(String(missing?.output)).toMatch(/not (exist|found)|no such file/i);
    expect(String(command?.output)).toContain('hello');
  });

  test('knows the session, and where its transcript is', () => {
    expect(new Set(events.map(({ session }) => session))).toEqual(new Set(['11111111-2222-3333-4444-555555555555']));
    for (const { transcript } of events) expect(transcript).toMatch(/^\/home\/ada\/\..+\.jsonl$/);
  });

  test('says every measure in words that carry the text', () => {
    for (const { moment, payload } of events)
      for (const measure of measures) {
        if (moment.type === 'prompt' || (moment.type === 'result' && measure.type === 'refuse')) continue;
        const reply = protocol.reply(measure, payload);
        expect(JSON.stringify(reply), `${measure.type} at ${moment.type}`).toContain('WORDS');
      }
  });

  test('throws at no JSON and no event', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.option(fc.string(), { nil: undefined }),
        fc.constantFrom(...measures),
        (value, event, measure) => {
          protocol.read(value as Json, event, env);
          protocol.read({ ...(value as object), session_id: 's', sessionId: 's' } as Json, event, env);
          protocol.reply(measure, value as Json);
        },
      ),
    );
  });

  test(`${name === 'copilot' ? 'takes' : 'does not need'} the name of the event from the command line`, () => {
    const first = recorded(protocol).find(({ event }) => /^(pre|before)tool/i.test(event))!;
    expect(protocol.read(first.payload, undefined, env) === undefined).toBe(name === 'copilot');
  });
});

function replyTo(name: string, type: Measure['type'], payload: Json): Json | undefined {
  return protocols.find((protocol) => protocol.name === name)!.reply({ type, text: 'WORDS' }, payload);
}

describe('what the agents were seen to understand', () => {
  const before = { hook_event_name: 'PreToolUse' };
  const after = { hook_event_name: 'PostToolUse' };
  const deny = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'WORDS',
    },
  };
  const stop = { continue: false, stopReason: 'WORDS' };
  const context = { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'WORDS' } };

  test.each<[agent: string, measure: Measure['type'], payload: Json, reply: Json]>([
    ['claude-code', 'tell', after, context],
    ['claude-code', 'refuse', before, deny],
    ['claude-code', 'end', before, { ...stop, ...deny }],
    ['claude-code', 'end', after, stop],
    ['codex', 'tell', after, context],
    ['codex', 'refuse', before, deny],
    ['codex', 'end', before, deny], // with `continue` beside it, Codex would let the call run
    ['codex', 'end', after, stop],
    ['qwen-code', 'tell', after, context],
    ['qwen-code', 'end', before, deny],
    [
      'qwen-code',
      'end',
      { hook_event_name: 'UserPromptSubmit' },
      { decision: 'block', reason: 'WORDS', systemMessage: 'WORDS' },
    ],
    ['gemini-cli', 'refuse', { hook_event_name: 'BeforeTool' }, { decision: 'deny', reason: 'WORDS' }],
    ['gemini-cli', 'end', { hook_event_name: 'BeforeTool' }, { ...stop, decision: 'deny', reason: 'WORDS' }],
    ['gemini-cli', 'end', { hook_event_name: 'AfterTool' }, stop],
    ['copilot', 'tell', { toolResult: {} }, { additionalContext: 'WORDS' }],
    ['copilot', 'refuse', {}, { permissionDecision: 'deny', permissionDecisionReason: 'WORDS' }],
    ['copilot', 'end', {}, { permissionDecision: 'deny', permissionDecisionReason: 'WORDS' }],
    ['copilot', 'end', { error: 'x' }, { additionalContext: 'WORDS' }],
  ])('%s: %s', (agent, measure, payload, reply) => {
    expect(replyTo(agent, measure, payload)).toEqual(reply);
  });
});

test('what names no session, or no moment that is known, is not read', () => {
  for (const protocol of protocols.filter(({ name }) => name !== 'copilot')) {
    const read = (payload: Json) => protocol.read(payload, undefined, env);
    const known = recorded(protocol).find(({ payload }) => read(payload) !== undefined);
    const payload = known!.payload as { readonly [key: string]: Json };
    expect(read({ ...payload, session_id: 7 }), protocol.name).toBeUndefined();
    expect(read({ ...payload, hook_event_name: 'TomorrowsEvent' }), protocol.name).toBeUndefined();
  }
});

test('Qwen Code sends UserPromptSubmit before every request; only the one with a prompt is one', () => {
  const qwen = protocols.find(({ name }) => name === 'qwen-code')!;
  const read = (more: object) =>
    qwen.read({ session_id: 's', hook_event_name: 'UserPromptSubmit', ...more }, undefined, {})?.moment;
  expect(read({ prompt: '' })).toEqual({ type: 'resume' });
  expect(read({ prompt: 'go on' })).toEqual({ type: 'prompt', text: 'go on' });
});

test('a session id that is a path names no transcript', () => {
  const copilot = protocols.find(({ name }) => name === 'copilot')!;
  const read = copilot.read({ sessionId: '../../etc', prompt: 'x' }, 'userPromptSubmitted', env);
  expect(read).toMatchObject({ session: '../../etc', transcript: undefined });
});
