import type { Finding, Halt } from 'loopfuse';

const brand = Symbol.for('loopfuse.LoopError');

/** The error of a run that was ended because the agent was looping. Carries the findings and the decision. */
export class LoopError extends Error {
  override readonly name = 'LoopError';
  readonly code = 'LOOP';
  readonly decision: Halt;
  readonly [brand] = true;

  constructor(decision: Halt) {
    super(decision.type === 'stop' ? decision.reason : decision.question.message);
    this.decision = decision;
  }

  get findings(): readonly Finding[] {
    return this.decision.findings;
  }

  /** Also true for an error that another copy of this package made. */
  static isInstance(value: unknown): value is LoopError {
    return typeof value === 'object' && value !== null && brand in value;
  }

  /** The loop error in a chain of causes, for SDKs that wrap what they catch. */
  static in(error: unknown): LoopError | undefined {
    let at: unknown = error;
    for (let depth = 0; depth < 8 && typeof at === 'object' && at !== null; depth++) {
      if (LoopError.isInstance(at)) return at;
      at = (at as { cause?: unknown }).cause;
    }
    return undefined;
  }
}
