import { chants, loopsForever, type Script, startModelServer } from '@loopfuse/model-server';
import { Agent, FunctionTool, InterruptResponseContent } from '@strands-agents/sdk';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';
import { ladder } from 'loopfuse';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { LoopError, loopPlugin, openSession } from './index.js';

const reader = (reads: string[]) =>
  new FunctionTool({
    name: 'read_file',
    description: 'Reads a file.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    callback: (input) => {
      reads.push((input as { path: string }).path);
      return '# Sample';
    },
  });

async function withServer(script: Script, run: (model: OpenAIModel) => Promise<unknown>): Promise<void> {
  const server = await startModelServer({ script });
  const clientConfig = { baseURL: `${server.url}/v1` };
  try {
    await run(new OpenAIModel({ modelId: 'scripted-model', apiKey: 'scripted', clientConfig }));
  } finally {
    await server.close();
  }
}

test('an agent as a tool is a lane of its own', async () => {
  const session = openSession();
  const reads: string[] = [];
  const delegates: Script = (turn) => {
    if (!turn.tools.some(({ name }) => name === 'researcher')) return loopsForever({ rounds: 20 })(turn);
    if (turn.results.length > 0) return { parts: [{ text: 'The researcher is done.' }] };
    return { parts: [{ call: { tool: 'researcher', input: { input: 'Read the readme.' } } }] };
  };
  await withServer(delegates, async (model) => {
    const plugins = [loopPlugin(session.in('researcher'))];
    const researcher = new Agent({ name: 'researcher', model, printer: false, plugins, tools: [reader(reads)] });
    const lead = new Agent({ model, printer: false, plugins: [loopPlugin(session)], tools: [researcher] });
    await lead.invoke('Find out what main does.', { limits: { turns: 40 } });
  });
  expect(session.error?.findings[0]).toMatchObject({ kind: 'repeated-calls', lane: 'researcher' });
  expect(reads.length).toBeLessThan(6);
});

test.each([
  { response: 'yes', more: 1 },
  { response: 'no', more: 0 },
])('a question is answered with $response in another process', async ({ response, more }) => {
  const policy = ladder({ steers: 0, last: 'ask' });
  const reads: string[] = [];
  await withServer(loopsForever({ rounds: 20 }), async (model) => {
    const open = (plugin = loopPlugin({ policy })) => ({
      plugin,
      agent: new Agent({ model, printer: false, plugins: [plugin], tools: [reader(reads)] }),
    });
    const before = open();
    const asked = await before.agent.invoke('Find out what main does.');
    expect(asked.stopReason).toBe('interrupt');
    const [question] = asked.interrupts!;
    expect(question?.reason).toBe(before.plugin.session.question?.message);
    const saved = JSON.stringify({
      agent: before.agent.takeSnapshot({ preset: 'session' }),
      session: before.plugin.session.snapshot(),
    });
    const then = reads.length;

    const { agent: messages, session: snapshot } = JSON.parse(saved);
    const { agent } = open(loopPlugin({ policy, snapshot }));
    agent.loadSnapshot(messages);
    const answer = new InterruptResponseContent({ interruptId: question!.id, response });
    await agent.invoke([answer], { limits: { turns: 1 } });
    expect(reads.length).toBe(then + more);
  });
});

test('an agent that must answer by a schema is ended by the error', async () => {
  const session = openSession();
  await withServer(loopsForever({ rounds: 20 }), async (model) => {
    const structuredOutputSchema = z.object({ main: z.string() });
    const plugins = [loopPlugin(session)];
    const agent = new Agent({ model, printer: false, plugins, structuredOutputSchema, tools: [reader([])] });
    const thrown = await agent.invoke('Find out what main does.').catch((cause: unknown) => cause);
    expect(LoopError.in(thrown)?.findings[0]).toMatchObject({ kind: 'repeated-calls' });
  });
});

test('the stream of an answer that is cut short is closed', async () => {
  let open = 0;
  await withServer(chants({ times: 60 }), async (model) => {
    const { stream } = model;
    model.stream = async function* (...request) {
      open++;
      try {
        yield* stream.apply(model, request);
      } finally {
        open--;
      }
    };
    const plugin = loopPlugin();
    await new Agent({ model, printer: false, plugins: [plugin], tools: [reader([])] }).invoke('Check it.');
    expect(plugin.session.error).toBeDefined();
    await expect.poll(() => open, { timeout: 30_000 }).toBe(0);
  });
});
