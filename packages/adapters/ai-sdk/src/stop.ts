import type { Session } from '@loopfuse/session';
import type { StepResult, ToolSet } from 'ai';
import { stepEvents } from './translate.js';

/** A condition for `stopWhen`: reports the results of the last step to the guard, and is true when the run must end. */
export function loopStop(session: Session): (options: { steps: StepResult<ToolSet>[] }) => Promise<boolean> {
  return async ({ steps }) => {
    const last = steps.at(-1);
    const events = last ? session.attempt('translate', () => stepEvents(last), []) : [];
    for (const event of events) await session.settle(session.result(event));
    if (session.error && session.exitBehavior === 'error') throw session.error;
    return session.error !== undefined;
  };
}
