import { guarded, LoopError, openSession } from '@loopfuse/ai-sdk';
import { generateText, isStepCount, type LanguageModel, streamText, ToolLoopAgent, type ToolSet } from 'ai';

export async function answer(model: LanguageModel, tools: ToolSet, prompt: string): Promise<string> {
  const session = openSession();
  const { text } = await generateText(guarded({ model, tools, stopWhen: isStepCount(50), prompt }, session));
  return session.error ? `Stopped: ${session.error.message}` : text;
}

export function stream(model: LanguageModel, tools: ToolSet, prompt: string): AsyncIterable<string> {
  return streamText(guarded({ model, tools, stopWhen: isStepCount(50), prompt })).textStream;
}

// Each call of the agent is a session of its own.
export async function ask(model: LanguageModel, tools: ToolSet, prompt: string): Promise<string> {
  const agent = new ToolLoopAgent(guarded({ model, tools }, { exitBehavior: 'error' }));
  try {
    return (await agent.generate({ prompt })).text;
  } catch (error) {
    if (LoopError.isInstance(error)) return `Stopped: ${error.findings[0]?.kind}`;
    throw error;
  }
}
