import type { AgentEvent } from './event.js';
import type { Waste } from './finding.js';
import { checked, only } from './shape.js';

/**
 * What a lane has spent so far, with marks that tell how much was spent since an earlier event. A mark is four numbers:
 * seq, and the three counts before that event.
 */
export interface Tally {
  calls: number;
  characters: number;
  tokens: number;
  /** Index of the last event counted. */
  last: number;
  /** The number of characters at which the next delta is marked; 0 after something else was spent. */
  due: number;
  marks: number[];
}

const maxMarks = 128;
const width = 4;

export function startTally(): Tally {
  return { calls: 0, characters: 0, tokens: 0, last: -1, due: 0, marks: [] };
}

/**
 * Counts one event. A mark is set before every event other than a delta, before the first delta after something was
 * spent on a call, and every few hundred characters of deltas. Old marks are thinned out, except those where the loops
 * of `kept` began.
 */
export function count(tally: Tally, event: AgentEvent, seq: number, kept: readonly { onset: number }[] = []): void {
  if (event.type === 'text' || event.type === 'reasoning') {
    if (tally.characters >= tally.due) mark(tally, seq, kept);
    tally.characters += event.text.length;
  } else {
    mark(tally, seq, kept);
    if (event.type === 'tool-call') tally.calls++;
    else if (event.type === 'usage') tally.tokens += counted(event.inputTokens) + counted(event.outputTokens);
    tally.due = dueAfter(tally);
  }
  tally.last = seq;
}

function dueAfter({ calls, tokens, marks }: Tally): number {
  const last = marks.length - width;
  return last < 0 || calls !== marks[last + 1] || tokens !== marks[last + 3] ? 0 : marks[last + 2]! + 256;
}

/** What was spent since the event `onset`; since the oldest mark if the onset lies before all of them. */
export function wasteSince(tally: Tally, onset: number): Waste {
  const { marks } = tally;
  let low = 0;
  let high = marks.length / width - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (marks[middle * width]! <= onset) low = middle;
    else high = middle - 1;
  }
  const base = low * width;
  return {
    calls: tally.calls - (marks[base + 1] ?? 0),
    characters: tally.characters - (marks[base + 2] ?? 0),
    tokens: tally.tokens - (marks[base + 3] ?? 0),
  };
}

const quantity = only('a number of at least 0', (value) => Number.isFinite(value) && (value as number) >= 0);

/** A tally read back from a snapshot, whose object is reused. Throws when it is not valid. */
export function loadTally(saved: unknown): Tally {
  checked({ calls: quantity, characters: quantity, tokens: quantity, last: 0, marks: [quantity] }, saved, 'tally');
  const tally = saved as Tally;
  if (tally.marks.length % width > 0 || tally.marks.length > maxMarks * width)
    throw new TypeError(`tally.marks must be at most ${maxMarks} marks of ${width} numbers`);
  tally.due = dueAfter(tally);
  return tally;
}

function mark(tally: Tally, seq: number, kept: readonly { onset: number }[]): void {
  const { marks } = tally;
  if (marks.length >= maxMarks * width) thin(marks, kept);
  marks.push(seq, tally.calls, tally.characters, tally.tokens);
  tally.due = tally.characters + 256;
}

/** Drops every second mark of the older half; recent marks and those where loops began stay. */
function thin(marks: number[], kept: readonly { onset: number }[]): void {
  const half = maxMarks >> 1;
  let to = 0;
  for (let from = 0; from < half; from++) {
    if (from % 2 === 1 && !isKept(kept, marks[from * width]!, marks[(from + 1) * width]!)) continue;
    for (let k = 0; k < width; k++) marks[to * width + k] = marks[from * width + k]!;
    to++;
  }
  const gap = (half - to) * width;
  for (let k = half * width; k < marks.length; k++) marks[k - gap] = marks[k]!;
  marks.length -= gap;
}

/** Whether one of the loops began between these events. */
function isKept(kept: readonly { onset: number }[], from: number, to: number): boolean {
  for (const { onset } of kept) if (from <= onset && onset < to) return true;
  return false;
}

/** Wrong numbers (NaN, infinite, negative, too large) count as 0, so that no sum goes out of range. */
export function counted(reported: number): number {
  return reported > 0 && reported < 1e12 ? reported : 0;
}
