import type { AgentEvent, Decision, GuardOptions, GuardSnapshot, Halt, Question, Release } from 'loopfuse';
import type { SavedEdits } from './edits.js';
import type { LoopError } from './loop-error.js';

/** The user's answer to a question. The text of a hint is passed on to the model. */
export type Answer = { readonly type: 'stop' } | (Release & { readonly text?: string });

const exitBehaviors = ['continue', 'end', 'error'] as const;
export type ExitBehavior = (typeof exitBehaviors)[number];

export function requireExitBehavior(where: string, value: unknown): void {
  if (value !== undefined && !(exitBehaviors as readonly unknown[]).includes(value))
    throw new RangeError(`${where}: exitBehavior must be continue, end or error, got ${JSON.stringify(value)}`);
}

/** Options of a guard, all of them optional, and what an adapter needs in addition. */
export interface SessionOptions extends Partial<GuardOptions> {
  /** Goes on from the result of `session.snapshot()`, from this process or another. */
  readonly snapshot?: SessionSnapshot;
  /**
   * What happens when the guard stops a run. `end` (the default) ends it as the SDK ends runs, and `session.error` says
   * why. `error` throws the `LoopError` to the code that started the run. `continue` keeps refusing the calls of the
   * loop and lets the model decide when to end.
   */
  readonly exitBehavior?: ExitBehavior;
  /** Asks the user at once. Without it a question becomes the approval or the interrupt of the SDK. */
  readonly onAsk?: (question: Question, decision: Halt) => Answer | PromiseLike<Answer>;
  /** Called once for each run that is stopped. */
  readonly onStop?: (error: LoopError) => void;
  /** Called for every decision other than allow, with the event it was taken at. */
  readonly onDecision?: (decision: Decision, event: AgentEvent) => void;
  /** The clock that stamps events; `Date.now` by default. */
  readonly now?: () => number;
}

/** Plain JSON of a bounded size. */
export interface SessionSnapshot {
  readonly version: 1;
  readonly guard: GuardSnapshot;
  readonly lanes: readonly SavedLane[];
}

export interface SavedLane extends SavedEdits {
  readonly lane: string;
  /** Calls whose results are still to come, with the decision about each. */
  readonly calls: readonly (readonly [id: string, decision: Decision])[];
  /** The message to the model if no stronger model takes the turn. */
  readonly escalation?: string;
  /** How many answers in a row were cut short and asked for again; absent if none was. */
  readonly again?: number;
  /** Whether the last request to the model failed; absent if it did not. */
  readonly failed?: boolean;
  /** Fingerprint of the latest request; absent before the first. */
  readonly request?: number;
}
