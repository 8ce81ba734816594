import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addText,
  type ChantOptions,
  chantOf,
  recall,
  restartWindows,
  startWindows,
  textOf,
  type Windows,
} from './windows.js';

/** The plain way: a list of places for every window, by its UTF-8. */
function plainly({ windowChars, times, historyChars, gapChars, passesFiller }: ChantOptions) {
  let text = '';
  let next = 0;
  let places = new Map<string, number[]>();
  return {
    restart() {
      text = '';
      next = 0;
      places.clear();
    },
    add(delta: string): boolean {
      text += delta;
      const lost = Math.max(0, text.length - historyChars);
      text = text.slice(lost);
      next = Math.max(0, next - lost);
      const kept = [...places].map(
        ([key, list]) => [key, list.map((at) => at - lost).filter((at) => at >= 0)] as const,
      );
      places = new Map(kept.filter(([, list]) => list.length > 0).map(([key, list]) => [key, [...list]]));
      let found = false;
      for (; next + windowChars <= text.length; next++) {
        const window = text.slice(next, next + windowChars);
        if (passesFiller && isFiller(window)) continue;
        const key = window.replace(/\p{Surrogate}/gu, '\ufffd');
        const list = places.get(key) ?? [];
        if (list.length > 0 && text.slice(list[0], list[0]! + windowChars) !== window) continue;
        list.push(next);
        places.set(key, list);
        const first = list.at(-times);
        if (first !== undefined && next - first <= gapChars * (times - 1)) found = true;
      }
      return found;
    },
  };
}

function isFiller(window: string): boolean {
  return window.trim().length < 15 || /^[\s\-=*_+|#.`/\\~]+$/.test(window) || /^[\s\u2500-\u257f]+$/.test(window);
}

const letters = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 30 });
const halves = fc.string({ unit: fc.constantFrom('\ud83d', '\ude00', '\ude01', '\ufffd', 'a'), maxLength: 20 });
const filler = fc.string({ unit: fc.constantFrom(' ', ' ', '-', '=', '─', '\n', 'a'), maxLength: 40 });
const chanted = fc.tuple(fc.oneof(letters, halves, filler), fc.nat(12)).map(([unit, times]) => unit.repeat(times));
const deltas = fc.array(fc.oneof(letters, halves, filler, chanted, fc.constant(null)), { maxLength: 30 });
const small: fc.Arbitrary<ChantOptions> = fc
  .record({
    windowChars: fc.constantFrom(1, 2, 5, 16, 20),
    times: fc.integer({ min: 2, max: 5 }),
    more: fc.constantFrom(0, 1, 3, 20, 60, 300),
    gapChars: fc.integer({ min: 1, max: 40 }),
    passesFiller: fc.boolean(),
  })
  .map(({ more, ...rest }) => ({ ...rest, historyChars: rest.windowChars + more }));

describe('addText', () => {
  test('finds what the plain way finds, at the same delta', () => {
    fc.assert(
      fc.property(small, deltas, (options, stream) => {
        const chant = chantOf(options);
        const windows = startWindows(chant);
        const reference = plainly(options);
        for (const delta of stream) {
          if (delta === null) {
            restartWindows(windows);
            reference.restart();
          } else expect(addText(windows, delta, chant) !== undefined).toBe(reference.add(delta));
        }
      }),
      { numRuns: 1500 },
    );
  });

  test('finds the same wherever positions stand, also where they pass 2^32', () => {
    fc.assert(
      fc.property(small, deltas, fc.nat(400), (options, stream, before) => {
        const chant = chantOf(options);
        const low = startWindows(chant);
        const high = startWindows(chant, 2 ** 32 - before);
        for (const delta of stream) expect(found(high, delta, chant)).toEqual(found(low, delta, chant));
      }),
    );
  });

  test('finds the same after it was written down and recalled', () => {
    fc.assert(
      fc.property(small, deltas, deltas, (options, earlier, later) => {
        const chant = chantOf(options);
        const windows = startWindows(chant);
        for (const delta of earlier) found(windows, delta, chant);
        const recalled = startWindows(chant);
        const { floor, next, passed } = windows;
        const offsets = passed.filter((at) => at >= floor).map((at) => at - floor);
        recall(recalled, textOf(windows, floor), next - floor, offsets, chant);
        for (const delta of later) expect(found(recalled, delta, chant)).toEqual(found(windows, delta, chant));
      }),
      { numRuns: 300 },
    );
  });

  test('says where the second appearance began and how far apart they are', () => {
    const chant = chantOf({ windowChars: 4, times: 3, historyChars: 100, gapChars: 10, passesFiller: false });
    const windows = startWindows(chant);
    const { end } = windows;
    expect(addText(windows, 'abcdef12abcdef34abcd', chant)).toEqual({ start: end + 16, second: end + 8, every: 8 });
  });
});

/** What is found, counted from the first character that is remembered. */
function found(windows: Windows, delta: string | null, chant: ReturnType<typeof chantOf>) {
  if (delta === null) {
    restartWindows(windows);
    return undefined;
  }
  const refrain = addText(windows, delta, chant);
  return (
    refrain && { start: refrain.start - windows.floor, second: refrain.second - windows.floor, every: refrain.every }
  );
}
