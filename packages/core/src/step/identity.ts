import type { Json } from '../event.js';
import {
  addCode,
  addFolded,
  addLines,
  addRaw,
  digest,
  fingerprint,
  type Hash,
  startHash,
} from '../value/fingerprint.js';
import { addWords, packSketch, type Sketch, startSketch } from '../value/sketch.js';
import { isVolatile, maskVolatile } from '../value/volatile.js';
import { isContent } from './content-keys.js';

/** What makes a call the same call, whatever its id, the order of its keys and what else does not matter. */
export interface Identity {
  readonly call: number;
  readonly target: number;
  readonly sketch: number;
  /** The most telling text of the input, cut short. */
  readonly gist: string;
  /** The first words of the input, hashed, so that their echo in the result can be told. */
  readonly words: number[];
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
  'toolTip',
  'security_risk',
  'yield_time_ms',
  'max_output_tokens',
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
/** What is left out of the identity of a call. */
const idle = new Set([...cosmetic, ...volatileKeys]);
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

interface Reading {
  readonly hash: Hash;
  readonly sketch: Sketch;
  left: number;
}

/** Reads an input once, with no intermediate string. Inputs that are JSON in a string are read as what they hold. */
export function identify(tool: string, given: Json, identityKeys: readonly string[] | undefined): Identity {
  const input = unwrapped(given);
  const reading: Reading = { hash: startHash(), sketch: startSketch(), left: mostValues };
  addFolded(reading.hash, tool);
  if (identityKeys && isObject(input)) for (const key of identityKeys) addEntry(reading, key, input[key] ?? null, 0);
  else if (!addValue(reading, input, 0, true)) addValue(reading, input, 0, false);
  const gist = gistOf(input, 0);
  return {
    call: digest(reading.hash),
    target: fingerprint(targetOf(gist)),
    sketch: packSketch(reading.sketch),
    gist,
    words: reading.sketch.words,
  };
}

/** Adds a value; false when nothing of it mattered. `picky` leaves out what is cosmetic. */
function addValue(reading: Reading, value: Json, depth: number, picky: boolean): boolean {
  if (--reading.left < 0) return false;
  const { hash } = reading;
  switch (typeof value) {
    case 'string':
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
  let any = false;
  if (Array.isArray(value)) {
    addCode(hash, 91);
    for (const item of value as readonly Json[]) {
      addCode(hash, 44);
      if (addValue(reading, item, depth + 1, picky)) any = true;
    }
    return any;
  }
  const object = value as { readonly [key: string]: Json };
  for (const key of sorted(Object.keys(object))) {
    if (picky && idle.has(key) && (volatileKeys.has(key) || isDressed(object))) continue;
    if (addEntry(reading, key, object[key]!, depth)) any = true;
  }
  return any;
}

/** Whether an input says what to do by itself, so that a description beside it is dress: an issue has nothing else. */
function isDressed(object: { readonly [key: string]: Json }): boolean {
  return substantive.some((key) => typeof object[key] === 'string' || Array.isArray(object[key]));
}

/** By insertion where there are few, as there mostly are. */
function sorted(keys: string[]): string[] {
  if (keys.length > 12) return keys.sort();
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i]!;
    let at = i;
    for (; at > 0 && keys[at - 1]! > key; at--) keys[at] = keys[at - 1]!;
    keys[at] = key;
  }
  return keys;
}

/** Adds a key with its value, unless either is empty. */
function addEntry(reading: Reading, key: string, value: Json, depth: number): boolean {
  if (key === '' || value === null || value === '' || value === undefined) return false;
  const { hash } = reading;
  const { a, b } = hash;
  addCode(hash, 123);
  addFolded(hash, key);
  addCode(hash, 58);
  if (typeof value === 'string' && isContent(key)) return addContent(reading, value);
  if (addValue(reading, value, depth + 1, true)) return true;
  hash.a = a;
  hash.b = b;
  return false;
}

function addString(reading: Reading, text: string): boolean {
  if (text.length === 0) return false;
  if (text.length > longestLine) return addContent(reading, text);
  const { hash, sketch } = reading;
  const before = sketch.digits;
  addWords(sketch, text);
  const digits = sketch.digits - before;
  addLines(hash, digits > 0 && isVolatile(text, digits) ? maskVolatile(text) : text);
  return true;
}

/** Longer texts are contents. */
const longestLine = 1024;

/** Contents count as they stand: in what an edit replaces, a blank matters. */
function addContent({ hash, sketch }: Reading, text: string): true {
  addWords(sketch, text);
  addRaw(hash, text);
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

function isObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const gistLength = 160;

function gistOf(input: Json, depth: number): string {
  if (typeof input === 'string') return input.slice(0, gistLength);
  if (!isObject(input)) return '';
  for (const key of targetKeys) {
    const value = input[key];
    if (typeof value === 'string' && value !== '') return value.slice(0, gistLength);
  }
  for (const key of Object.keys(input).sort()) {
    const value = input[key]!;
    if (typeof value === 'string' && value !== '' && !cosmetic.has(key)) return value.slice(0, gistLength);
    const inner = depth < 4 && isObject(value) ? gistOf(value, depth + 1) : '';
    if (inner !== '') return inner;
  }
  return '';
}

/** A path whole; of a command its first two words. */
function targetOf(gist: string): string {
  const text = gist.trimStart();
  const first = text.search(/\s/);
  if (first < 0) return text;
  const second = text.indexOf(' ', first + 1);
  return second < 0 ? text : text.slice(0, second);
}
