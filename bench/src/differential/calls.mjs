/**
 * Calls in runs about as long as the threshold, from inputs that differ in what may or may not matter.
 *
 * @typedef {import('./random.mjs').Random} Random
 */

const names = ['read_file', 'run_shell_command', 'replace', 'ls', 'a:b', '', 'tool\ud83d', 'tool\ud83e', 'tool\ufffd'];

const families = [
  [{ path: 'src/a.ts' }, { path: 'src/b.ts' }, { path: 'src/a.ts', limit: 20 }],
  [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
    { a: 1, b: 2, c: undefined },
    { a: 1, b: '2' },
  ],
  [{ n: 0 }, { n: -0 }, { n: Number.NaN }, { n: null }, { n: Number.POSITIVE_INFINITY }],
  [{ list: [1, 2] }, { list: [2, 1] }, { list: [1, 2, null] }, { list: [1, 2, undefined] }, { list: '1,2' }],
  [{}, [], null, undefined, '', 'undefined', 'null', 0, false],
  [{ at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }, { at: 0 }],
  [{ text: '\ud800' }, { text: '\ud801' }, { text: '\ufffd' }, { text: '\\ud800' }],
  [{ text: 'x'.repeat(3000) }, { text: `${'x'.repeat(2999)}y` }, { text: `y${'x'.repeat(2999)}` }],
  [{ x: { y: { z: [{}] } } }, { x: { y: { z: [[]] } } }, { x: { y: { z: {} } } }, { 'x.y': {} }],
  [{ deep: nested(150) }, { deep: nested(151) }, { deep: nested(150), more: 1 }],
  [{ a: 1.5 }, { a: '1.5' }, { a: 1e21 }, { a: 3_000_000_000 }, { a: -1 }],
];

/**
 * @param {Random} random
 * @param {number} threshold
 * @returns {{ name: string, args: unknown, callId: string }[]}
 */
export function callRun(random, threshold) {
  const family = random.pick(families);
  const name = random.pick(names);
  const args = random.pick(family);
  const length = random.oneIn(3) ? threshold + random.between(-1, 2) : random.between(1, threshold);
  const odd = random.oneIn(3) ? random.between(0, length - 1) : -1;
  return Array.from({ length }, (_, k) => ({
    name: k === odd && random.oneIn(3) ? random.pick(names) : name,
    args: k === odd ? random.pick(family) : args,
    callId: `call-${random.between(0, 999)}`,
  }));
}

function nested(/** @type {number} */ depth) {
  /** @type {unknown} */
  let value = 'bottom';
  for (let k = 0; k < depth; k++) value = k % 2 === 0 ? [value] : { value };
  return value;
}
