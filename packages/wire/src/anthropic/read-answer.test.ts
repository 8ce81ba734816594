import { expect, test } from 'vitest';
import { readAnswer } from './read-answer.js';

function usageOf(...chunks: readonly object[]) {
  const reader = readAnswer();
  const events = [...chunks.flatMap((chunk) => reader.read(chunk)), ...reader.end()];
  return events.find(({ type }) => type === 'usage');
}

const start = {
  type: 'message_start',
  message: {
    usage: {
      ...{ input_tokens: 10, cache_read_input_tokens: 700, cache_creation_input_tokens: 300, output_tokens: 1 },
      cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 100 },
    },
  },
};
const used = {
  ...{ type: 'usage', inputTokens: 1010, outputTokens: 25 },
  ...{ cachedTokens: 700, cacheWriteTokens: 300, longCacheWriteTokens: 100 },
};

test('what was put into the cache is counted: it costs more than other input', () => {
  expect(usageOf(start, { type: 'message_delta', usage: { output_tokens: 25 } })).toEqual(used);
});

test.each([
  ['the fresh input alone', { input_tokens: 10 }],
  ['no input', { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }],
])('the end of a stream that names %s takes nothing back', (_, again) => {
  expect(usageOf(start, { type: 'message_delta', usage: { ...again, output_tokens: 25 } })).toEqual(used);
});
