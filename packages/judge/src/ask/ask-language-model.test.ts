import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { session } from '@loopfuse/testkit';
import { judge as judging, type ModelServer, say, startModelServer } from '@loopfuse/testkit/model-server';
import { type LanguageModel, wrapLanguageModel } from 'ai';
import type { Fault } from 'loopfuse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createJudge, type Judge, type JudgeOptions } from '../judge.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ script: () => say('') });
});
afterAll(() => server.close());

const models: { readonly [provider: string]: (name?: string) => LanguageModel } = {
  'openai-compatible': (name = 'local') =>
    createOpenAICompatible({
      name: 'local',
      baseURL: `${server.url}/v1`,
      apiKey: 'none',
      supportsStructuredOutputs: true,
    })(name),
  anthropic: (name = 'claude-sonnet-4-5') => createAnthropic({ baseURL: `${server.url}/v1`, apiKey: 'none' })(name),
  google: (name = 'gemini-2.5-flash') =>
    createGoogleGenerativeAI({ baseURL: `${server.url}/v1beta`, apiKey: 'none' })(name),
};

/** Before the fifth turn that brings nothing new it is due by itself. */
function dueJudge(options: JudgeOptions): { judge: Judge; faults: Fault[] } {
  const faults: Fault[] = [];
  const judge = createJudge({ onFault: (fault) => faults.push(fault), ...options });
  const events = session()
    .prompt('Fix the build.')
    .repeat(5, (s) => s.turn().call('read_file', { path: 'a.ts' }).result('The same text every time.'))
    .turn();
  for (const event of events.events) judge.observe(event);
  expect(judge.due).toBe(true);
  return { judge, faults };
}

describe.each(Object.entries(models))('a model of %s', (_provider, make) => {
  test('is asked with system, record and schema, and its structured answer is the opinion', async () => {
    server.setScript(judging(0.93, { analysis: 'The same file is read again and again.' }));
    const { judge, faults } = dueJudge({ model: make(), price: { input: 1, output: 1 } });
    const opinion = await judge.consult();
    expect(faults).toEqual([]);
    expect(opinion).toMatchObject({
      type: 'opinion',
      confidence: 0.93,
      analysis: 'The same file is read again and again.',
    });
    const { turn, problem } = server.requests.at(-1)!;
    expect(problem).toBe(undefined);
    expect(turn?.system).toContain('You give a second opinion on an AI agent.');
    expect(turn?.messages.at(-1)?.text).toContain('{"request":"Fix the build."}');
    expect(opinion?.by).toBe(turn?.model);
    const { calls, inputTokens, outputTokens, cost } = judge.spending;
    expect(calls).toBe(1);
    expect(inputTokens).toBeGreaterThan(1000);
    expect(outputTokens).toBeGreaterThan(5);
    expect(cost).toBeCloseTo((inputTokens + outputTokens) / 1e6, 10);
  });

  test('that refuses is asked twice and gives no opinion', async () => {
    server.setScript(() => ({ fault: { type: 'refuse', status: 500 } }));
    const before = server.seen;
    const { judge, faults } = dueJudge({ model: make() });
    expect(await judge.consult()).toBe(undefined);
    expect(server.seen - before).toBe(2);
    expect(faults).toHaveLength(1);
  });

  test('that stalls is given up, and the connection with it', async () => {
    let left: Promise<unknown> | undefined;
    server.setScript(({ signal }) => {
      left = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return { fault: { type: 'stall' } };
    });
    const { judge, faults } = dueJudge({ model: make(), timeoutMs: 250 });
    expect(await judge.consult()).toBe(undefined);
    expect(faults[0]?.message).toBe('no answer came within 250 milliseconds');
    await left;
  });

  test('that is cancelled in the middle is given up, and the connection with it', async () => {
    const controller = new AbortController();
    let left: Promise<unknown> | undefined;
    server.setScript(({ signal }) => {
      left = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      controller.abort();
      return { fault: { type: 'stall' } };
    });
    const { judge, faults } = dueJudge({ model: make() });
    expect(await judge.consult({}, controller.signal)).toBe(undefined);
    expect(faults).toEqual([]);
    await left;
  });
});

describe('a language model', () => {
  test('without structured output may put its JSON into a fence', async () => {
    server.setScript(() => say('```json\n{"analysis": "Each edit is of another line.", "confidence": 0.05}\n```'));
    const plain = createOpenAICompatible({ name: 'plain', baseURL: `${server.url}/v1`, apiKey: 'none' })('plain');
    const { judge } = dueJudge({ model: plain });
    expect(await judge.consult()).toMatchObject({ by: 'plain', confidence: 0.05 });
  });

  test('that is refused the schema is asked again with the schema in its text', async () => {
    server.setScript((turn) =>
      turn.messages.at(-1)?.text.includes('JSON Schema')
        ? say('Here is my view: {"analysis": "Round and round.", "confidence": "95 %"} I hope it helps.')
        : { fault: { type: 'refuse', status: 400 } },
    );
    const { judge, faults } = dueJudge({ model: models['openai-compatible']!() });
    expect(await judge.consult()).toMatchObject({ confidence: 0.95, analysis: 'Round and round.' });
    expect(faults).toEqual([]);
    expect(judge.spending).toMatchObject({ calls: 2, failures: 0 });
    expect(server.requests.at(-1)?.body).not.toHaveProperty('response_format');
  });

  test('that answers in prose gives no opinion, and its tokens are counted', async () => {
    server.setScript(() => say('Looks fine to me.'));
    const { judge, faults } = dueJudge({ model: models['openai-compatible']!() });
    expect(await judge.consult()).toBe(undefined);
    expect(faults[0]?.message).toContain('Looks fine to me.');
    expect(judge.spending.inputTokens).toBeGreaterThan(1000);
  });

  test('may be wrapped, of another provider than the one who confirms, and given options of its provider', async () => {
    server.setScript((turn) => judging(turn.model === 'first' ? 0.95 : 0.4)(turn));
    const first = wrapLanguageModel({
      model: models['openai-compatible']!('first') as Parameters<typeof wrapLanguageModel>[0]['model'],
      middleware: { specificationVersion: 'v3' },
    });
    const { judge } = dueJudge({
      model: first,
      providerOptions: { local: { user: 'the judge' } },
      confirm: { model: models.anthropic!('claude-sonnet-4-5') },
    });
    expect(await judge.consult()).toMatchObject({ by: 'claude-sonnet-4-5', confidence: 0.4 });
    expect(server.requests.at(-2)?.body).toMatchObject({ user: 'the judge' });
    expect(judge.spending.calls).toBe(2);
  });

  test('may be named, where the SDK has a default provider', async () => {
    server.setScript(judging(0.2));
    const holder = globalThis as { AI_SDK_DEFAULT_PROVIDER?: unknown };
    holder.AI_SDK_DEFAULT_PROVIDER = { languageModel: models['openai-compatible'] };
    try {
      const { judge } = dueJudge({ model: 'by-name' });
      expect(await judge.consult()).toMatchObject({ by: 'by-name', confidence: 0.2 });
    } finally {
      delete holder.AI_SDK_DEFAULT_PROVIDER;
    }
  });
});
