import type { Json } from '../event.js';
import { addCode, addRaw, digest, fingerprint, startHash } from '../value/fingerprint.js';
import { addNumber, addPhrase, addWords, type Phrases, sketchOfPhrases, startPhrases } from '../value/phrase.js';
import { emptySketch, type Sketch } from '../value/sketch.js';
import {
  asksByItself,
  type JsonObject,
  leastTelling,
  placeKeys,
  shapeOf,
  type Traits,
  traitsOf,
} from './input-keys.js';

/** What makes a call the same call, whatever its id, the order of its keys, and other things that do not matter. */
export interface Identity {
  call: number;
  /** Like `call`, but also equal for calls that differ only in numbers; long ids still count. */
  skeleton: number;
  /** Sketch of its words: similar for calls that say nearly the same. */
  sketch: Sketch;
  /** Fingerprint of the path or address it is about; 0 where it names none. */
  target: number;
  /** The most informative text of the input, cut short. */
  gist: string;
  /** Hashes of the first words of the input, by which their echo in the result is recognised. */
  words: number[];
  /** Whether the input is JSON that breaks off, because the host logs only its first characters. */
  cut: boolean;
}

/** Inputs of some hosts are not trees, so nothing is read beyond this depth and this number of values. */
const deepest = 32;
const mostValues = 20_000;
const gistLength = 160;
/** Longer texts count as contents. */
const longestPhrase = 1024;

interface Reading {
  hash: number;
  phrases: Phrases;
  left: number;
  /** The text under the most informative key so far, and the rank of that key: the lower, the better. */
  gist: string;
  rank: number;
  target: number;
}

/**
 * Reads an input once, with no intermediate string. JSON in a string is read as the value it holds. The returned object
 * is valid until the next call.
 */
export function identify(tool: string, given: Json, identityKeys: readonly string[] | undefined): Readonly<Identity> {
  const input = unwrapped(given);
  const reading = startReading();
  const { phrases } = reading;
  reading.hash = addCode(reading.hash, traitsOf(tool).hash);
  phrases.skeleton = reading.hash;
  if (identityKeys && isObject(input))
    for (const key of identityKeys) addEntry(reading, traitsOf(key), input[key] ?? null, 0);
  else if (!addValue(reading, input, 0, true)) addValue(reading, input, 0, false);
  const { hash, gist, target } = reading;
  reading.gist = '';
  identity.call = digest(hash);
  identity.skeleton = digest(phrases.skeleton);
  identity.sketch = sketchOfPhrases(phrases);
  identity.target = target;
  identity.gist = gist.length > gistLength ? clipped(gist, gistLength) : gist;
  identity.words = phrases.words;
  identity.cut = typeof input === 'string' && input.charCodeAt(0) === 123;
  return identity;
}

// One of each, reused: every call writes them before it reads them. A long gist is not kept alive.
const identity: Identity = { call: 0, skeleton: 0, sketch: emptySketch, target: 0, gist: '', words: [], cut: false };
const reading: Reading = {
  hash: startHash,
  phrases: startPhrases(),
  left: mostValues,
  gist: '',
  rank: 0,
  target: 0,
};

function startReading(): Reading {
  reading.phrases = startPhrases();
  reading.hash = startHash;
  reading.left = mostValues;
  reading.gist = '';
  reading.rank = leastTelling;
  reading.target = 0;
  return reading;
}

/** The name of a tool as it is kept: a host may send a very long one. */
export function shortTool(tool: string): string {
  return tool.length > 120 ? clipped(tool, 120) : tool;
}

/** The first characters of a text, put together anew: a slice would keep the whole text alive. */
export function clipped(text: string, length: number): string {
  const codes: number[] = [];
  for (let k = 0; k < length; k++) codes.push(text.charCodeAt(k));
  return String.fromCharCode(...codes);
}

/** Adds a value; false when nothing of it mattered. `picky` leaves out cosmetic and volatile fields. */
function addValue(reading: Reading, value: Json, depth: number, picky: boolean): boolean {
  if (--reading.left < 0) return false;
  switch (typeof value) {
    case 'string':
      if (depth === 0) reading.gist = value;
      return addString(reading, value);
    case 'number':
    case 'boolean':
    case 'bigint':
      return addString(reading, String(value));
    case 'object':
      break;
    default:
      return false;
  }
  if (value === null || depth > deepest) return false;
  return Array.isArray(value)
    ? addList(reading, value, depth, picky)
    : addObject(reading, value as JsonObject, depth, picky);
}

function addList(reading: Reading, list: readonly Json[], depth: number, picky: boolean): boolean {
  let any = false;
  reading.hash = addCode(reading.hash, 91);
  for (const item of list) {
    if (reading.left < 0) {
      reading.hash = addCode(reading.hash, list.length);
      break;
    }
    reading.hash = addCode(reading.hash, 44);
    if (addValue(reading, item, depth + 1, picky) || addName(reading, item)) any = true;
  }
  return any;
}

/** Adds the name of an action without arguments, one of a list: `{ "scroll_down": {} }`. */
function addName(reading: Reading, item: Json): boolean {
  if (!isObject(item)) return false;
  const [name, other] = Object.keys(item);
  if (name === undefined || other !== undefined) return false;
  const { hash } = traitsOf(name);
  reading.hash = addCode(reading.hash, hash);
  reading.phrases.skeleton = addCode(reading.phrases.skeleton, hash);
  return true;
}

function addObject(reading: Reading, object: JsonObject, depth: number, picky: boolean): boolean {
  let any = false;
  const { sorted, traits } = shapeOf(object);
  for (let k = 0; k < sorted.length; k++) {
    if (reading.left < 0) break;
    const key = sorted[k]!;
    const { leftOut } = traits[k]!;
    if (picky && leftOut !== undefined && (leftOut === 'volatile' || asksByItself(object))) continue;
    if (key !== '' && addEntry(reading, traits[k]!, object[key]!, depth)) any = true;
  }
  return any;
}

/** Adds a key with its value, unless that is empty. */
function addEntry(reading: Reading, traits: Traits, value: Json, depth: number): boolean {
  if (value === null || value === '' || value === undefined) return false;
  const before = reading.hash;
  const { phrases } = reading;
  const { skeleton } = phrases;
  reading.hash = addCode(before, traits.hash);
  phrases.skeleton = addCode(skeleton, traits.hash);
  if (typeof value === 'string') {
    if (depth === 0 && traits.rank < placeKeys && reading.target === 0) reading.target = fingerprint(value);
    if (depth === 0 && traits.script && reading.target === 0) reading.target = addressIn(value);
    const rank = traits.rank + depth * leastTelling;
    if (rank < reading.rank || reading.gist === '') {
      reading.rank = rank;
      reading.gist = value;
    }
    return traits.content
      ? addContent(reading, value)
      : addString(reading, traits.script ? withoutComment(value) : value);
  }
  if (typeof value === 'number') {
    reading.hash = addNumber(phrases, reading.hash, value);
    return true;
  }
  if (typeof value === 'boolean') {
    reading.hash = addPhrase(phrases, reading.hash, String(value));
    return true;
  }
  const line = traits.script && Array.isArray(value) ? value.at(-1) : undefined; // of ["bash", "-lc", "npm test"]
  if (typeof line === 'string' && traits.rank < reading.rank) {
    reading.rank = traits.rank;
    reading.gist = line;
  }
  if (addValue(reading, value, depth + 1, true)) return true;
  reading.hash = before;
  phrases.skeleton = skeleton;
  return false;
}

function addString(reading: Reading, text: string): boolean {
  if (text.length === 0) return false;
  if (text.length > longestPhrase) return addContent(reading, text);
  reading.hash = addPhrase(reading.phrases, reading.hash, text);
  return true;
}

/** The first address that a short script names, hashed; 0 where it names none. */
function addressIn(script: string): number {
  const found = script.length > longestPhrase ? null : /:\/\/\S+/.exec(script);
  return found ? fingerprint(found[0]) : 0;
}

/** A script without the comment at its end, which is for readers. A sign in quotes begins no comment. */
function withoutComment(script: string): string {
  for (let at = script.length - 1; at > 0; at--) {
    const code = script.charCodeAt(at);
    if (code === 10 || code === 34 || code === 39 || code === 96) return script;
    if (code === 35 && script.charCodeAt(at - 1) <= 32) return script.slice(0, at).trimEnd();
  }
  return script;
}

/** Contents are hashed unchanged: in what an edit replaces, a blank matters. */
function addContent(reading: Reading, text: string): true {
  const { phrases } = reading;
  addWords(phrases, text);
  const raw = addRaw(startHash, text);
  reading.hash = addCode(reading.hash, raw);
  phrases.skeleton = addCode(phrases.skeleton, raw);
  return true;
}

/** Some hosts hand the arguments over as the model wrote them: JSON in a string. */
export function unwrapped(input: Json): Json {
  if (typeof input !== 'string' || input.length > 1_000_000) return input;
  const first = input.charCodeAt(0);
  if (first !== 123 && first !== 91) return input;
  try {
    return JSON.parse(input) as Json;
  } catch {
    return input;
  }
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
