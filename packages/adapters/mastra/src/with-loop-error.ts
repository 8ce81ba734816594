import type { Session } from '@loopfuse/session';

/**
 * The same promise of the SDK, of `agent.generate(…)` or of the `text` of a stream, which rejects with the `LoopError`
 * if the session was ended with `exitBehavior: 'error'`. The processor cannot do this, because Mastra turns what a
 * processor throws into its own error without the findings.
 */
export async function withLoopError<Result>(result: PromiseLike<Result>, session: Session): Promise<Result> {
  const value = await result;
  if (session.exitBehavior === 'error' && session.error) throw session.error;
  return value;
}
