import { interrupt, MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { type ModelServer, type Script, say, startModelServer } from '@loopfuse/model-server';
import { createAgent, tool, toolRetryMiddleware } from 'langchain';
import { afterEach, describe, expect, test } from 'vitest';
import { loopMiddleware } from './index.js';

let server: ModelServer | undefined;
afterEach(async () => server?.close());

const readsOnce: Script = ({ turn }) =>
  turn === 0 ? { parts: [{ call: { tool: 'read_file', input: { path: 'a.ts' } } }] } : say('Done.');

class Busy extends Error {}

async function agentWith(read: () => string, before: readonly object[] = []) {
  server = await startModelServer({ script: readsOnce });
  const configuration = { baseURL: `${server.url}/v1` };
  return createAgent({
    model: new ChatOpenAI({ model: 'scripted-model', apiKey: 'scripted', configuration, maxRetries: 0 }),
    tools: [
      tool(async () => read(), {
        name: 'read_file',
        description: 'Reads a file.',
        schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      }),
    ],
    middleware: [...before, loopMiddleware()] as [ReturnType<typeof loopMiddleware>],
    checkpointer: new MemorySaver(),
  });
}

const request = { messages: [{ role: 'user', content: 'Read.' }] };
const thread = { configurable: { thread_id: 'one' } };

describe('what a tool throws', () => {
  test.each([new Busy('busy'), Object.freeze(new Busy('busy')), 'busy'])(
    'goes to the model, and the run goes on: %s',
    async (thrown) => {
      const agent = await agentWith(() => {
        throw thrown;
      });
      const { messages } = await agent.invoke(request, thread);
      expect(messages.map(({ type }) => type)).toEqual(['human', 'ai', 'tool', 'ai']);
      expect(messages[2]).toMatchObject({ status: 'error', content: expect.stringContaining('busy') });
      expect(messages.at(-1)?.text).toBe('Done.');
    },
  );

  test('is known to a middleware around ours', async () => {
    let tries = 0;
    const read = () => {
      if (++tries === 1) throw new Busy('busy');
      return '# Sample';
    };
    const retry = toolRetryMiddleware({ retryOn: [Busy], maxRetries: 1, initialDelayMs: 0 });
    const { messages } = await (await agentWith(read, [retry])).invoke(request, thread);
    expect([tries, messages[2]?.text]).toEqual([2, '# Sample']);
  });

  test('and is an interrupt, interrupts the run', async () => {
    const agent = await agentWith(() => interrupt<string, string>('May I?'));
    expect(await agent.invoke(request, thread)).toMatchObject({ __interrupt__: [{ value: 'May I?' }] });
  });
});

test('an answer without usage causes no fault', async () => {
  server = await startModelServer({ script: () => ({ parts: [], usage: { inputTokens: 0, outputTokens: 0 } }) });
  const configuration = { baseURL: `${server.url}/v1` };
  const model = new ChatOpenAI({ model: 'scripted-model', apiKey: 'scripted', configuration });
  const faults: string[] = [];
  const middleware = [loopMiddleware({ onFault: ({ message }) => faults.push(message) })];
  await createAgent({ model, tools: [], middleware }).invoke(request);
  expect(faults).toEqual([]);
});
