import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { type AdapterDriver, adapterLaws, schemaOf } from '@loopfuse/testkit/adapters';
import { createAgent, tool } from 'langchain';
import { guardModelCall, guardToolCall, loopMiddleware } from './index.js';

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

const agent: AdapterDriver = {
  name: 'createAgent',
  protocol: 'openai-chat',
  async run(run) {
    const { prompt, stream, session, signal } = run;
    const middleware = [loopMiddleware({ session })];
    const made = createAgent({ model: modelOf(run), tools: toolsOf(run), middleware });
    const input = { messages: [{ role: 'user', content: prompt }] };
    const options = { signal, recursionLimit: 300 };
    if (!stream) return lastText((await made.invoke(input, options)).messages);
    let messages: BaseMessage[] = [];
    for await (const chunk of await made.stream(input, { ...options, streamMode: ['values', 'messages'] }))
      if (chunk[0] === 'values') messages = (chunk[1] as { messages: BaseMessage[] }).messages;
    return lastText(messages);
  },
};

const graph: AdapterDriver = {
  name: 'a graph of LangGraph with nodes of its own',
  protocol: 'openai-chat',
  async run(run) {
    const { prompt, stream, session, signal } = run;
    const tools = toolsOf(run);
    const model = modelOf(run).bindTools(tools);
    const made = new StateGraph(MessagesAnnotation)
      .addNode('model', async ({ messages }) => ({
        messages: [await guardModelCall(session, messages, (edited) => model.invoke(edited, { signal }))],
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
      .compile();
    const input = { messages: [{ role: 'user', content: prompt }] };
    const options = { signal, recursionLimit: 300 };
    if (!stream) return lastText((await made.invoke(input, options)).messages);
    let messages: BaseMessage[] = [];
    for await (const state of await made.stream(input, { ...options, streamMode: 'values' })) messages = state.messages;
    return lastText(messages);
  },
};

adapterLaws(agent);
adapterLaws(graph);
