import type { Json } from '../event.js';
import { addCode, addFolded, addRaw, digest, fingerprint, startHash } from '../value/fingerprint.js';
import { addNumber, addPhrase, addWords, type Phrases, sketchOfPhrases, startPhrases } from '../value/phrase.js';
import { emptySketch, type Sketch } from '../value/sketch.js';
import { fewestDigits, maskVolatile } from '../value/volatile.js';
import { isContent } from './content-keys.js';

/** What makes a call the same call, whatever its id, the order of its keys and what else does not matter. */
export interface Identity {
  call: number;
  /** The same for calls that differ in numbers alone, long ids aside. */
  skeleton: number;
  /** Of its words: alike for calls that say nearly the same. */
  sketch: Sketch;
  /** Fingerprint of the path or address it is about; 0 where it names none. */
  target: number;
  /** The most telling text of the input, cut short. */
  gist: string;
  /** The first words of the input, hashed, so that their echo in the result can be told. */
  words: number[];
  /** Whether the input is JSON that breaks off: a host that logs no more than its first characters. */
  cut: boolean;
}

/** Says of an input what is asked for; the words a model adds for the reader of its log are not part of it. */
const cosmetic = new Set([
  'description',
  'explanation',
  'thought',
  'thoughts',
  'thinking',
  'reasoning',
  'rationale',
  'justification',
  'brief',
  'comment',
  'note',
  'notes',
]);
const volatileKeys = new Set([
  'timestamp',
  'ts',
  'nonce',
  'uuid',
  'request_id',
  'requestId',
  'trace_id',
  'traceId',
  'correlation_id',
  'correlationId',
  'idempotency_key',
  'idempotencyKey',
  'call_id',
  'callId',
  'tool_call_id',
  'toolCallId',
  'tool_use_id',
]);
/** Where the thing a call is about stands, the most telling first. */
const targetKeys = [
  'file_path',
  'filePath',
  'path',
  'file',
  'filename',
  'notebook_path',
  'url',
  'uri',
  'target',
  'command',
  'cmd',
  'code',
  'query',
  'pattern',
  'name',
  'id',
];
const substantive = targetKeys.slice(0, -2);
/** Inputs are finite, but not every host's are trees: beyond these depths and numbers nothing is read. */
const deepest = 32;
const mostValues = 20_000;
const gistLength = 160;
/** Longer texts are contents. */
const longestPhrase = 1024;

interface Reading {
  hash: number;
  phrases: Phrases;
  left: number;
  /** The text under the most telling key so far, and how telling that key is: less is more. */
  gist: string;
  rank: number;
  target: number;
}

/**
 * Reads an input once, with no intermediate string. Inputs that are JSON in a string are read as what they hold. What it
 * gives is good until the next call.
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

// One of each for all, written before they are read in every call; but a long gist is not kept alive.
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
  reading.rank = nowhere;
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

/** Adds a value; false when nothing of it mattered. `picky` leaves out what is cosmetic. */
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

type JsonObject = { readonly [key: string]: Json };

function addList(reading: Reading, list: readonly Json[], depth: number, picky: boolean): boolean {
  let any = false;
  reading.hash = addCode(reading.hash, 91);
  for (const item of list) {
    if (reading.left < 0) {
      reading.hash = addCode(reading.hash, list.length);
      break;
    }
    reading.hash = addCode(reading.hash, 44);
    if (addValue(reading, item, depth + 1, picky)) any = true;
  }
  return any;
}

function addObject(reading: Reading, object: JsonObject, depth: number, picky: boolean): boolean {
  let any = false;
  const { sorted, traits } = shapeOf(object);
  for (let k = 0; k < sorted.length; k++) {
    if (reading.left < 0) break;
    const key = sorted[k]!;
    const { dress } = traits[k]!;
    if (picky && dress !== undefined && (dress === 'volatile' || isDressed(object))) continue;
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
    if (depth === 0 && traits.rank < places && reading.target === 0) reading.target = fingerprint(value);
    const rank = traits.rank + depth * nowhere;
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
  if (addValue(reading, value, depth + 1, true)) return true;
  reading.hash = before;
  phrases.skeleton = skeleton;
  return false;
}

function addString(reading: Reading, text: string): boolean {
  if (text.length === 0) return false;
  if (text.length > longestPhrase) return addContent(reading, text);
  const { hash, phrases } = reading;
  const before = phrases.digits;
  reading.hash = addPhrase(phrases, hash, text);
  const digits = phrases.digits - before;
  if (digits >= fewestDigits) reading.hash = addFolded(hash, maskVolatile(text));
  return true;
}

/** A comment at the end of a script is for its reader. What stands in quotes is no comment. */
function withoutComment(script: string): string {
  for (let at = script.length - 1; at > 0; at--) {
    const code = script.charCodeAt(at);
    if (code === 10 || code === 34 || code === 39 || code === 96) return script;
    if (code === 35 && script.charCodeAt(at - 1) <= 32) return script.slice(0, at).trimEnd();
  }
  return script;
}

/** Contents count as they stand: in what an edit replaces, a blank matters. */
function addContent(reading: Reading, text: string): true {
  const { phrases } = reading;
  addWords(phrases, text);
  const raw = addRaw(startHash, text);
  reading.hash = addCode(reading.hash, raw);
  phrases.skeleton = addCode(phrases.skeleton, raw);
  return true;
}

/** What is known of a key, worked out once: there are few of them, and they come again and again. */
interface Traits {
  readonly hash: number;
  readonly dress: 'cosmetic' | 'volatile' | undefined;
  readonly content: boolean;
  /** Its text is run by a shell or an interpreter. */
  readonly script: boolean;
  readonly rank: number;
}

const nowhere = targetKeys.length + 2;
/** So many of the target keys name a place. */
const places = targetKeys.indexOf('target');
const memory = new Map<string, Traits>();
/** Longer keys are rare, and would be kept alive by being remembered. */
const longestKept = 120;

function traitsOf(key: string): Traits {
  const known = memory.get(key);
  if (known) return known;
  const place = targetKeys.indexOf(key);
  const traits: Traits = {
    hash: digest(addFolded(startHash, key)),
    dress: cosmetic.has(key) ? 'cosmetic' : volatileKeys.has(key) ? 'volatile' : undefined,
    content: isContent(key),
    script: key === 'command' || key === 'cmd' || key === 'code',
    rank: place >= 0 ? place : cosmetic.has(key) ? nowhere - 1 : nowhere - 2,
  };
  if (key.length > longestKept) return traits;
  if (memory.size >= 1024) memory.clear();
  memory.set(key, traits);
  return traits;
}

/** Whether an input says what to do by itself, so that a description beside it is dress: an issue has nothing else. */
function isDressed(object: JsonObject): boolean {
  return substantive.some((key) => typeof object[key] === 'string' || Array.isArray(object[key]));
}

/** The keys of an object: as they are given, and sorted, with what is known of each. */
interface Shape {
  readonly keys: readonly string[];
  readonly sorted: readonly string[];
  readonly traits: readonly Traits[];
}

/** Most calls have the keys of one shortly before: a shape lies in the slot that its keys lead to, until another takes it. */
const shapes: (Shape | undefined)[] = new Array<undefined>(64).fill(undefined);
/** Objects with more keys are data, and hardly come again. */
const mostKept = 16;

function shapeOf(object: JsonObject): Shape {
  const keys = Object.keys(object);
  const { length } = keys;
  const slot = length === 0 ? 0 : (length * 5 + keys[0]!.length * 11 + keys[length - 1]!.length) & (shapes.length - 1);
  const known = shapes[slot];
  if (known !== undefined && isSame(known.keys, keys)) return known;
  const sorted = keys.slice().sort();
  const shape: Shape = { keys, sorted, traits: sorted.map(traitsOf) };
  if (length <= mostKept && keys.every((key) => key.length <= longestKept)) shapes[slot] = shape;
  return shape;
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false;
  for (let k = 0; k < some.length; k++) if (some[k] !== others[k]) return false;
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
