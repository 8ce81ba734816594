import type { Query, SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import type { Session } from '@loopfuse/session';

/**
 * The same query, which throws the `LoopError` after its last message if the session was ended with `exitBehavior:
 * 'error'`. The hooks cannot do this, because what a hook throws does not reach the reader of the query.
 */
export function withLoopError(query: Query, session: Session): Query {
  async function next(...args: Parameters<Query['next']>): Promise<IteratorResult<SDKMessage, void>> {
    const step = await query.next(...args);
    if (step.done && session.exitBehavior === 'error' && session.error) throw session.error;
    return step;
  }

  const wrapped: Query = new Proxy(query, {
    get(target, property) {
      if (property === 'next') return next;
      if (property === Symbol.asyncIterator) return () => wrapped;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return wrapped;
}
