import { createOpenAI } from '@ai-sdk/openai';
import { loopsForever, type ModelServer, type Script, say, startModelServer } from '@loopfuse/model-server';
import { generateText, isStepCount, jsonSchema, Output, streamText, tool } from 'ai';
import { ladder } from 'loopfuse';
import { budget } from 'loopfuse/detectors';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { guarded, LoopError, openSession } from './index.js';

let server: ModelServer | undefined;
afterEach(async () => server?.close());

async function serving(script: Script) {
  server = await startModelServer({ script });
  return createOpenAI({ baseURL: `${server.url}/v1`, apiKey: 'scripted' }).chat('scripted-model');
}

const path = jsonSchema<{ path: string }>({
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
});
const tools = { read_file: tool({ inputSchema: path, execute: async () => '# Sample' }) };

describe.each(['generateText', 'streamText'])('%s', (name) => {
  const isStream = name === 'streamText';

  test('a run that must answer with an object is ended with the error, not with text', async () => {
    const model = await serving(loopsForever());
    const output = Output.object({ schema: path });
    const settings = guarded({ model, tools, prompt: 'Read.', stopWhen: isStepCount(50), output });
    const run = async () => (isStream ? streamText({ ...settings, onError: () => {} }) : generateText(settings));
    const thrown = await run()
      .then(({ output }) => output)
      .catch((error: unknown) => error);
    expect(LoopError.in(thrown)?.findings[0]).toMatchObject({ kind: 'repeated-calls' });
  });

  test('the usage of an answer is reported, even if the run ends with it', async () => {
    const model = await serving(() => ({ ...say('Done.'), usage: { inputTokens: 900, outputTokens: 200 } }));
    const session = openSession({ detectors: [budget({ hard: { tokens: 1000 } })], policy: ladder({ steers: 0 }) });
    const settings = guarded({ model, prompt: 'Read.' }, session);
    const { usage } = isStream ? streamText(settings) : await generateText(settings);
    expect(await usage).toMatchObject({ inputTokens: 900, outputTokens: 200 });
    expect(session.error?.findings[0]?.kind).toBe('budget');
  });

  test.each([new Error('no such file'), 'no such file', undefined])(
    'what a tool threw (%s) is the same result in its step as in the next request',
    async (thrown) => {
      const model = await serving(loopsForever({ rounds: 1 }));
      const session = openSession();
      const results = vi.spyOn(session, 'result');
      const execute = async (): Promise<string> => {
        throw thrown;
      };
      const tools = { read_file: tool({ inputSchema: path, execute }) };
      const settings = guarded({ model, tools, prompt: 'Read.', stopWhen: isStepCount(5) }, session);
      await (isStream ? streamText(settings).text : generateText(settings));
      const sent = server!.requests.at(-1)!.turn!.messages.flatMap((message) => message.results);
      expect(sent).toHaveLength(1);
      const { error } = JSON.parse(sent[0]!.text); // as the provider wraps it
      expect(results.mock.calls[0]?.[0]).toMatchObject({ output: error, failed: true });
    },
  );

  test('what the user says after an abort is a new request', async () => {
    const abort = new AbortController();
    const model = await serving(() => {
      abort.abort();
      return say('Done.');
    });
    const session = openSession();
    const observe = vi.spyOn(session.guard, 'observe');
    const run = async (prompt: string, abortSignal = new AbortController().signal) => {
      const settings = guarded({ model, prompt, abortSignal }, session);
      if (!isStream) return (await generateText(settings)).text;
      return streamText({ ...settings, onError: () => {} }).text;
    };
    await run('Read.', abort.signal).catch(() => {});
    expect(await run('Write.')).toBe('Done.');
    const prompts = observe.mock.calls.flatMap(([event]) => (event.type === 'prompt' ? [event.text] : []));
    expect(prompts).toEqual(['Read.', 'Write.']);
  });
});
