import type { Sketch } from '../value/sketch.js';
import { type Counters, createCounters, withoutCounters } from './counters.js';
import { createFrame, type Frame, withoutFrame } from './frame.js';
import { createScrollback, type Scrollback } from './scrollback.js';

/** What a host writes around every result, as far as it was recognised. */
export interface Surroundings {
  readonly scrollback: Scrollback;
  readonly frame: Frame;
  readonly counters: Counters;
}

export function createSurroundings(): Surroundings {
  return { scrollback: createScrollback(), frame: createFrame(), counters: createCounters() };
}

/** A result without what the host writes around every result. `asked`: the words of its call. */
export function withoutSurroundings(
  { frame, counters }: Surroundings,
  text: string,
  asked: Sketch,
  failed: boolean,
): string {
  return withoutCounters(counters, withoutFrame(frame, text, asked), failed);
}
