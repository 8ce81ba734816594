import { GoogleGenAI } from '@google/genai';
import { type ModelServer, say, startModelServer } from '@loopfuse/model-server';
import { afterEach, expect, test, vi } from 'vitest';
import { guardedGenAI, openSession } from './index.js';

let server: ModelServer | undefined;
afterEach(async () => server?.close());

const text = 'Read the readme.';
const chant = 'I will look at the file now. '.repeat(60);

test.each([
  ['text', text],
  ['a part', { text }],
  ['a list of texts and parts', ['Read ', { text: 'the readme.' }]],
  ['a content', { role: 'user', parts: [{ text }] }],
  ['a list of contents', [{ role: 'user', parts: [{ text }] }]],
])('a request that is %s is seen, and kept where the model is asked again', async (_, contents) => {
  let asked = 0;
  server = await startModelServer({ script: () => say(asked++ === 0 ? chant : 'Done.') });
  const client = new GoogleGenAI({ apiKey: 'scripted', httpOptions: { baseUrl: server.url } });
  const session = openSession();
  const observe = vi.spyOn(session.guard, 'observe');
  const { models } = guardedGenAI(client, session);
  const answer = await models.generateContent({ model: 'scripted-model', contents });
  expect(answer.text).toBe('Done.');
  expect(observe.mock.calls[0]?.[0]).toMatchObject({ type: 'prompt', text });
  const [first, second] = server.requests.map(({ turn }) => turn?.messages.map((message) => message.text));
  expect(first).toEqual([text]);
  expect(second).toEqual([text, expect.stringContaining('[Loop guard]')]);
});
