import { AIMessage } from '@langchain/core/messages';
import { Command, END, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { loopsForever, type ModelServer, type Script, startModelServer } from '@loopfuse/model-server';
import { createAgent, tool } from 'langchain';
import { ladder } from 'loopfuse';
import { afterEach, describe, expect, test } from 'vitest';
import { type LoopInterrupt, type LoopMiddlewareOptions, loopMiddleware, openSession } from './index.js';

let server: ModelServer | undefined;
afterEach(async () => server?.close());

async function serving(script: Script): Promise<ChatOpenAI> {
  server = await startModelServer({ script });
  const configuration = { baseURL: `${server.url}/v1` };
  return new ChatOpenAI({ model: 'scripted-model', apiKey: 'scripted', configuration, maxRetries: 0 });
}

function reader(reads: string[]) {
  return tool(
    async ({ path }: { path: string }) => {
      reads.push(path);
      return '# Sample';
    },
    {
      name: 'read_file',
      description: 'Reads a file.',
      schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  );
}

const request = { messages: [{ role: 'user', content: 'Find out what main does.' }] };
const on = (thread_id: string) => ({ configurable: { thread_id }, recursionLimit: 200 });

describe('a thread with a checkpointer', () => {
  const policy = ladder({ steers: 0, last: 'ask' });

  /** Approves every question; `fresh` makes an agent and a middleware for each, as another process would. */
  async function conversation(
    fresh: boolean,
    resume: unknown = { decisions: [{ type: 'approve' }] },
  ): Promise<number[]> {
    const model = await serving(loopsForever({ rounds: 14 }));
    const checkpointer = new MemorySaver();
    const reads: string[] = [];
    const make = () =>
      createAgent({ model, tools: [reader(reads)], middleware: [loopMiddleware({ policy })], checkpointer });
    const asked: number[] = [];
    let agent = make();
    let state = (await agent.invoke(request, on('one'))) as { __interrupt__?: { value?: unknown }[] };
    while (state.__interrupt__?.length) {
      const [{ value }] = state.__interrupt__ as [{ value: LoopInterrupt }];
      expect(value).toMatchObject({
        actionRequests: [{ name: 'read_file', description: expect.stringContaining('read_file') }],
        findings: [{ kind: 'repeated-calls' }],
      });
      asked.push(reads.length);
      if (fresh) agent = make();
      state = (await agent.invoke(new Command({ resume }) as never, on('one'))) as typeof state;
    }
    await server?.close();
    return asked;
  }

  test('is asked about at the same calls when every answer comes to another process', async () => {
    const inOne = await conversation(false);
    expect(await conversation(true)).toEqual(inOne);
    expect(inOne.length).toBeGreaterThan(2);
  });

  test.each([{ type: 'approve' }, { type: 'accept' }, { type: 'continue' }, true])(
    'takes %j for an approval',
    async (resume) => {
      expect(await conversation(false, resume)).toEqual(await conversation(false));
    },
  );

  test.each(['no', {}, { type: 'reject' }, { type: 'ignore' }])('takes %j for a rejection', async (resume) => {
    const rejected = await conversation(false, { decisions: [{ type: 'reject' }] });
    expect(await conversation(false, resume)).toEqual(rejected);
    expect(rejected).not.toEqual(await conversation(false));
  });

  test('goes on from an earlier checkpoint as it was then', async () => {
    const model = await serving(loopsForever({ rounds: 30 }));
    const reads: string[] = [];
    const errors: string[] = [];
    const middleware = [loopMiddleware({ onStop: ({ message }) => errors.push(message) })];
    const agent = createAgent({ model, tools: [reader(reads)], middleware, checkpointer: new MemorySaver() });
    await agent.invoke(request, on('one'));
    expect([reads.length, errors.length]).toEqual([3, 1]);
    const checkpoints = [];
    for await (const state of agent.graph.getStateHistory(on('one'))) checkpoints.push(state);
    const early = checkpoints.find(
      ({ values, next }) => values.messages?.length === 3 && next.includes('model_request'),
    );
    reads.length = 0;
    await agent.invoke(null as never, early!.config as never);
    // One round was there before, two more make the loop: it is neither stopped at once nor forgotten.
    expect([reads.length, errors.length]).toEqual([2, 2]);
  });
});

describe('one middleware', () => {
  test('keeps the threads that it serves at once apart', async () => {
    const model = await serving(loopsForever({ rounds: 2 }));
    const reads: string[] = [];
    const errors: string[] = [];
    const options: LoopMiddlewareOptions = { onStop: ({ message }) => errors.push(message) };
    const agent = createAgent({
      model,
      tools: [reader(reads)],
      middleware: [loopMiddleware(options)],
      checkpointer: new MemorySaver(),
    });
    await Promise.all(Array.from({ length: 6 }, (_, k) => agent.invoke(request, on(`thread ${k}`))));
    expect([reads.length, errors]).toEqual([12, []]);
  });
});

test('threads that were interrupted before the guard was added are kept apart when they are resumed', async () => {
  const model = await serving(loopsForever({ rounds: 3 }));
  const checkpointer = new MemorySaver();
  const errors: string[] = [];
  const reads: string[] = [];
  const asks = { ...reader(reads), invoke: () => interrupt('May I?') } as never;
  const bare = createAgent({ model, tools: [asks], checkpointer });
  const options: LoopMiddlewareOptions = { onStop: ({ message }) => errors.push(message) };
  const agent = createAgent({ model, tools: [reader(reads)], middleware: [loopMiddleware(options)], checkpointer });
  for (const thread of ['one', 'two', 'three']) {
    await bare.invoke(request, on(thread));
    await agent.invoke(new Command({ resume: true }) as never, on(thread));
  }
  expect([reads.length, errors]).toEqual([9, []]);
});

test('a subgraph of LangGraph is a lane of its own', async () => {
  const model = await serving(loopsForever({ rounds: 20 }));
  const session = openSession();
  const reads: string[] = [];
  const helper = createAgent({
    model,
    tools: [reader(reads)],
    middleware: [loopMiddleware({ session: session.in('helper') })],
  });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('lead', async () => ({ messages: [new AIMessage('The helper will do it.')] }))
    .addNode('ask', async () => ({ messages: request.messages }))
    .addNode('helper', helper.graph as never)
    .addEdge(START, 'lead')
    .addEdge('lead', 'ask')
    .addEdge('ask', 'helper' as never)
    .addEdge('helper' as never, END)
    .compile();
  const { messages } = await graph.invoke({ messages: [] }, { recursionLimit: 200 });
  expect(session.error?.findings[0]).toMatchObject({ kind: 'repeated-calls', lane: 'helper' });
  expect(reads).toHaveLength(3);
  expect(messages.at(-1)?.text).toBe(session.error?.message);
});
