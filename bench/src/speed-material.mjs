/**
 * What the speed bench feeds: text and calls that look like honest work, the same in every run.
 * @typedef {{ id: string, tool: string, input: { [key: string]: string | number }, output: string }} Call
 */

const subjects = 'the parser,a worker,the cache,our client,every request,the scheduler,this test,the second pass,an empty list,the index'.split(',');
const verbs = 'reads,writes,drops,keeps,retries,checks,merges,splits,ignores,reports'.split(',');
const objects = 'the header,its own state,a stale entry,the whole file,one line at a time,what is left,the next token,a lock,both ends,the result'.split(',');
const tails = 'before it returns,when the flag is set,unless the queue is full,as the manual says,and logs a warning,so that nothing is lost,because of the race,for each session'.split(',');

/** Prose of at least `length` characters, from a generator with a fixed seed. */
export function prose(/** @type {number} */ length) {
  const random = generator(7);
  const pick = (/** @type {readonly string[]} */ list) => /** @type {string} */ (list[Math.floor(random() * list.length)]);
  let text = '';
  while (text.length < length) {
    const sentence = `${pick(subjects)} ${pick(verbs)} ${pick(objects)} ${pick(tails)} ${Math.floor(random() * 1e6).toString(36)}`;
    text += `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.${random() < 0.15 ? '\n\n' : ' '}`;
  }
  return text.slice(0, length);
}

/** Small calls: files read here and there. @returns {Call[]} */
export function readCalls(/** @type {number} */ count) {
  return asParsed(
    Array.from({ length: count }, (_, k) => ({
      id: `call-${k}`,
      tool: 'read_file',
      input: { path: `src/module-${k % 977}/part-${k % 31}.ts`, offset: k % 400, limit: 200 },
      output: `export const value${k} = ${k * 7919};`,
    })),
  );
}

/** Calls that write files of some `length` characters. @returns {Call[]} */
export function writeCalls(/** @type {number} */ count, /** @type {number} */ length) {
  const contents = Array.from({ length: 16 }, (_, k) => prose(length + k));
  return asParsed(
    Array.from({ length: count }, (_, k) => ({
      id: `call-${k}`,
      tool: 'write_file',
      input: { path: `src/module-${k}.ts`, content: /** @type {string} */ (contents[k % contents.length]) },
      output: `Wrote src/module-${k}.ts.`,
    })),
  );
}

/** Calls as they come off a wire: strings that a parser made are laid out otherwise than strings put together here. */
function asParsed(/** @type {Call[]} */ calls) {
  return /** @type {Call[]} */ (JSON.parse(JSON.stringify(calls)));
}

/** Mulberry32. */
function generator(/** @type {number} */ seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}
