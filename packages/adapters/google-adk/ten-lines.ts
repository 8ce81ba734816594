import { InMemoryRunner, LlmAgent, type LlmAgentConfig } from '@google/adk';
import { guarded, openSession } from '@loopfuse/google-adk';

export async function answer(config: LlmAgentConfig, prompt: string): Promise<string> {
  const session = openSession();
  const runner = new InMemoryRunner({ agent: new LlmAgent(guarded(config, session)) });
  const newMessage = { role: 'user', parts: [{ text: prompt }] };
  let text = '';
  for await (const { content } of runner.runEphemeral({ userId: 'me', newMessage }))
    text = content?.parts?.at(-1)?.text ?? text;
  return session.error ? `Stopped: ${session.error.message}` : text;
}
