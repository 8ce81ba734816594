import { expect, test } from 'vitest';
import { usageOf } from './chat-usage.js';

test.each([
  [
    'Anthropic, whose input leaves the cache out',
    {
      ...{ input_tokens: 10, cache_read_input_tokens: 70, cache_creation_input_tokens: 20, output_tokens: 5 },
      cache_creation: { ephemeral_5m_input_tokens: 12, ephemeral_1h_input_tokens: 8 },
    },
    { input: 100, cached: 70, written: 20, writtenLong: 8, output: 5 },
  ],
  [
    'Bedrock',
    { inputTokens: 10, cacheReadInputTokens: 70, cacheWriteInputTokens: 20, outputTokens: 5 },
    { input: 100, cached: 70, written: 20, output: 5 },
  ],
  [
    'OpenAI’s chats',
    { prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 70 } },
    { input: 100, cached: 70, output: 5 },
  ],
  [
    'OpenAI’s responses',
    { input_tokens: 100, output_tokens: 5, input_tokens_details: { cached_tokens: 70 } },
    { input: 100, cached: 70, output: 5 },
  ],
  [
    'OpenRouter, which names the cost',
    { prompt_tokens: 100, completion_tokens: 5, cost: 0.25 },
    { input: 100, output: 5, cost: 0.25 },
  ],
  [
    'Gemini, which counts its thoughts apart',
    { promptTokenCount: 100, cachedContentTokenCount: 70, candidatesTokenCount: 2, thoughtsTokenCount: 3 },
    { input: 100, cached: 70, output: 5 },
  ],
  ['the AI SDK', { inputTokens: 100, cachedInputTokens: 70, outputTokens: 5 }, { input: 100, cached: 70, output: 5 }],
])('tokens are read as %s counts them', (_, usage, expected) => {
  expect(usageOf({ usage })).toEqual(expected);
});

test('LangChain’s input counts all that went through the cache', () => {
  const usage = { input_tokens: 100, output_tokens: 5, input_token_details: { cache_read: 70, cache_creation: 20 } };
  expect(usageOf({ usage_metadata: usage })).toEqual({ input: 100, cached: 70, written: 20, output: 5 });
});

test('a message that says nothing of tokens used none that are known', () => {
  expect(usageOf({ usage: null, content: 'Hello.' })).toEqual({});
});
