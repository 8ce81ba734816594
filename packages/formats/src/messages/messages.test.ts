import { describe, expect, it } from 'vitest';
import { readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('messages', import.meta.url);

/** One question, one call and one answer: what most of the fixtures hold. */
function weather(thought: string, call: string, result: string, answer: string): string[] {
  return [
    'prompt: Weather?',
    'turn-start',
    `reasoning: ${thought}`,
    `call ${call}: weather {"city":"Ulm"}`,
    'turn-end',
    `result ${call}${result}`,
    'turn-start',
    `text: ${answer}`,
    'turn-end',
  ];
}

const rain = weather('Ask the tool.', 'call_1', ': rain', 'Rain.');

describe('messages', () => {
  it.each([
    ['OpenAI’s chat messages', 'openai.json', { id: 'openai', model: 'gpt-5', lines: rain }],
    [
      'Gemini’s contents',
      'gemini.json',
      { id: 'gemini', lines: weather('Hm.', 'call-1', ' failed: down', 'No idea.') },
    ],
    [
      'OpenAI’s response items',
      'responses.json',
      { id: 'conv_7', model: 'gpt-5', lines: weather('Ask.', 'call_1', ': rain', 'Rain.') },
    ],
    [
      'the messages of the AI SDK',
      'ai-sdk.json',
      { id: 'ai-sdk', lines: weather('Ask.', 'c1', ' failed: down', 'No idea.') },
    ],
    ['a message per line', 'one-a-line.jsonl', { id: 'one-a-line', lines: rain }],
  ])('reads %s', async (_, file, session) => {
    expect(await readFixture(import.meta.url, file)).toMatchObject([session]);
  });

  it('reads Anthropic’s messages', async () => {
    expect(await readFixture(import.meta.url, 'anthropic.json')).toMatchObject([
      {
        id: 'anthropic',
        lines: [
          'prompt: Weather?',
          'turn-start',
          'reasoning: Ask.',
          'call toolu_1: weather {"city":"Ulm"}',
          'usage 17 (7 cached) + 5',
          'turn-end: tool_use',
          'result toolu_1 failed: no such city',
          'prompt: Try Bonn',
          'turn-start',
          'text: Sun.',
          'turn-end',
        ],
      },
    ]);
  });

  it('reads a conversation per line', async () => {
    expect(await readFixture(import.meta.url, 'conversations.jsonl')).toMatchObject([
      { id: 'one', lines: rain },
      { id: 'conversations#1', lines: ['prompt: Weather?'] },
    ]);
  });
});
