import fc from 'fast-check';
import type { AgentEvent } from 'loopfuse';

/** How to cut deltas: the lengths of the pieces, used in turn and repeatedly. A 0 makes an empty delta. */
export type Cut = readonly number[];

export const everyCharacter: Cut = [1];

export function cuts(): fc.Arbitrary<Cut> {
  return fc.oneof(
    fc.constant(everyCharacter),
    fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 12 }),
    fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 6 }),
  );
}

/** The same stream in smaller pieces; `origin` has the index of the original event for every piece. */
export interface Recut {
  readonly events: readonly AgentEvent[];
  readonly origin: readonly number[];
}

/** Cuts every delta of text and reasoning of a session into pieces. */
export function recut(events: readonly AgentEvent[], cut: Cut): Recut {
  const lengths = cut.some((length) => length > 0) ? cut : everyCharacter;
  const pieces: AgentEvent[] = [];
  const origin: number[] = [];
  let turn = 0;
  events.forEach((event, index) => {
    const isDelta = event.type === 'text' || event.type === 'reasoning';
    if (!isDelta || event.text === '') {
      pieces.push(event);
      origin.push(index);
      return;
    }
    for (let from = 0; from < event.text.length; ) {
      const length = lengths[turn++ % lengths.length]!;
      pieces.push({ ...event, text: event.text.slice(from, from + length) });
      origin.push(index);
      from += length;
    }
  });
  return { events: pieces, origin };
}
