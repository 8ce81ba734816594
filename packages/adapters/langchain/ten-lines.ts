import { loopMiddleware, openSession } from '@loopfuse/langchain';
import { createAgent } from 'langchain';

type Options = Parameters<typeof createAgent>[0];

// Every thread is a session of its own, kept in the checkpoints of the graph.
export function guardedAgent(model: Options['model'], tools: NonNullable<Options['tools']>) {
  return createAgent({ model, tools, middleware: [loopMiddleware({ exitBehavior: 'end' })] });
}

export async function answer(model: Options['model'], tools: NonNullable<Options['tools']>, prompt: string) {
  const session = openSession();
  const agent = createAgent({ model, tools, middleware: [loopMiddleware({ session })] });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: prompt }] });
  return session.error ? `Stopped: ${session.error.message}` : messages.at(-1)?.text;
}
