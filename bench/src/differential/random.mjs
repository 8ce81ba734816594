/**
 * Choices from a seed (mulberry32): the same seed gives the same choices on every machine.
 *
 * @typedef {ReturnType<typeof createRandom>} Random
 */

/** @param {number} seed */
export function createRandom(seed) {
  let state = seed >>> 0;

  /** A number from 0 up to but not including 1. */
  function next() {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  }

  /** An integer from `least` to `most`. */
  const between = (/** @type {number} */ least, /** @type {number} */ most) =>
    least + Math.floor(next() * (most - least + 1));

  return {
    between,
    /** True once in `n` times. */
    oneIn: (/** @type {number} */ n) => next() * n < 1,
    /**
     * @template Item
     * @param {readonly Item[]} items
     * @returns {Item}
     */
    pick: (items) => /** @type {Item} */ (items[between(0, items.length - 1)]),
  };
}

/** The seed of the n-th of many streams. */
export function seedOf(/** @type {number} */ seed, /** @type {number} */ n) {
  return (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(n + 1, 0xc2b2ae35)) >>> 0;
}
