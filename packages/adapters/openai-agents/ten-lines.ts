import { guarded, openSession } from '@loopfuse/openai-agents';
import { type Agent, run } from '@openai/agents';

export async function answer(agent: Agent, prompt: string): Promise<string> {
  const session = openSession();
  const { finalOutput } = await run(guarded(agent, session), prompt, { maxTurns: 50 });
  return session.error ? `Stopped: ${session.error.message}` : String(finalOutput);
}

// A conversation of several runs, in one process or in several: keep the snapshot beside the messages.
export async function goOn(agent: Agent, prompt: string, saved: string): Promise<string> {
  const session = openSession({ snapshot: JSON.parse(saved) });
  await run(guarded(agent, session), prompt);
  return JSON.stringify(session.snapshot());
}
