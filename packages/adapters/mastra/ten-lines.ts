import { guarded, openSession } from '@loopfuse/mastra';
import { Agent, type AgentConfig } from '@mastra/core/agent';

export async function answer(config: AgentConfig, prompt: string): Promise<string> {
  const session = openSession();
  const agent = new Agent(guarded(config, session));
  const { text, tripwire } = await agent.generate(prompt, { maxSteps: 50 });
  return tripwire ? `Stopped: ${session.error?.message ?? tripwire.reason}` : text;
}
