import type { Finding } from 'loopfuse';
import { laterOf, type Place, type Spent, spentBetween } from './spending.js';

/** The span of a loop or of a suspicion in its lane: where it began, where it was first seen, where it was last seen. */
export interface Span {
  readonly finding: Finding;
  readonly from: Place;
  readonly seen: Place;
  readonly to: Place;
}

export interface Charge {
  readonly spent: Spent;
  readonly spentUntil: Spent;
}

/**
 * What each loop of a session is charged with: what its lane used in its span, from the first event of the first repeat
 * to the event at which it was last seen. Where the spans of two loops overlap (a loop of text beside one of calls), what
 * lies in both is charged to the one that began first, so that nothing is counted twice and no loop costs more than its
 * span holds. Suspicions carry what their span holds, and nothing is taken from them or because of them.
 */
export function chargesOf(spans: readonly Span[]): Charge[] {
  const charges: Charge[] = [];
  const charged = new Map<string, Place>();
  const order = spans.map((_, k) => k);
  order.sort((a, b) => spans[a]!.finding.onset - spans[b]!.finding.onset || a - b);
  for (const k of order) {
    const { finding, from, seen, to } = spans[k]!;
    const lane = finding.lane ?? '';
    const isLoop = finding.status === 'looping';
    const before = isLoop ? charged.get(lane) : undefined;
    const start = before === undefined ? from : laterOf(before, from);
    charges[k] = { spent: spentBetween(start, seen), spentUntil: spentBetween(start, to) };
    if (isLoop) charged.set(lane, before === undefined ? to : laterOf(before, to));
  }
  return charges;
}
