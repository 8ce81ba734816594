import { describe, expect, it } from 'vitest';
import { fixture } from '../testing/fixtures.js';
import { retell, storyOf } from '../testing/retell.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('messages', import.meta.url);

describe('messages', () => {
  it('reads OpenAI’s chat messages', async () => {
    const { sessions, faults } = await retell(fixture(import.meta.url, 'openai.json'));
    expect(faults).toEqual([]);
    expect(sessions[0]?.session).toMatchObject({ id: 'openai', model: 'gpt-5' });
    expect(storyOf(sessions[0]?.events)).toEqual([
      'prompt: Weather?',
      'turn-start',
      'reasoning: Ask the tool.',
      'call call_1: weather {"city":"Ulm"}',
      'turn-end',
      'result call_1: rain',
      'turn-start',
      'text: Rain.',
      'turn-end',
    ]);
  });

  it('reads Anthropic’s messages', async () => {
    const { sessions, faults } = await retell(fixture(import.meta.url, 'anthropic.json'));
    expect(faults).toEqual([]);
    expect(sessions[0]?.session).toMatchObject({ id: 'anthropic' });
    expect(storyOf(sessions[0]?.events)).toEqual([
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
    ]);
  });

  it('reads Gemini’s contents', async () => {
    const { sessions, faults } = await retell(fixture(import.meta.url, 'gemini.json'));
    expect(faults).toEqual([]);
    expect(sessions[0]?.session).toMatchObject({ id: 'gemini' });
    expect(storyOf(sessions[0]?.events)).toEqual([
      'prompt: Weather?',
      'turn-start',
      'reasoning: Hm.',
      'call call-1: weather {"city":"Ulm"}',
      'turn-end',
      'result call-1 failed: down',
      'turn-start',
      'text: No idea.',
      'turn-end',
    ]);
  });

  it('reads OpenAI’s response items', async () => {
    const { sessions, faults } = await retell(fixture(import.meta.url, 'responses.json'));
    expect(faults).toEqual([]);
    expect(sessions[0]?.session).toMatchObject({ id: 'conv_7', model: 'gpt-5' });
    expect(storyOf(sessions[0]?.events)).toEqual([
      'prompt: Weather?',
      'turn-start',
      'reasoning: Ask.',
      'call call_1: weather {"city":"Ulm"}',
      'turn-end',
      'result call_1: rain',
      'turn-start',
      'text: Rain.',
      'turn-end',
    ]);
  });

  it('reads the messages of the AI SDK', async () => {
    const { sessions, faults } = await retell(fixture(import.meta.url, 'ai-sdk.json'));
    expect(faults).toEqual([]);
    expect(sessions[0]?.session).toMatchObject({ id: 'ai-sdk' });
    expect(storyOf(sessions[0]?.events)).toEqual([
      'prompt: Weather?',
      'turn-start',
      'reasoning: Ask.',
      'call c1: weather {"city":"Ulm"}',
      'turn-end',
      'result c1 failed: down',
      'turn-start',
      'text: No idea.',
      'turn-end',
    ]);
  });

  it('reads a conversation a line', async () => {
    const { sessions, faults } = await retell(fixture(import.meta.url, 'conversations.jsonl'));
    expect(faults).toEqual([]);
    expect(sessions[0]?.session).toMatchObject({ id: 'one' });
    expect(storyOf(sessions[0]?.events)).toEqual([
      'prompt: Weather?',
      'turn-start',
      'reasoning: Ask the tool.',
      'call call_1: weather {"city":"Ulm"}',
      'turn-end',
      'result call_1: rain',
      'turn-start',
      'text: Rain.',
      'turn-end',
    ]);
    expect(sessions[1]?.session).toMatchObject({ id: 'conversations#1' });
    expect(storyOf(sessions[1]?.events)).toEqual(['prompt: Weather?']);
    expect(sessions.length).toBe(2);
  });

  it('reads a message a line', async () => {
    const { sessions, faults } = await retell(fixture(import.meta.url, 'one-a-line.jsonl'));
    expect(faults).toEqual([]);
    expect(sessions[0]?.session).toMatchObject({ id: 'one-a-line' });
    expect(storyOf(sessions[0]?.events)).toEqual([
      'prompt: Weather?',
      'turn-start',
      'reasoning: Ask the tool.',
      'call call_1: weather {"city":"Ulm"}',
      'turn-end',
      'result call_1: rain',
      'turn-start',
      'text: Rain.',
      'turn-end',
    ]);
  });
});
