import { type ModelServer, type Script, startModelServer } from '@loopfuse/model-server';
import OpenAI from 'openai';
import { afterEach, expect, test } from 'vitest';
import { guardedOpenAI, openSession } from './index.js';

let server: ModelServer | undefined;
afterEach(async () => server?.close());

async function streaming(script: Script) {
  server = await startModelServer({ script });
  const client = new OpenAI({ apiKey: 'scripted', baseURL: `${server.url}/v1`, maxRetries: 0 });
  const messages = [{ role: 'user', content: 'Read.' }] as const;
  return guardedOpenAI(client, openSession()).chat.completions.create({
    model: 'm',
    messages: [...messages],
    stream: true,
  });
}

test('a stream that is refused rejects at its request, with the error of the SDK', async () => {
  const refused = streaming(() => ({ fault: { type: 'refuse', status: 401, message: 'no such key' } }));
  await expect(refused).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
});

test('a stream that nobody reads to its end is closed', async () => {
  let close = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const stream = await streaming(({ signal }) => {
    signal.addEventListener('abort', close);
    return { parts: [{ text: 'Well, then.' }], fault: { type: 'stall', after: 2 } };
  });
  await stream[Symbol.asyncIterator]().return?.();
  await closed;
});
