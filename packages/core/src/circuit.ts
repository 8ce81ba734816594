import { type Findings, type Halt, isDecision, isFindings, isHalt } from './policy.js';

/**
 * The breaker of one session. Closed: the agent works. Probation: something was done about a loop and the agent must show
 * progress. Open: it was stopped or a person was asked; nothing goes on until `release` or a new prompt.
 */
export type Circuit =
  | { readonly state: 'closed'; readonly trips: number }
  | { readonly state: 'probation'; readonly trips: number; readonly clean: number; readonly because: Findings }
  | { readonly state: 'open'; readonly trips: number; readonly decision: Halt };

/** What moves a circuit from one state to the next. */
export type CircuitInput =
  | { readonly type: 'steered'; readonly because: Findings } // a loop was seen, and the agent goes on
  | { readonly type: 'broken'; readonly decision: Halt } // a loop was seen, and the agent is halted
  | { readonly type: 'clean' } // a call or a turn came to its end without fresh evidence
  | { readonly type: 'released' } // a person said: carry on
  | { readonly type: 'prompt' }; // a new request

/** The circuit of a fresh session. */
export const closedCircuit: Circuit = { state: 'closed', trips: 0 };

/** The next state. Pure and total; `recovery` clean calls in a row end probation. */
export function transition(circuit: Circuit, input: CircuitInput, recovery = 8): Circuit {
  const { trips } = circuit;
  switch (input.type) {
    case 'steered':
      return { state: 'probation', trips: trips + 1, clean: 0, because: input.because };
    case 'broken':
      return { state: 'open', trips: trips + 1, decision: input.decision };
    case 'clean':
      if (circuit.state !== 'probation') return circuit;
      return circuit.clean + 1 >= recovery ? { state: 'closed', trips } : { ...circuit, clean: circuit.clean + 1 };
    case 'released':
      return { state: 'closed', trips };
    case 'prompt':
      return closedCircuit;
  }
}

/** The findings because of which a circuit is not closed. */
export function becauseOf(circuit: Circuit): Findings | undefined {
  switch (circuit.state) {
    case 'closed':
      return undefined;
    case 'probation':
      return circuit.because;
    case 'open':
      return circuit.decision.findings;
  }
}

/** A circuit read back from a snapshot. Throws where it is none. */
export function loadCircuit(saved: unknown): Circuit {
  const { state, trips, clean, because, decision } = (saved ?? {}) as {
    [Key in 'state' | 'trips' | 'clean' | 'because' | 'decision']?: unknown;
  };
  if (!isCount(trips)) throw new TypeError(`circuit.trips must be a non-negative integer, got ${inJson(trips)}`);
  switch (state) {
    case 'closed':
      return { state, trips };
    case 'probation':
      if (!isCount(clean)) throw new TypeError(`circuit.clean must be a non-negative integer, got ${inJson(clean)}`);
      if (!isFindings(because)) throw new TypeError('circuit.because must be a list of findings, at least one');
      return { state, trips, clean, because };
    case 'open':
      if (!isDecision(decision) || !isHalt(decision))
        throw new TypeError('circuit.decision must be a decision to ask or to stop, with its findings');
      return { state, trips, decision };
    default:
      throw new TypeError(`circuit.state must be closed, probation or open, got ${inJson(state)}`);
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function inJson(value: unknown): string {
  return (JSON.stringify(value) ?? typeof value).slice(0, 100);
}
