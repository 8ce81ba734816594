import type { Step } from 'loopfuse';

/** How new a step is in its lane, from 0 (nothing new) to 1, and whether it was progress. */
export interface Fresh {
  readonly fresh: number;
  readonly progress: boolean;
}

/** Remembers the calls, results and texts of one lane. */
export interface Novelty {
  step(step: Step): Fresh;
  text(text: string): number;
}

/** Triples of words in each of the two remembered generations; older ones are forgotten. */
const mostTriples = 50_000;

/**
 * A call counts half by itself and half by its result, both as the detectors compare them; where the result proves
 * nothing, the call counts whole. Of text it is the share of triples of words that never came before.
 */
export function createNovelty(): Novelty {
  const calls = new Set<number>();
  const outcomes = new Set<number>();
  let triples = new Set<number>();
  let older = new Set<number>();

  return {
    step(step) {
      const isNewCall = !calls.has(step.call);
      calls.add(step.call);
      const outcome = outcomeOf(step);
      if (outcome === undefined) return { fresh: isNewCall ? 1 : 0, progress: isNewCall && step.mutated };
      const isNewOutcome = !outcomes.has(outcome);
      outcomes.add(outcome);
      const fresh = (Number(isNewCall) + Number(isNewOutcome)) / 2;
      const counts = step.status === 'ok' && !step.refused && step.effect !== 'note';
      return { fresh, progress: counts && (step.mutated ? isNewCall : isNewOutcome) };
    },
    text(text) {
      let count = 0;
      let unseen = 0;
      let before = 0;
      let last = 0;
      for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{M}]+|\p{N}+/gu)) {
        const hash = hashOf(word);
        const triple = Math.imul(Math.imul(before, 31) + last, 0x85ebca6b) + hash;
        before = last;
        last = hash;
        count++;
        if (triples.has(triple) || older.has(triple)) continue;
        unseen++;
        triples.add(triple);
        if (triples.size < mostTriples) continue;
        older = triples;
        triples = new Set();
      }
      return count === 0 ? 1 : unseen / count;
    },
  };
}

/** What distinguishes results: for failures the line with the error. Undefined where equality would prove nothing. */
export function outcomeOf({ status, error, outcome, trivial }: Step): number | undefined {
  if (status === 'unseen' || trivial) return undefined;
  return error === undefined || error.bare ? outcome : error.line;
}

/** Something new or not, and how much it counts. */
export interface Weighed {
  readonly fresh: number;
  readonly weight: number;
}

/** The mean of each and those before it, `window` together, in whole percent; what weighs nothing changes nothing. */
export function slidingPercent(values: readonly Weighed[], window: number): number[] {
  return values.map((_, k) => {
    const stretch = values.slice(Math.max(0, k - window + 1), k + 1);
    const weight = stretch.reduce((sum, value) => sum + value.weight, 0);
    const fresh = stretch.reduce((sum, value) => sum + value.fresh * value.weight, 0);
    return weight === 0 ? 100 : Math.round((100 * fresh) / weight);
  });
}

/** FNV-1a. All numbers have the same hash, because a counter is nothing new. */
function hashOf(word: string): number {
  if (word >= '0' && word <= '9~') return 1;
  let hash = 0x811c9dc5;
  for (let k = 0; k < word.length; k++) hash = Math.imul(hash ^ word.charCodeAt(k), 0x01000193);
  return hash;
}
