/** What the gateway tells the page. */
export interface Live {
  readonly sessions: readonly LiveSession[];
  readonly health: { readonly state: string; readonly message?: string };
  readonly now: number;
}

export interface LiveSession {
  readonly key: string;
  readonly name: string;
  readonly agent: string;
  readonly model: string;
  readonly startedAt: number;
  readonly lastAt: number;
  readonly requests: number;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly loops: number;
  readonly steers: number;
  readonly blocks: number;
  readonly stopped: string;
  readonly circuit: string;
  readonly disabled: boolean;
  readonly cost?: number;
}

export interface Mark {
  readonly at: number;
  readonly type: string;
  readonly name: string;
  readonly detail: string;
  readonly failed?: boolean;
}

export interface Evidence {
  readonly at: number;
  readonly kind: string;
  readonly status: 'suspect' | 'looping';
  readonly detector: string;
  readonly explanation: string;
  readonly confidence: number;
  readonly tools: readonly string[];
}

export interface Detail {
  readonly marks: readonly Mark[];
  readonly evidence: readonly Evidence[];
}

export type LiveAction =
  | { readonly action: 'continue' | 'disable' | 'stop' }
  | { readonly action: 'hint'; readonly text: string }
  | { readonly action: 'exempt'; readonly tool: string };

/** How a session stands, in one word and a class for its colour. */
export function standing({ stopped, disabled, circuit, lastAt }: LiveSession, now: number): readonly [string, string] {
  if (stopped !== '') return ['stopped', 'looping'];
  if (disabled) return ['not watched', 'quiet'];
  if (circuit === 'open') return ['stopped', 'looping'];
  if (circuit === 'probation') return ['steered', 'suspect'];
  return now - lastAt < 60_000 ? ['running', 'clean'] : ['quiet', 'quiet'];
}

/** "now", "12 s ago", "3 min ago", "5 h ago". */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1_000));
  if (seconds < 3) return 'now';
  if (seconds < 90) return `${seconds} s ago`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min ago` : `${Math.round(seconds / 3_600)} h ago`;
}
