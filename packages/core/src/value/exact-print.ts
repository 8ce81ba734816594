import type { Json } from '../event.js';

/** A fingerprint of 53 bits of the exact text: nothing is folded. */
export function exactPrint(text: string): number {
  const hash = startHash();
  addText(hash, text);
  return digest(hash);
}

/**
 * A fingerprint of a name and the exact JSON of a value: the order of keys counts. Two values have the same fingerprint
 * exactly if `JSON.stringify` writes them alike, but plain values are read with no intermediate string. `undefined` for
 * what `JSON.stringify` refuses (cycles, BigInts), and for what is too large to read: a host can pass lists of nothing
 * but holes, or one list that contains another a million times.
 */
export function exactJsonPrint(name: string, value: Json): number | undefined {
  const hash = startHash();
  addText(hash, name);
  if (addValue(hash, value, 0)) return digest(hash);
  return hash.left < 0 ? undefined : printOfWritten(name, value);
}

function printOf(name: string, value: Json): number | undefined {
  const hash = startHash();
  addText(hash, name);
  return addValue(hash, value, 0) ? digest(hash) : undefined;
}

/** For values that are not plain, such as those with a `toJSON`, and for deep ones. */
function printOfWritten(name: string, value: Json): number | undefined {
  try {
    const written: string | undefined = JSON.stringify(value);
    if (written === undefined) return exactPrint(`${name}:undefined`);
    return printOf(name, JSON.parse(written) as Json) ?? exactPrint(`${name}:${written}`);
  } catch {
    return undefined;
  }
}

const deepest = 100;
/** More values than any agent sends. */
const mostValues = 1_000_000;
// What begins here. A text begins with the complement of its length, so that it is never mistaken for structure.
const nothing = 0x10000;
const yes = 0x10001;
const no = 0x10002;
const integer = 0x10003;
const decimal = 0x10004;
const list = 0x10005;
const object = 0x10006;
const end = 0x10007;

/** Returns false if the value is not plain JSON, or if too many values were read. */
function addValue(hash: Hash, value: unknown, depth: number): boolean {
  if (--hash.left < 0) return false;
  switch (typeof value) {
    case 'string':
      addText(hash, value);
      return true;
    case 'number':
      addNumber(hash, value);
      return true;
    case 'boolean':
      add(hash, value ? yes : no);
      return true;
    case 'object':
      break;
    default:
      return false;
  }
  if (value === null) {
    add(hash, nothing);
    return true;
  }
  if (depth > deepest || typeof (value as { toJSON?: unknown }).toJSON === 'function') return false;
  return Array.isArray(value) ? addList(hash, value, depth) : addObject(hash, value as Record<string, unknown>, depth);
}

function addList(hash: Hash, values: readonly unknown[], depth: number): boolean {
  add(hash, list);
  for (let k = 0; k < values.length; k++) {
    const value = values[k];
    if (isUnwritten(value)) {
      if (--hash.left < 0) return false;
      add(hash, nothing);
    } else if (!addValue(hash, value, depth + 1)) return false;
  }
  add(hash, end);
  return true;
}

function addObject(hash: Hash, values: Record<string, unknown>, depth: number): boolean {
  const prototype: unknown = Object.getPrototypeOf(values);
  if (prototype !== Object.prototype && prototype !== null) return false;
  add(hash, object);
  for (const key of Object.keys(values)) {
    const value = values[key];
    if (isUnwritten(value)) continue;
    addText(hash, key);
    if (!addValue(hash, value, depth + 1)) return false;
  }
  add(hash, end);
  return true;
}

function isUnwritten(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

function addNumber(hash: Hash, value: number): void {
  if (!Number.isFinite(value)) add(hash, nothing);
  else if ((value | 0) === value) {
    add(hash, integer);
    add(hash, value);
  } else {
    add(hash, decimal);
    addText(hash, String(value));
  }
}

function add(hash: Hash, value: number): void {
  hash.a = mixA(hash.a, value);
  hash.b = mixB(hash.b, value);
}

/** Two code units per step: inputs can be long. */
function addText(hash: Hash, text: string): void {
  const { length } = text;
  let a = mixA(hash.a, ~length);
  let b = mixB(hash.b, ~length);
  let i = 0;
  for (; i + 1 < length; i += 2) {
    const pair = text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16);
    a = mixA(a, pair);
    b = mixB(b, pair);
  }
  if (i < length) {
    a = mixA(a, text.charCodeAt(i));
    b = mixB(b, text.charCodeAt(i));
  }
  hash.a = a;
  hash.b = b;
}

function mixA(a: number, value: number): number {
  const mixed = Math.imul(a ^ value, 0x5bd1e995);
  return mixed ^ (mixed >>> 15);
}

function mixB(b: number, value: number): number {
  const mixed = Math.imul((b + value) | 0, 0x9e3779b1);
  return mixed ^ (mixed >>> 13);
}

/** Two running 32-bit hashes that together give 53 bits, which JSON carries exactly. */
interface Hash {
  a: number;
  b: number;
  /** How many values may still be read. */
  left: number;
}

function startHash(): Hash {
  return { a: 0x811c9dc5 | 0, b: 0x2545f491, left: mostValues };
}

function digest({ a, b }: Hash): number {
  const high = Math.imul(a ^ (a >>> 15), 0x85ebca6b);
  const low = Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  return ((high ^ (high >>> 16)) >>> 0) * 0x200000 + ((low ^ (low >>> 16)) >>> 11);
}
