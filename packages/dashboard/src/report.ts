/** What a report says of itself, before its sessions. */
export interface ReportHead {
  readonly version: 1;
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
  /** What the sessions were looked at with. */
  readonly preset: string;
  /** The day of the price list. */
  readonly pricesOf: string;
  readonly sessions: number;
  /** How to name each kind of loop, and what to do about it. */
  readonly kinds: { readonly [kind: string]: KindWords };
  /** What the scan was narrowed to, in words, where it was. */
  readonly narrowed?: string;
  /** What could not be read, or only in part, where there was such: how much of it, and the first. */
  readonly unread?: { readonly count: number; readonly first: readonly UnreadFile[] };
}

export interface UnreadFile {
  readonly file: string;
  readonly why: string;
}

export interface KindWords {
  readonly title: string;
  /** The message to the model. */
  readonly advice: string;
  /** What a person can do about it. */
  readonly remedy?: string;
}

/** A session as the overview shows it. Texts are masked and clipped by whoever makes it. */
export interface SessionSummary {
  readonly id: string;
  readonly agent: string;
  readonly file: string;
  readonly model?: string;
  readonly project?: string;
  /** What the agent calls it, or how the first request begins. */
  readonly title?: string;
  /** Whose home folder it was found in, where a report holds sessions of several people. */
  readonly author?: string;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly events: number;
  readonly calls: number;
  /** All that it used, in loops or not. */
  readonly used: SessionUse;
  /** Suspicions that became loops are not in it a second time. */
  readonly loops: readonly LoopSummary[];
}

export interface LoopSummary {
  readonly kind: string;
  readonly status: 'suspect' | 'looping';
  readonly detector: string;
  /** Indices of events: the first repeat, where the loop was first seen, and where it was last seen. */
  readonly onset: number;
  readonly seq: number;
  readonly until: number;
  readonly lane?: string;
  /** Empty for loops of text. */
  readonly tools: readonly string[];
  readonly rounds?: number;
  /** 0..1 */
  readonly confidence: number;
  /** What happened, in a sentence or two. */
  readonly message: string;
  readonly waste: LoopWaste;
}

/** What a session used in all. What is not known is left out, never zero. */
export interface SessionUse {
  readonly tokens?: number;
  /** In dollars. */
  readonly cost?: number;
  readonly minutes?: number;
}

/** What a loop used up from its onset until it was last seen. What is not known is left out, never zero. */
export interface LoopWaste {
  readonly calls: number;
  readonly characters: number;
  readonly tokens?: number;
  /** In dollars. */
  readonly cost?: number;
  readonly minutes?: number;
}
