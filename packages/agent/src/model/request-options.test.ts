import { expect, test } from 'vitest';
import { sequence } from '../../../testkit/src/model-server/index.js';
import { collect, eventsOf, scriptedAgent } from '../testing/scripted-agent.js';
import type { ProviderName } from './create-model.js';
import type { RequestSettings } from './request-options.js';

const thinking = sequence([
  { parts: [{ reasoning: 'I look at it first.' }, { call: { tool: 'read_file', input: { path: 'README.md' } } }] },
  { parts: [{ reasoning: 'Now I know.' }, { text: 'Done.' }] },
]);

/** What the last of two requests asked for, and the thoughts that came. */
async function asked(provider: ProviderName, request: RequestSettings = {}) {
  const { client, server } = await scriptedAgent(thinking, { provider, request });
  const events = await collect(client.sendMessageStream('go'));
  expect(events.at(-1)).toEqual({ type: 'finished', reason: 'stop' });
  expect(server.requests.map(({ problem }) => problem).filter(Boolean)).toEqual([]);
  const thoughts = eventsOf(events, 'reasoning').map(({ text }) => text);
  return { body: server.requests.at(-1)!.body as Record<string, unknown>, thoughts: thoughts.join('') };
}

test('Anthropic is asked to think and to cache its input', async () => {
  const { body, thoughts } = await asked('anthropic');
  expect(body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 8192 } });
  expect(JSON.stringify(body)).toContain('"cache_control":{"type":"ephemeral"}');
  expect(thoughts).toBe('I look at it first.Now I know.');
  const off = await asked('anthropic', { reasoning: 'off', promptCaching: 'off' });
  expect(JSON.stringify(off.body)).not.toMatch(/"thinking":\{"type":"enabled"|cache_control/);
});

test('OpenAI is asked for summaries of its thoughts', async () => {
  expect((await asked('openai')).body).toMatchObject({ store: false, reasoning: { summary: 'auto' } });
  expect((await asked('openai', { reasoning: 'high' })).body).toMatchObject({ reasoning: { effort: 'high' } });
  expect((await asked('openai', { reasoning: 'off' })).body).not.toHaveProperty('reasoning');
});

test('Gemini is asked for its thoughts', async () => {
  const { body } = await asked('google');
  expect(body).toMatchObject({ generationConfig: { thinkingConfig: { includeThoughts: true } } });
  expect(JSON.stringify((await asked('google', { reasoning: 'off' })).body)).not.toContain('includeThoughts');
});

test('an OpenAI-compatible server is asked for nothing special', async () => {
  const { body } = await asked('openai-compatible');
  expect(Object.keys(body).sort()).toEqual(
    ['messages', 'model', 'stream', 'stream_options', 'tool_choice', 'tools'].sort(),
  );
});
