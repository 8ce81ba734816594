/** What made-up sessions are made of: words, lines of code, ids and times, the same for the same seed. */

/** @param {() => number} random @param {number} depth */
export function codeLine(random, depth) {
  const [a, b, c] = [pick(random, nouns), pick(random, nouns), pick(random, verbs)];
  const number = Math.floor(random() * 1000);
  const shapes = [
    `const ${a}${cap(b)} = await ${c}${cap(a)}(${b}, { limit: ${number}, ${a}: '${b}' });`,
    `if (${a}.${b} !== undefined && ${a}.length > ${number}) return ${c}(${a}.${b});`,
    `export function ${c}${cap(b)}(${a}: ${cap(a)}, ${b}: readonly string[]): Promise<${cap(b)}> {`,
    `  expect(${c}(${a})).toEqual([${number}, '${b}', "${a} ${c}"]);`,
    '}',
    '',
    `// ${prose(random, 10)}`,
    `import { ${c}${cap(a)}, type ${cap(b)} } from '../${a}/${b}.js';`,
  ];
  return '  '.repeat(depth) + pick(random, shapes);
}

/** @param {() => number} random @param {number} words */
export function prose(random, words) {
  let text = '';
  for (let k = 0; k < words; k++)
    text += `${k === 0 ? '' : k % 11 === 0 ? '. ' : ' '}${pick(random, k % 3 === 0 ? verbs : k % 3 === 1 ? small : nouns)}`;
  return `${cap(text)}.`;
}

const cap = (/** @type {string} */ word) => word.charAt(0).toUpperCase() + word.slice(1);
export const nouns =
  `account adapter answer archive argument array batch binding block branch breaker budget buffer bucket button cache call candidate channel character chunk circuit client clock column command comment commit component config connection content context counter cursor customer database delta detector device digest document domain editor element engine entry episode error event example exception export factory feature field figure file filter finding folder format fragment frame function gateway graph group guard handler header history hook host image index input instance invoice issue item journal key label layer layout letter library limit line list listener log loop manager map marker matrix member memory menu message method metric middleware migration mirror model module monitor name network node notice number object offset option order output owner package page panel parser path pattern payload payment permission phase picture pipeline plan plugin pointer policy pool port position prefix preset price process profile project promise prompt property protocol provider proxy query queue range reader reason record region registry release report request resource response result retry rule runner sample scanner schedule schema scope screen script section sector segment selector sequence server service session setting shape shell signal snapshot socket source stage state statement status step storage stream string style subject suite summary symbol system table target task template tenant terminal test text theme thread ticket timer token tool topic trace transaction transport tree trigger type unit update user value vector version view visitor voucher wallet watcher widget window wire worker wrapper zone`.split(
    ' ',
  );
const verbs =
  `add allow append apply assert attach bind build call cancel check clear close collect compare compile compute connect convert copy count create cut decode define delete describe detect draw emit encode ensure escape expect explain export extend fetch fill filter find flatten flush fold follow format gather get give group guard handle hash hide hold import insert inspect join keep learn limit link list load lock look make map mark match measure merge move normalise observe open order pack parse pass patch pick place plan post print prove pull push put read record reduce refuse release remove rename render repeat replace report reset resolve restore resume return run save scan seek select send set show skip slice sort split start stop store stream strip sum swap take tell test throw toggle trace track translate trim try unpack update use validate wait walk warn watch wrap write yield`.split(
    ' ',
  );
const small =
  `the a this that each every another its our some no one two any all only also then now still before after because while where without inside outside between under over`.split(
    ' ',
  );

/** @template Item @param {() => number} random @param {readonly Item[]} list @returns {Item} */
export const pick = (random, list) => list[Math.floor(random() * list.length)];
export const time = (/** @type {number} */ at) => new Date(at).toISOString();

/** @param {() => number} random @param {number} length */
export function hex(random, length) {
  let text = '';
  while (text.length < length) text += Math.floor(random() * 0x1_0000_0000).toString(36);
  return text.slice(0, length);
}

/** @param {() => number} random */
export function uuid(random) {
  const text = Array.from({ length: 4 }, () =>
    Math.floor(random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-8${text.slice(17, 20)}-${text.slice(20, 32)}`;
}

/** Mulberry32. @param {number} seed */
export function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
