/**
 * Texts on both sides of every threshold: periods around the gap, totals around what is needed, cuts of all sizes, and
 * structure of every kind in between.
 *
 * @typedef {import('./random.mjs').Random} Random
 * @typedef {{ historyChars: number, gapChars: number }} Window
 */

const windowChars = 50;
const times = 10;

const alphabets = [
  'abcdefghijklmnopqrstuvwxyz     ',
  'abcdefghijklmnopqrstuvwxyz     ,.\n',
  'the same words as always, ',
  'ab ',
  'aeio ntr.,;:!?()\'"',
  'ABCDEFGHIJ KLMNOP0123456789 .,_-+*=',
  'AB01-=_.,*',
  '    \n\n\t|-+*#>`1.2 ab',
  'äöüßéñ łż',
  '我们现在再试一次看看文件是否已经修好了。，',
].map((letters) => [...letters]);
/** Letters without any structure. */
const plain = [...'abcdefghijklmnopqrstuvwxyz     '];
/** Halves of pairs, alone and together, and the character that replaces them in UTF-8. */
const halves = ['\ud83d', '\ud83e', '\ude00', '\ude01', '\ud83d\ude00', '\ud83d\ude01', '\ufffd', 'a', 'b', ' '];
const emoji = ['😀', '😁', '🔁', '🧪', '👍🏽', ' ', 'ok'];

/** Of which structure is made, and what it ends at. */
const marks = [
  ...'||||||---+++***###>>>111.....   \n\n\n\t\r\r\r\u2028\u2028\u2029\u00a0\u3000```=_aaBZ^─╿▀é',
  '```',
  '``',
];

const pieces = [
  '```',
  '``',
  '`',
  '```ts\n',
  '\n```\n',
  '``````',
  '\n',
  '\n\n',
  ' ',
  '\t',
  '\r\n',
  '\u2028',
  '\u00a0',
  '|',
  '| a | b |',
  '|---|---|',
  '---',
  '+++',
  '|+-',
  '--',
  '- ',
  '-',
  '* ',
  '*',
  '** bold **',
  '+ ',
  '+',
  '  * ',
  '1. ',
  '12. ',
  '1.',
  '1.5',
  '\n3. x',
  '# ',
  '#',
  '## Title',
  '#!',
  ' # no',
  '> ',
  '>',
  '> quoted',
  ' > no',
  '\n> q',
  '=',
  '===',
  '_',
  '____',
  '*****',
  '─────',
  '═',
  '│',
  'SELECT',
  'I',
  '42',
  '.',
  ',',
  '?',
  '!',
  '(x)',
  "'ll",
  ' do',
  'value',
  'x',
  '[1]',
  '<A>',
  '\\',
  '^',
  '~',
  '{',
  '\n* item',
  '\n - item',
  '\n|a',
  '|a\n|',
  '\n  + x',
  'text\n# H\n',
  'é',
];

/**
 * The deltas of a message: something repeated, with or without disturbance.
 *
 * @param {Random} random
 * @param {Window} window
 * @returns {string[]}
 */
export function deltas(random, window) {
  const shape = random.between(0, 99);
  if (shape < 26) return disturbed(random, cut(random, periodic(random, periodNear(random, window))));
  if (shape < 40) return disturbed(random, cut(random, spaced(random, window)));
  if (shape < 49) return disturbed(random, unitByUnit(random, periodNear(random, window)));
  if (shape < 75) return probing(random);
  if (shape < 83) return tokens(random);
  if (shape < 90) return cut(random, periodic(random, random.between(1, 60), random.pick([halves, emoji])));
  if (shape < 95) return cut(random, confusing(random));
  return bulky(random, window);
}

/** A delta of no consequence by itself, to come between other things. */
export function scrap(/** @type {Random} */ random) {
  return random.oneIn(2) ? random.pick(pieces) : lettersOf(random, random.between(0, 30), random.pick(alphabets));
}

/** Periods where verdicts turn: one character, the window, the gap. */
function periodNear(/** @type {Random} */ random, /** @type {Window} */ { gapChars }) {
  switch (random.between(0, 5)) {
    case 0:
      return random.between(1, 12);
    case 1:
      return random.between(45, 55);
    case 2:
      return gapChars + random.between(-2, 1);
    default:
      return random.between(1, gapChars);
  }
}

/** A unit over and over until about enough: ten windows take nine periods and a window. */
function periodic(/** @type {Random} */ random, /** @type {number} */ period, alphabet = random.pick(alphabets)) {
  const unit = lettersOf(random, period, alphabet);
  const enough = (times - 1) * unit.length + windowChars;
  const length = random.oneIn(2)
    ? enough + random.between(-2, 6)
    : Math.round(enough * (0.7 + random.between(0, 8) / 10));
  const text = unit.repeat(Math.ceil(length / unit.length) + 1);
  const shift = random.between(0, unit.length - 1);
  const chant = text.slice(shift, shift + length);
  const flawed = random.oneIn(6) ? replaceAt(chant, random.between(0, chant.length - 1), random.pick(alphabet)) : chant;
  return random.oneIn(3) ? lettersOf(random, random.between(1, 120), random.pick(alphabets)) + flawed : flawed;
}

/** The same sentence with something different after it each time: an average gap about the limit. */
function spaced(/** @type {Random} */ random, /** @type {Window} */ { gapChars }) {
  const alphabet = random.pick(alphabets);
  const sentence = lettersOf(random, random.between(windowChars - 2, windowChars + 15), alphabet);
  const mean = Math.max(0, gapChars - sentence.length + random.pick([-20, -3, -1, 0, 0, 1, 3]));
  let text = '';
  let owed = 0;
  for (let k = random.between(9, 16); k > 0; k--) {
    const length = Math.max(0, mean + owed + random.between(-8, 8));
    owed += mean - length;
    text += sentence + lettersOf(random, length, alphabet);
  }
  return text;
}

/** One unit a delta, as loops come when a model streams line by line. */
function unitByUnit(/** @type {Random} */ random, /** @type {number} */ period) {
  const unit = lettersOf(random, period, random.pick(alphabets));
  const enough = Math.ceil(((times - 1) * unit.length + windowChars) / unit.length);
  return Array.from({ length: Math.min(120, enough + random.between(-2, 4)) }, () => unit);
}

/** Too few repeats, something short, too few repeats: a loop exactly if what came between did not matter. */
function probing(/** @type {Random} */ random) {
  const unit = lettersOf(random, random.between(windowChars, windowChars + 8), plain);
  const probe = Array.from({ length: random.between(1, 6) }, () => random.pick(marks)).join('');
  const before = random.between(2, 9);
  const after = random.between(Math.max(2, times + 1 - before), 10);
  const middle = random.oneIn(3) ? [probe + unit] : [probe];
  if (random.oneIn(8)) return ['```', ...Array(before).fill(unit), `\`\`\`${unit}`, ...Array(times - 1).fill(unit)];
  return [...Array(before).fill(unit), ...middle, ...Array(after).fill(unit)];
}

/** A unit with half a pair in it, first one half and then another, which look the same in UTF-8. */
function confusing(/** @type {Random} */ random) {
  const unit = lettersOf(random, random.between(2, 70), random.pick(alphabets));
  const at = random.between(0, unit.length);
  const containing = (/** @type {string} */ half) => unit.slice(0, at) + half + unit.slice(at);
  const [first, second] = [random.pick(halves), random.pick(halves)];
  const round = containing(first).repeat(random.between(1, 8)) + containing(second).repeat(random.between(5, 40));
  return random.oneIn(3) ? round + containing(first).repeat(random.between(1, 12)) : round;
}

/** Short pieces with a meaning to the reader of structure, some of them over and over. */
function tokens(/** @type {Random} */ random) {
  const phrase = Array.from({ length: random.between(1, 5) }, () => {
    const word = lettersOf(random, random.between(1, 8), random.pick(alphabets));
    return random.oneIn(3) ? random.pick(pieces) : random.oneIn(2) ? ` ${word}` : word;
  });
  return disturbed(random, Array.from({ length: random.between(10, 40) }, () => phrase).flat());
}

/** Deltas so long that some of the text falls out of memory before anyone looks at it. */
function bulky(/** @type {Random} */ random, /** @type {Window} */ window) {
  if (random.oneIn(2)) return atTheEdge(random, window);
  const text = random.oneIn(2) ? spaced(random, window) : periodic(random, periodNear(random, window));
  const filler = () => lettersOf(random, random.between(1, window.historyChars), plain);
  const halfway = random.between(0, text.length);
  switch (random.between(0, 2)) {
    case 0:
      return [text + filler(), ...cut(random, text, [400, text.length])];
    case 1:
      return [text.slice(0, halfway), filler() + text.slice(halfway)];
    default:
      return [filler(), text.slice(0, halfway) + filler(), text.slice(halfway), text];
  }
}

/** Ten windows, of which the first is about to be forgotten, or just has been, when the last is looked at. */
function atTheEdge(/** @type {Random} */ random, /** @type {Window} */ { historyChars }) {
  const sentence = lettersOf(random, windowChars, plain);
  const before = Array.from({ length: times - 1 }, () => sentence + lettersOf(random, random.between(1, 20), plain));
  const used = before.join('').length;
  const rest = lettersOf(random, historyChars - used - windowChars + random.between(-1, 1), plain);
  return [lettersOf(random, random.between(0, 30), plain), ...before, sentence + rest];
}

/** Lets a structural piece in here and there: between deltas, or into one. */
function disturbed(/** @type {Random} */ random, /** @type {string[]} */ given) {
  if (!random.oneIn(3)) return given;
  const result = [...given];
  for (let k = random.between(1, 3); k > 0; k--) {
    const at = random.between(0, result.length - 1);
    const piece = random.pick(pieces) + (random.oneIn(4) ? random.pick(pieces) : '');
    const delta = result[at] ?? '';
    const place = random.between(0, delta.length);
    if (random.oneIn(2)) result.splice(at, 0, piece);
    else result[at] = delta.slice(0, place) + piece + delta.slice(place);
  }
  return result;
}

function cut(
  /** @type {Random} */ random,
  /** @type {string} */ text,
  sizes = [1, 3, 8, 20, 20, 60, 60, 400, text.length],
) {
  const most = Math.max(1, random.pick(sizes));
  const result = [];
  for (let from = 0; from < text.length; ) {
    const length = random.oneIn(40) ? 0 : random.between(Math.ceil(most / 2), most);
    result.push(text.slice(from, from + length));
    from += length;
  }
  return result;
}

function lettersOf(
  /** @type {Random} */ random,
  /** @type {number} */ length,
  /** @type {readonly string[]} */ alphabet,
) {
  let text = '';
  while (text.length < length) text += random.pick(alphabet);
  return text;
}

function replaceAt(/** @type {string} */ text, /** @type {number} */ at, /** @type {string} */ letter) {
  return text.slice(0, at) + letter + text.slice(at + 1);
}
