import type { Decision } from 'loopfuse';

type DecisionOf<Type extends Decision['type']> = Extract<Decision, { type: Type }>;

/**
 * What a host does about each type of decision, as an object literal: after a new type is added, code that does not
 * handle it no longer compiles.
 */
export type Handlers<Outcome> = { readonly [Type in Decision['type']]: (decision: DecisionOf<Type>) => Outcome };

export function handle<Outcome>(handlers: Handlers<Outcome>, decision: Decision): Outcome {
  return (handlers[decision.type] as (decision: Decision) => Outcome)(decision);
}

/**
 * What happens to the model's answer while it is read: it goes on; it is cut short and the model is asked again with
 * the waiting message; or the run ends.
 */
export type OutputAction = 'go-on' | 'again' | 'end';

/** The model reads no message while it answers, so every message to it cuts its answer short. */
export const onOutput: Handlers<OutputAction> = {
  allow: () => 'go-on',
  steer: () => 'again',
  block: () => 'again',
  rewind: () => 'again',
  escalate: () => 'again',
  ask: () => 'end',
  stop: () => 'end',
};
