import type { AgentEvent, EventOf, Finding, Json } from 'loopfuse';
import type { Message } from './history/message.js';

/** What a judge is shown before a turn. It must not change any of it. */
export interface JudgeContext {
  readonly promptId: string;
  /** The turn about to begin, counted from 1 since the prompt. */
  readonly turn: number;
  /** The user's request, in the user's words. */
  readonly request: string;
  readonly history: readonly Message[];
  /** What the engine has seen since the prompt, suspicions included: the latest sixteen, oldest first. */
  readonly findings: readonly Finding[];
}

/** What a judge has cost so far. */
export interface JudgeSpending {
  /** How many times the judge was asked, and how many times it gave no opinion. */
  readonly consultations?: number;
  readonly failures?: number;
  /** Requests to models. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In dollars, where it is known. */
  readonly cost?: number;
}

/**
 * A second opinion. It is asked before every model request and keeps its own schedule: it mostly has nothing to say,
 * and then answers `undefined` at once. The request waits for it, a minute at most. A rejection is no opinion.
 */
export interface Judge {
  consult(context: JudgeContext, signal: AbortSignal): Promise<EventOf<'opinion'> | undefined>;
  /** Called with every event right after the guard, and with what was found at it: for a judge that keeps a record of its own. */
  observe?(event: AgentEvent, findings: readonly Finding[]): void;
  readonly spending?: JudgeSpending;
  /** The name of the judge, and when it is asked, for users. */
  readonly name?: string;
  readonly schedule?: string;
  /** Why the last consultation gave no opinion; nothing where it gave one, or there was none yet. */
  readonly failure?: string | undefined;
  /** What the session file keeps for it, under `judge`. */
  snapshot?(): Json;
}
