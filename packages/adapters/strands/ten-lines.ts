import { loopPlugin, openSession } from '@loopfuse/strands';
import { Agent, type AgentConfig } from '@strands-agents/sdk';

export async function answer(config: AgentConfig, prompt: string): Promise<string> {
  const session = openSession();
  const agent = new Agent({ ...config, plugins: [...(config.plugins ?? []), loopPlugin(session)] });
  const result = await agent.invoke(prompt);
  return session.error ? `Stopped: ${session.error.message}` : result.toString();
}
