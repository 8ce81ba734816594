import { query } from '@anthropic-ai/claude-agent-sdk';
import { loopHooks, openSession } from '@loopfuse/claude-agent';

export async function answer(prompt: string): Promise<string> {
  const session = openSession();
  let text = '';
  for await (const message of query({ prompt, options: { hooks: { ...loopHooks(session) } } }))
    if (message.type === 'result' && message.subtype === 'success') text = message.result;
  return session.error ? `Stopped: ${session.error.message}` : text;
}
