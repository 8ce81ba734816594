import { type Finding, isFinding } from './finding.js';

/**
 * The breaker of one session. Closed: the agent works. Probation: it was steered and must show that it moves. Open: it
 * was stopped or a person was asked; nothing goes on until `release` or a new prompt.
 */
export type Circuit =
  | { readonly state: 'closed'; readonly trips: number }
  | {
      readonly state: 'probation';
      readonly trips: number;
      readonly clean: number;
      readonly because: readonly Finding[];
    }
  | { readonly state: 'open'; readonly trips: number; readonly because: readonly Finding[] };

export type CircuitInput =
  | { readonly type: 'steered' | 'broken'; readonly because: readonly Finding[] } // a loop was seen, and this was done about it
  | { readonly type: 'clean' } // a call or a turn came to its end without fresh evidence
  | { readonly type: 'released' } // a person said: carry on
  | { readonly type: 'prompt' }; // a new request

export const closedCircuit: Circuit = { state: 'closed', trips: 0 };

/** The next state. Pure and total; `recovery` clean calls in a row end probation. */
export function transition(circuit: Circuit, input: CircuitInput, recovery = 8): Circuit {
  const { trips } = circuit;
  switch (input.type) {
    case 'steered':
      return { state: 'probation', trips: trips + 1, clean: 0, because: input.because };
    case 'broken':
      return { state: 'open', trips: trips + 1, because: input.because };
    case 'clean':
      if (circuit.state !== 'probation') return circuit;
      return circuit.clean + 1 >= recovery ? { state: 'closed', trips } : { ...circuit, clean: circuit.clean + 1 };
    case 'released':
      return { state: 'closed', trips };
    case 'prompt':
      return closedCircuit;
  }
}

/** A circuit read back from a snapshot. Throws where it is none. */
export function loadCircuit(saved: unknown): Circuit {
  const { state, trips, clean, because } = (saved ?? {}) as {
    [Key in 'state' | 'trips' | 'clean' | 'because']?: unknown;
  };
  if (!isCount(trips)) throw new TypeError('its trips are not counted');
  if (state === 'closed') return { state, trips };
  if (!Array.isArray(because) || because.length === 0 || !because.every(isFinding))
    throw new TypeError('it does not say because of which findings');
  if (state === 'open') return { state, trips, because };
  if (state === 'probation' && isCount(clean)) return { state, trips, clean, because };
  throw new TypeError('it is in no state that a circuit can be in');
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
