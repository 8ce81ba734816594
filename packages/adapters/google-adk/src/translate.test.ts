import type { LlmResponse } from '@google/adk';
import { describe, expect, test } from 'vitest';
import { createReader, requestEvents } from './translate.js';

const used = (candidatesTokenCount: number) => ({ promptTokenCount: 90, candidatesTokenCount, thoughtsTokenCount: 7 });
const call = (path: string) => ({ functionCall: { id: path, name: 'read_file', args: { path } } });

test('the usage of an answer is counted once, with thoughts, although every piece of a stream has it', () => {
  const read = createReader();
  const pieces: LlmResponse[] = [
    { content: { role: 'model', parts: [{ text: 'Reading.' }] }, partial: true, usageMetadata: used(3) },
    { content: { role: 'model', parts: [{ text: 'Reading.' }] }, usageMetadata: used(3) },
    { content: { role: 'model', parts: [call('a')] }, usageMetadata: used(12) },
    { content: { role: 'model', parts: [call('b')] }, usageMetadata: used(12) },
    { usageMetadata: used(12) },
  ];
  const events = pieces.flatMap(read).filter(({ type }) => type === 'usage');
  expect(events).toEqual([
    { type: 'usage', inputTokens: 90, outputTokens: 10 },
    { type: 'usage', inputTokens: 0, outputTokens: 9 },
  ]);
});

describe('the result of a tool', () => {
  const outcomeOf = (response: Record<string, unknown>) => {
    const parts = [{ functionResponse: { id: 'a', name: 'read_file', response } }];
    const [event] = requestEvents([{ role: 'user', parts }], [{ id: 'a', tool: 'read_file' }]);
    return event;
  };

  test.each([
    [{ result: 'text' }, { output: 'text', failed: false }],
    [{ error: 'no such file' }, { output: 'no such file', failed: true }],
    [
      { result: 'text', error: null },
      { output: 'text', failed: false },
    ],
    [
      { rows: 3, error: null },
      { output: { rows: 3, error: null }, failed: false },
    ],
  ])('%j is read as the SDK and its tools mean it', (response, expected) => {
    expect(outcomeOf(response)).toEqual({ type: 'tool-result', id: 'a', ...expected });
  });
});
