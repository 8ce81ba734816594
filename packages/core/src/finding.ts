import { loopKinds } from './advice.js';
import type { Json } from './event.js';
import { oneOf } from './shape.js';

/** What a loop looks like. User interfaces choose titles, icons and advice by it; all share one table (`loopKinds`). */
export type LoopKind =
  | 'repeated-calls'
  | 'cycle'
  | 'repeated-failure'
  | 'same-outcome'
  | 'oscillation'
  | 'chanting'
  | 'circling'
  | 'monologue'
  | 'stall'
  | 'judged'
  | 'budget';

/** What has been spent in the lane of a finding since the loop began. */
export interface Waste {
  calls: number;
  /** Characters of text and reasoning. */
  characters: number;
  /** Tokens that `usage` events reported; zero when the host reports none. */
  tokens: number;
}

/** A fact with its evidence: at event `seq`, `detector` saw a loop whose first repeat began at event `onset`. */
export interface Finding {
  /** The name of the detector. */
  detector: string;
  /** What the loop looks like. */
  kind: LoopKind;
  /** `suspect` is a reason to look closer, `looping` a reason to act. */
  status: 'suspect' | 'looping';
  /** The loop it belongs to; several detectors often see the same one. Unique within the session (see `episode.ts`). */
  episode: string;
  /** Zero-based index, in the session, of the event at which it was seen. */
  seq: number;
  /** Index of the first event of the first repeat, as this detector sees it. */
  onset: number;
  /** 0 for the first finding of an episode at this status; 1, 2, … each time the same loop is seen going on. */
  again: number;
  /** 0 to 1; lower if results were not seen. */
  confidence: number;
  /** What the detector saw, as data; its `explain` turns it into a sentence. */
  evidence: Json;
  /** The tools that take part, for "never flag this tool"; empty for text. */
  tools: readonly string[];
  /** Fingerprints of the calls that take part, so that a policy can refuse the next one. */
  calls: readonly number[];
  waste: Waste;
  lane?: string;
}

/** The shape of a finding. */
export const findingLike = {
  detector: '',
  kind: oneOf(Object.keys(loopKinds)),
  status: oneOf(['suspect', 'looping']),
  episode: '',
  seq: 0,
  onset: 0,
  again: 0,
  confidence: 0,
  tools: [''],
  calls: [0],
  waste: { calls: 0, characters: 0, tokens: 0 },
};

/** The answer of the watch to an event: nothing was seen at this event, or the findings. */
export type Verdict =
  | { status: 'clear' }
  | { status: 'suspect' | 'looping'; findings: readonly [Finding, ...Finding[]] };
