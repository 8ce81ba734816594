import type { Session } from '@loopfuse/session';

/**
 * The same events of `runner.runAsync(…)`, with the `LoopError` thrown after the last of them where the session was ended
 * with `exitBehavior: 'error'`. The SDK makes an event of what a model throws, without the findings, so the model cannot
 * do it by itself.
 */
export async function* withLoopError<Event>(events: AsyncIterable<Event>, session: Session): AsyncGenerator<Event> {
  yield* events;
  if (session.exitBehavior === 'error' && session.error) throw session.error;
}
