import { type Decision, decisionLike, type Findings, findingsLike, type Halt, isHalt } from './policy.js';
import { checked, nonNegative, oneOf } from './shape.js';

/**
 * The breaker of one session. Closed: the agent works. Probation: something was done about a loop and the agent must
 * show progress. Open: the agent was stopped or the user was asked; it does not go on until `release` or a new prompt.
 */
export type Circuit =
  | { readonly state: 'closed'; readonly trips: number }
  | { readonly state: 'probation'; readonly trips: number; readonly clean: number; readonly because: Findings }
  | { readonly state: 'open'; readonly trips: number; readonly decision: Halt };

/** What moves a circuit from one state to the next. */
export type CircuitInput =
  | { readonly type: 'steered'; readonly because: Findings } // a loop was seen, and the agent goes on
  | { readonly type: 'broken'; readonly decision: Halt } // a loop was seen, and the agent is halted
  | { readonly type: 'clean' } // a call ended without fresh evidence
  | { readonly type: 'released' } // the user lets the agent go on
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

/** What a circuit holds in each state. */
const circuitLike: { readonly [State in Circuit['state']]: object } = {
  closed: {},
  probation: { clean: nonNegative, because: findingsLike },
  open: {
    decision: (value: unknown, where: string) =>
      decisionLike(value, where) ??
      (isHalt(value as Decision) ? undefined : `${where} must be a decision to ask or to stop`),
  },
};

/** A circuit read back from a snapshot. Throws when it is not valid. */
export function loadCircuit(saved: unknown): Circuit {
  const circuit = checked({ state: oneOf(Object.keys(circuitLike)), trips: nonNegative }, saved, 'circuit');
  return checked(circuitLike[(circuit as unknown as Circuit).state], circuit, 'circuit') as Circuit;
}
