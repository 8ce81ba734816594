import type { Decision } from 'loopfuse';

type DecisionOf<Type extends Decision['type']> = Extract<Decision, { type: Type }>;

/**
 * What a host does about each kind of decision, as an object literal: a new kind does not compile until it is handled
 * everywhere.
 */
export type Handlers<Outcome> = { readonly [Type in Decision['type']]: (decision: DecisionOf<Type>) => Outcome };

export function handle<Outcome>(handlers: Handlers<Outcome>, decision: Decision): Outcome {
  return (handlers[decision.type] as (decision: Decision) => Outcome)(decision);
}

/**
 * What becomes of an answer of the model that is being read: it goes on, it is cut short and the model is asked again
 * with the message that is waiting for it, or the run ends.
 */
export type OutputAction = 'go-on' | 'again' | 'end';

/** The model reads no message while it answers, so whatever it is to be told cuts its answer short. */
export const onOutput: Handlers<OutputAction> = {
  allow: () => 'go-on',
  steer: () => 'again',
  block: () => 'again',
  rewind: () => 'again',
  escalate: () => 'again',
  ask: () => 'end',
  stop: () => 'end',
};
