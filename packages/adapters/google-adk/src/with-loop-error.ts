import type { Session } from '@loopfuse/session';

/**
 * The same events of `runner.runAsync(…)`, with the `LoopError` thrown after the last of them if the session was ended
 * with `exitBehavior: 'error'`. The model cannot do this, because the SDK turns what a model throws into an event
 * without the findings.
 */
export async function* withLoopError<Event>(events: AsyncIterable<Event>, session: Session): AsyncGenerator<Event> {
  yield* events;
  if (session.exitBehavior === 'error' && session.error) throw session.error;
}
