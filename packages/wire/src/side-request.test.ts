import { describe, expect, it } from 'vitest';
import type { Message } from './conversation.js';
import { isSideRequest } from './side-request.js';

const said = (role: Message['role'], text: string): Message => ({ role, text, reasoning: '', calls: [], results: [] });
const user = (text: string) => said('user', text);
const model = (text: string) => said('assistant', text);
const request = (messages: readonly Message[], system = '') => ({ tools: [], system, messages });
const tool = { name: 'read', description: '', takes: 'object', parameters: {} } as const;
const schema = { type: 'object' };
const work = [user('Fix the test.'), model('I read it first.'), user('And?')];

describe('a request on the side', () => {
  it.each([
    [
      'a title for opencode',
      request(
        [user('Generate a title for this conversation:\n'), user('"Say what the main function does."')],
        'You are a title generator. You output ONLY a thread title. Nothing else.',
      ),
    ],
    [
      'a topic for Claude Code, whose answer it begins itself',
      request(
        [user('Fix the test.'), model('{')],
        'Analyze if this message indicates a new conversation topic. If it does, extract a 2-3 word title.',
      ),
    ],
    [
      'a title for Claude Code',
      request(
        [user('<session>Fix the test.</session>')],
        'Generate a concise, sentence-case title (3-7 words) that captures the main topic or goal of this coding session.',
      ),
    ],
    [
      'a summary for Gemini CLI',
      request([
        user(
          `Summarize the user's primary intent or goal in this conversation in ONE sentence (max 80 characters).\n${'User: Fix it.\n'.repeat(1000)}`,
        ),
      ]),
    ],
    [
      'a title for a chat in the browser, below the chat itself',
      request([user(`${'User: Hello.\n'.repeat(1000)}\nGenerate a concise title with an emoji for this chat.`)]),
    ],
    [
      'a summary of what a tool said',
      request([user(`Summarize the following tool output to be a maximum of 200 tokens.\n${'ok 1\n'.repeat(1000)}`)]),
    ],
    [
      'a compaction',
      request([...work, model('Done.'), user('Your task is to create a detailed summary of the conversation so far.')]),
    ],
    [
      'a compaction of Codex',
      request([...work, user('You are performing a COMPACTION. Create a handoff summary for another LLM.')]),
    ],
    ['JSON, once', { ...request([user('Which model is best for this?')]), schema }],
    ['JSON about a conversation', { ...request(work), schema }],
  ])('is %s', (_, one) => {
    expect(isSideRequest(one)).toBe(true);
    expect(isSideRequest({ ...one, tools: [tool] })).toBe(false);
  });
});

describe('the conversation itself', () => {
  const tutor = 'You are a tutor. Stay on topic, and write a summary of the conversation at the end of each session.';
  it.each([
    ['with a prompt that speaks of summaries', request(work, tutor)],
    ['about a title of something else', request([user('Write a title for my essay about bees.')])],
    ['about a topic', request([user('Stay on topic in this chat.')])],
    ['that asked for a summary before', request([user('Summarize this thread.'), model('Bees.'), user('And wasps?')])],
    [
      'in which the model works in JSON',
      { ...request([user('Go on.'), model('{"action":"look"}'), user('Nothing there.')]), schema },
    ],
  ])('is one %s', (_, one) => {
    expect(isSideRequest(one)).toBe(false);
  });
});
