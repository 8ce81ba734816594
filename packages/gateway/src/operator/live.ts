import type { AgentEvent } from 'loopfuse';
import type { SessionFacts } from '../session.js';

/** What the gateway sends to its live page. */
export interface Live {
  readonly sessions: readonly LiveSession[];
  readonly health: { readonly state: string; readonly message?: string };
  readonly now: number;
}

/** A session, as the page gets it. */
export interface LiveSession extends Readonly<SessionFacts> {
  readonly key: string;
  readonly circuit: string;
  readonly disabled: boolean;
  /** At list prices. */
  readonly cost?: number | undefined;
}

/** What the page gets about one session. */
export interface Detail {
  readonly marks: readonly Mark[];
  readonly evidence: readonly Evidence[];
}

/** One mark of a session's timeline. It holds no content except the beginning of a call's input. */
export interface Mark {
  readonly at: number;
  readonly type: AgentEvent['type'] | 'finding' | 'action';
  /** A tool, a kind of loop, or the action taken. */
  readonly name: string;
  readonly detail: string;
  readonly failed?: boolean;
}

/** What a loop looks like, in words. */
export interface Evidence {
  readonly at: number;
  readonly kind: string;
  readonly status: 'suspect' | 'looping';
  readonly detector: string;
  readonly explanation: string;
  readonly confidence: number;
  readonly tools: readonly string[];
}

/** The actions that the page can ask for. */
export type LiveAction =
  | { readonly action: 'continue' | 'disable' | 'stop' }
  | { readonly action: 'hint'; readonly text: string }
  | { readonly action: 'exempt'; readonly tool: string };
