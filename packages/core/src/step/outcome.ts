import type { Json } from '../event.js';
import { digest, startHash } from '../value/fingerprint.js';
import { addDigit, addLetter, wordHash } from '../value/words.js';
import { cue, cuesOf } from './cues.js';

/** What a result says, up to what changes by itself. */
export interface Outcome {
  /** Equal for results that differ only in counters, durations, points in time, process and chunk ids, line numbers of a shell. */
  readonly masked: number;
  /** Equal for equal texts alone (white space folded). */
  readonly exact: number;
  /** Equal for results that differ only in words which stand in their calls too. */
  readonly shape: number;
  /** What its words may mean (see `cues.ts`). */
  readonly cues: number;
  readonly trivial: boolean;
}

/** The text of a result, whatever it is wrapped in; at most `longest` characters of structured ones. */
export function textOf(output: Json): string {
  if (typeof output === 'string') return output;
  const parts: string[] = [];
  collect(output, parts, { left: longest }, 0);
  return parts.join('\n');
}

const longest = 200_000;

function collect(value: Json, parts: string[], budget: { left: number }, depth: number): void {
  if (budget.left <= 0 || depth > 32) return;
  budget.left -= 8;
  if (typeof value === 'string') {
    budget.left -= value.length;
    parts.push(value);
  } else if (typeof value === 'number' || typeof value === 'boolean') parts.push(String(value));
  else if (Array.isArray(value)) for (const item of value) collect(item, parts, budget, depth + 1);
  else if (typeof value === 'object' && value !== null) {
    const object = value as { readonly [key: string]: Json };
    for (const key of Object.keys(object).sort()) {
      const inner = object[key]!;
      // A block of a message ({ type: 'text', text }) is its text; anything else keeps its keys.
      if (key === 'type' && inner === 'text') continue;
      if (key !== 'text' && (typeof inner !== 'object' || inner === null)) parts.push(key);
      collect(inner, parts, budget, depth + 1);
    }
  }
}

/**
 * Reads a result once: both fingerprints, and what its words may mean, in the same pass. One hash is of the masked text
 * and one of what was masked out of it; both together tell texts apart as they stand.
 */
export function outcomeOf(text: string, callWords: readonly number[] = []): Outcome {
  const { length } = text;
  let hash = startHash;
  let rest = 0;
  let cues = 0;
  let word = 0;
  let shape = 0;
  let lastWord = 0;
  let lastEnd = -9;
  let gap = false;
  let begun = false;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    const lower = code | 32;
    if ((lower >= 97 && lower <= 122) || code > 160) word = addLetter(word, code > 160 ? code : lower);
    else {
      if (word !== 0) {
        cues |= cuesOf(word) | (isErrorName(text, i) ? cue.complaint : 0);
        shape = (Math.imul(shape ^ (callWords.includes(word) ? 35 : word), 0x85ebca6b) + 1) | 0;
        lastWord = word;
        lastEnd = i;
        word = 0;
      }
      if (code <= 32 || code === 160) {
        gap = begun;
        continue;
      }
    }
    begun = true;
    if (gap) {
      hash = Math.imul(hash ^ 32, 0x01000193);
      gap = false;
    }
    const digit = code >= 48 && code <= 57;
    if (digit) shape = (Math.imul(shape ^ numberIn(text, i, callWords), 0x85ebca6b) + 1) | 0;
    const volatile = digit
      ? volatileEnd(text, i, i - lastEnd <= 3 && counters.has(lastWord) && !hasNewline(text, lastEnd, i))
      : code === 58 && isIdLabel(text, i)
        ? idEnd(text, i)
        : i;
    if (volatile > i) {
      // A counter or a time; or, with the colon of "Chunk ID: 3fa2b1", what names this one result.
      hash = Math.imul(hash ^ 35, 0x01000193);
      for (; i < volatile; i++) {
        const masked = text.charCodeAt(i);
        if (masked > 32) rest = (Math.imul(rest ^ masked, 0x85ebca6b) + 1) | 0;
      }
      i--;
      continue;
    }
    hash = Math.imul(hash ^ code, 0x01000193);
    // A number of substance is read whole, or its middle would be looked at as if it stood alone.
    while (digit && i + 1 < length && isDigit(text.charCodeAt(i + 1))) {
      i++;
      hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    }
  }
  if (word !== 0) cues |= cuesOf(word) | (isErrorName(text, length) ? cue.complaint : 0);
  if (word !== 0) shape = (Math.imul(shape ^ (callWords.includes(word) ? 35 : word), 0x85ebca6b) + 1) | 0;
  const masked = digest(hash);
  const exact = digest(hash ^ rest);
  return { masked, exact, shape, cues, trivial: isTrivial(text, cues) };
}

/** The number that begins at `at`, hashed; the sign of an echo where it stands in the call. */
function numberIn(text: string, at: number, callWords: readonly number[]): number {
  let number = 0;
  for (let i = at; i < text.length && isDigit(text.charCodeAt(i)); i++) number = addDigit(number, text.charCodeAt(i));
  return callWords.includes(number) ? 35 : number;
}

/** Whether the word that ends at `end` is the name of an error: …Error, …Exception. */
function isErrorName(text: string, end: number): boolean {
  const last = text.charCodeAt(end - 1);
  if (last === 114)
    return text.charCodeAt(end - 2) === 111 && text.charCodeAt(end - 3) === 114 && text.charCodeAt(end - 4) === 114;
  return (
    last === 110 &&
    text.charCodeAt(end - 2) === 111 &&
    text.charCodeAt(end - 4) === 116 &&
    text.charCodeAt(end - 5) === 112
  );
}

function isIdLabel(text: string, colon: number): boolean {
  return (text.charCodeAt(colon - 1) | 32) === 100 && (text.charCodeAt(colon - 2) | 32) === 105;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122;

function numberEnd(text: string, at: number): number {
  while (at < text.length && isDigit(text.charCodeAt(at))) at++;
  return at;
}

/** Where the volatile thing that begins with the digit at `at` ends; `at` itself when the number is substance. `counted` after a word for a counter. */
function volatileEnd(text: string, at: number, counted: boolean): number {
  let end = numberEnd(text, at);
  const next = text.charCodeAt(end);
  if (next === 58 && end - at <= 2 && isDigit(text.charCodeAt(end + 1)) && text.charCodeAt(end + 3) === 58)
    return clockEnd(text, end); // 12:34:56
  if ((next === 46 || next === 44) && isDigit(text.charCodeAt(end + 1))) end = numberEnd(text, end + 1); // 0.05
  if (end - at >= 12) return end;
  if (counted) return tokenEnd(text, end);
  return isDuration(text, end) ? end : at;
}

function clockEnd(text: string, at: number): number {
  while (at < text.length && (isDigit(text.charCodeAt(at)) || text.charCodeAt(at) === 58 || text.charCodeAt(at) === 46))
    at++;
  return at;
}

function tokenEnd(text: string, at: number): number {
  while (at < text.length && (isDigit(text.charCodeAt(at)) || isLetter(text.charCodeAt(at)))) at++;
  return at;
}

/** Where the id after a colon ends, white space before it included; the colon itself where none with a digit follows. */
function idEnd(text: string, colon: number): number {
  let start = colon + 1;
  while (text.charCodeAt(start) === 32) start++;
  const end = tokenEnd(text, start);
  for (let k = start; k < end; k++) if (isDigit(text.charCodeAt(k))) return end;
  return colon;
}

/** Words after which a number is a counter, a place in a script or a number of a process. */
const counters = new Set(
  'line pid process thread attempt try retry retries took elapsed duration time seconds id tid visited'
    .split(' ')
    .map(wordHash),
);

function hasNewline(text: string, from: number, to: number): boolean {
  for (let k = from; k < to; k++) if (text.charCodeAt(k) === 10) return true;
  return false;
}

const units = new Set([
  'ms',
  's',
  'sec',
  'secs',
  'second',
  'seconds',
  'min',
  'mins',
  'minute',
  'minutes',
  'hour',
  'hours',
  'us',
  'ns',
  'µs',
]);

function isDuration(text: string, at: number): boolean {
  const apart = text.charCodeAt(at) === 32;
  if (apart) at++;
  let end = at;
  while (end < at + 8 && end < text.length && (isLetter(text.charCodeAt(end)) || text.charCodeAt(end) === 181)) end++;
  return end > at + (apart ? 1 : 0) && units.has(text.slice(at, end)); // 6m, but not 6 m
}

const trivialWords =
  /^\W*(?:ok(?:ay)?|done|success(?:ful(?:ly)?)?|true|false|null|none|undefined|yes|no|\[\]|\{\}|\(\)|\[\(0,\)\]|0|1|no output|\(no output\)|empty|no (?:matches|results|files|output|changes|issues|errors|data)(?: (?:were )?found)?|0 (?:issues|errors|matches|results|warnings|problems)[^\n]*|nothing to (?:commit|do)[^\n]*|(?:the )?command (?:completed|finished|exited|succeeded)(?: with)?(?: exit)?(?: code)?(?: 0)?)\W*$/i;
const acknowledgement =
  /\b(?:successfully|has been (?:updated|created|modified|saved|written|deleted)|have been (?:updated|modified|saved)|(?:updated|saved|created|written|applied|recorded|deleted)\.?\s*$|up to date|working tree clean|0 issues|no (?:issues|matches|files|results) found|passed)\b/i;

/** Results that recur in healthy work and prove nothing by themselves, whatever wrapper they come in. */
function isTrivial(text: string, cues: number): boolean {
  const { length } = text;
  if (length > 400 || (length > 8 && (cues & cue.trivial) === 0)) return false;
  const said = text.replace(wrapperLines, '').trim();
  return said.length < 3 || trivialWords.test(said) || (said.length < 300 && acknowledgement.test(said));
}

/** What shells put around an output: how it ended, how long it took, that there was no error. */
const wrapperLines =
  /^[ \t]*(?:(?:Command|Directory|Chunk ID|Wall time|Original token count|Process (?:exited|running)|Process Group PGID|Background PIDs|Signal|Exit Code|Output)\b[^\n]*|[A-Za-z][\w ]{0,24}: ?\(?(?:none|null|nil|empty|0)\)?[ \t]*)(?:\n|$)/gim;

/** Says that something is still going on: asking again later is how one waits. */
const waiting =
  /\bstill (?:running|in progress|pending|processing|waiting|building|working|going)\b|(?<![A-Za-z])[Ii][Nn][ _-][Pp][Rr][Oo][Gg][Rr][Ee][Ss][Ss](?![A-Za-z])|\bpending\b|\bqueued\b|no new output|\bPreparing\b|["']?\b(?:status|state|phase)["']?\s*[:=]\s*["']?(?:running|pending|queued|in_progress|processing|starting|waiting|building|scheduled|active|deploying)\b|\b(?:is|are) (?:still )?(?:running|pending|queued|processing|building|waiting|deploying|not (?:yet )?(?:ready|finished|done|complete))\b|\b[Pp]rocess running\b|\b(?:PENDING|QUEUED|RUNNING|ContainerCreating)\b|\bnot yet (?:ready|finished|complete|available|done)\b|\bwaiting for\b/;

export function isWaiting(text: string): boolean {
  return text.length <= 4000 && waiting.test(text);
}
