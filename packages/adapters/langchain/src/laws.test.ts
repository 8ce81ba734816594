import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { Command, END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { type AdapterDriver, adapterLaws, schemaOf } from '@loopfuse/testkit/adapters';
import { createAgent, tool } from 'langchain';
import { guardModelCall, guardToolCall, type LoopInterrupt, loopMiddleware } from './index.js';

type Run = Parameters<AdapterDriver['run']>[0];

const modelOf = ({ url, model }: Run) =>
  new ChatOpenAI({ model, apiKey: 'scripted', configuration: { baseURL: `${url}/v1` }, maxRetries: 2 });

const toolsOf = ({ tools }: Run) =>
  tools.map((one) =>
    tool(async (input: unknown) => one.execute(input as Record<string, string>), {
      name: one.name,
      description: one.description,
      schema: schemaOf(one),
    }),
  );

const lastText = (messages: readonly BaseMessage[]) =>
  messages.findLast((message) => AIMessage.isInstance(message))?.text ?? '';

interface State {
  readonly messages: BaseMessage[];
  readonly __interrupt__?: readonly { readonly value?: unknown }[];
}

/** One thread: begun with the request, resumed after every interrupt as after one of `humanInTheLoopMiddleware`. */
async function converse(
  { prompt, signal, approve }: Run,
  ask: (
    input: object,
    options: { signal: AbortSignal; recursionLimit: number; configurable: { thread_id: string } },
  ) => Promise<State>,
): Promise<string> {
  const options = { signal, recursionLimit: 300, configurable: { thread_id: 'thread' } };
  let state = await ask({ messages: [{ role: 'user', content: prompt }] }, options);
  while (state.__interrupt__?.length) {
    const decisions = state.__interrupt__.flatMap(({ value }) =>
      (value as LoopInterrupt).actionRequests.map(({ description }) => ({
        type: approve(description) ? 'approve' : 'reject',
      })),
    );
    state = await ask(new Command({ resume: { decisions } }), options);
  }
  return lastText(state.messages);
}

const agent: AdapterDriver = {
  name: 'createAgent',
  protocol: 'openai-chat',
  async run(run) {
    const { stream, session, stronger } = run;
    const middleware = [loopMiddleware({ session, escalateTo: modelOf({ ...run, model: stronger }) })];
    const made = createAgent({ model: modelOf(run), tools: toolsOf(run), middleware, checkpointer: new MemorySaver() });
    return converse(run, async (input, options) => {
      if (!stream) return made.invoke(input as never, options);
      let state: State = { messages: [] };
      for await (const chunk of await made.stream(input as never, { ...options, streamMode: ['values', 'messages'] }))
        if (chunk[0] === 'values') state = { ...state, ...(chunk[1] as State) };
      return state;
    });
  },
};

const graph: AdapterDriver = {
  name: 'a graph of LangGraph with nodes of its own',
  protocol: 'openai-chat',
  async run(run) {
    const { stream, session, signal, stronger } = run;
    const tools = toolsOf(run);
    const model = modelOf(run).bindTools(tools);
    const second = modelOf({ ...run, model: stronger }).bindTools(tools);
    const made = new StateGraph(MessagesAnnotation)
      .addNode('model', async ({ messages }) => ({
        messages: [
          await guardModelCall(
            session,
            messages,
            (edited) => model.invoke(edited, { signal }),
            (edited) => second.invoke(edited, { signal }),
          ),
        ],
      }))
      .addNode('tools', async ({ messages }) => {
        const results = [];
        for (const call of (messages.at(-1) as AIMessage).tool_calls ?? [])
          results.push(
            await guardToolCall(session, call, async () => {
              const output = await tools.find(({ name }) => name === call.name)?.invoke(call.args as never);
              return new ToolMessage({ content: String(output), tool_call_id: call.id ?? '', name: call.name });
            }),
          );
        return { messages: results };
      })
      .addEdge(START, 'model')
      .addConditionalEdges('model', ({ messages }) =>
        (messages.at(-1) as AIMessage).tool_calls?.length ? 'tools' : END,
      )
      .addEdge('tools', 'model')
      .compile({ checkpointer: new MemorySaver() });
    return converse(run, async (input, options) => {
      if (!stream) return made.invoke(input as never, options);
      let last: State = { messages: [] };
      for await (const state of await made.stream(input as never, { ...options, streamMode: 'values' }))
        last = { ...last, ...(state as State) };
      return last;
    });
  },
};

adapterLaws(agent);
adapterLaws(graph);
