import type { Session } from '@loopfuse/session';

/**
 * The same promise of the SDK, of `agent.generate(…)` or of the `text` of a stream, which rejects with the `LoopError`
 * where the session was ended with `exitBehavior: 'error'`. Mastra turns what a processor throws into an error of its
 * own, without the findings, so the processor cannot do it by itself.
 */
export async function withLoopError<Result>(result: PromiseLike<Result>, session: Session): Promise<Result> {
  const value = await result;
  if (session.exitBehavior === 'error' && session.error) throw session.error;
  return value;
}
