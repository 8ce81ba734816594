/** The head of a report. */
export interface ReportHead {
  readonly version: 1;
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
  /** The preset of detectors that the sessions were scanned with. */
  readonly preset: string;
  /** The day of the price list. */
  readonly pricesOf: string;
  readonly sessions: number;
  /** How to name each kind of loop, and what to do about it. */
  readonly kinds: { readonly [kind: string]: KindWords };
  /** The filters of the scan in words; absent if there were none. */
  readonly narrowed?: string;
  /** The files that could not be read, or only in part: their number, and the first of them. Absent if there were none. */
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

/** A session as the overview shows it. The caller masks and clips the texts. */
export interface SessionSummary {
  readonly id: string;
  readonly agent: string;
  readonly file: string;
  readonly model?: string;
  readonly project?: string;
  /** Its title in the agent, or the beginning of the first request. */
  readonly title?: string;
  /** The owner of the home folder that it was found in, if the report has sessions of several people. */
  readonly author?: string;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly events: number;
  readonly calls: number;
  /** Its total usage, in loops or not. */
  readonly used: SessionUse;
  /** A suspicion that became a loop is listed once, as the loop. */
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

/** The total usage of a session. Unknown values are absent, never zero. */
export interface SessionUse {
  readonly tokens?: number;
  /** In dollars. */
  readonly cost?: number;
  readonly minutes?: number;
}

/** The usage of a loop from its onset until it was last seen. Unknown values are absent, never zero. */
export interface LoopWaste {
  readonly calls: number;
  readonly characters: number;
  readonly tokens?: number;
  /** In dollars. */
  readonly cost?: number;
  readonly minutes?: number;
}
