import type { Json } from '../event.js';
import { digest, fingerprint } from '../value/fingerprint.js';
import type { Sketch } from '../value/sketch.js';
import { cue } from './cues.js';
import { unwrapped } from './identity.js';
import { readResult } from './result-reader.js';

/** What a result says, apart from what changes by itself. */
export interface Outcome {
  /** Equal for results that differ only in counters, durations, points in time, process and chunk ids, line numbers of a shell. */
  readonly masked: number;
  /** Equal only for equal texts (white space folded). */
  readonly exact: number;
  /** Sketches: of its words (numbers and words of the call masked), similar for similar results; and of its numbers. */
  readonly sketch: Sketch;
  readonly numbers: Sketch;
  /** How many letters it has. */
  readonly letters: number;
  /** What its words may mean (see `cues.ts`). */
  readonly cues: number;
  readonly trivial: boolean;
}

/** The text of a result, whatever it is wrapped in; of structured results at most `longest` characters. */
export function textOf(output: Json): string {
  // A JSON object in a string is read as the object.
  const value =
    typeof output === 'string' && output.length < longest && output.endsWith('}') ? unwrapped(output) : output;
  if (typeof value === 'string') return plain(value);
  const parts: string[] = [];
  const budget: Budget = { left: longest, pictures: [] };
  collect(value, parts, budget, 0);
  const said = plain(parts.join('\n'));
  return budget.pictures.length === 0 || said.length >= described ? said : [said, ...budget.pictures].join('\n');
}

/** The text without terminal colours and similar codes, and without the tags around all of it: `<output>…</output>`. */
function plain(text: string): string {
  const said = text.includes('\u001b') ? text.replace(terminalCodes, '') : text;
  return said.charCodeAt(0) === 60 ? (contentsOfTags(said) ?? said) : said;
}

/** What stands in the tags of a text that consists of nothing else: `<returncode>0</returncode><output>…</output>`. */
function contentsOfTags(text: string): string | undefined {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) <= 32) continue;
    const name = text.slice(at + 1, at + longestTag).split('>', 1)[0]!;
    const from = at + name.length + 2;
    const end = text.charCodeAt(at) === 60 && parts.length < mostTags ? text.indexOf(`</${name}>`, from) : -1;
    if (end < 0) return undefined;
    const inner = text.slice(from, end).trim();
    if (!tellsFailure.has(name)) parts.push(inner);
    else if (inner !== '0' && inner !== '') parts.push(`${name}: ${inner}`);
    at = end + name.length + 2;
  }
  return parts.join('\n');
}

const terminalCodes = /\u001b\[[\d;?]*[A-Za-z]/g;
const longestTag = 40;
const mostTags = 8;
const longest = 200_000;
/** This many characters beside a picture are enough to tell what it shows. */
const described = 80;

interface Budget {
  /** How many characters may still be read. */
  left: number;
  /** The names that stand for the pictures in the result. */
  readonly pictures: string[];
}

const holdsResult = new Set('text content output result stdout stderr observation response'.split(' '));
const namesResult = new Set(
  'id request_id requestId tool_call_id toolCallId call_id callId trace_id traceId span_id spanId correlation_id correlationId'.split(
    ' ',
  ),
);
/** Fields that say something only when a call failed. */
const tellsFailure = new Set(
  'exit_code exitCode exit_status returncode return_code error errors is_error isError'.split(' '),
);

/** Fields that say how long it took. */
const tellsTime = new Set(
  'duration_seconds duration_ms durationMs wall_time_seconds elapsed_ms elapsedMs elapsed_seconds took took_ms tookMs latency_ms latencyMs query_time_ms execution_time_ms executionTimeMs'.split(
    ' ',
  ),
);
const tellsEnd = new Set([...tellsFailure, 'status', 'success', 'ok']);

function collect(value: Json, parts: string[], budget: Budget, depth: number): void {
  if (budget.left <= 0 || depth > 32) return;
  budget.left -= 8;
  if (typeof value === 'string') {
    budget.left -= value.length;
    parts.push(value);
  } else if (typeof value === 'number' || typeof value === 'boolean') parts.push(String(value));
  else if (Array.isArray(value)) {
    for (const item of value) {
      if (budget.left <= 0) break;
      collect(item, parts, budget, depth + 1);
    }
  } else if (typeof value === 'object' && value !== null) {
    const object = value as { readonly [key: string]: Json };
    if (isPictureData(object)) {
      budget.left -= object.data.length;
      budget.pictures.push(nameOfPicture(object.data));
      return;
    }
    let fields = -1; // index of the part with the fields of the current line
    const keys = Object.keys(object).sort(byWeight);
    const holds = keys.some((key) => holdsResult.has(key));
    for (const key of keys) {
      if (budget.left <= 0) break;
      const inner = object[key]!;
      // Beside a result, a field that is false or empty says nothing: `"interrupted": false`.
      if (saysNothing(key, inner) || (holds && !inner && typeof inner !== 'number' && !tellsEnd.has(key))) continue;
      if (holdsResult.has(key) || (typeof inner === 'object' && inner !== null)) {
        collect(inner, parts, budget, depth + 1);
        fields = -1;
        continue;
      }
      const said = `${key}: ${String(inner)}`;
      budget.left -= 8 + said.length;
      if (fields < 0) fields = parts.push(said) - 1;
      else parts[fields] += `, ${said}`; // on one line: an error is read line by line
    }
  }
}

/** Whether an object holds a picture as bytes, which must not be read as words. */
function isPictureData(object: { readonly [key: string]: Json }): object is { readonly data: string } {
  const type = object.media_type ?? object.mimeType ?? object.mediaType;
  return typeof object.data === 'string' && typeof type === 'string' && type.startsWith('image/');
}

/** A name for a picture: the same only for the same picture, and unlike any other word or number. */
function nameOfPicture(data: string): string {
  return `picture${fingerprint(data)}`;
}

/** Alphabetical, but fields that say how it went come first: an error is read from the first lines of a text. */
function byWeight(a: string, b: string): number {
  return Number(tellsEnd.has(b)) - Number(tellsEnd.has(a)) || (a < b ? -1 : 1);
}

/** Whether a field says nothing about what came back: an id, the type of a block, a duration, that it did not fail. */
function saysNothing(key: string, value: Json): boolean {
  if (typeof value === 'string' && value !== '') return key === 'type' || namesResult.has(key);
  return tellsTime.has(key) || (tellsFailure.has(key) && (!value || (Array.isArray(value) && value.length === 0)));
}

/** Reads a result once: its fingerprints, and what its words may mean. */
export function outcomeOf(text: string, callWords: readonly number[] = []): Outcome {
  const { hash, rest, sketch, numbers, letters, cues } = readResult(text, callWords);
  const trivial = isTrivial(text, cues);
  return { masked: digest(hash), exact: digest(hash ^ rest), sketch, numbers, letters, cues, trivial };
}

const trivialWords =
  /^(?:ok(?:ay)?|done|success(?:ful(?:ly)?)?|true|false|null|none|undefined|yes|no|0|1|no output|empty|no (?:matches|results|files|output|changes|issues|errors|data)(?: (?:were )?found)?|0 (?:issues|errors|matches|results|warnings|problems)[^\n]*|nothing to (?:commit|do)[^\n]*|no (?:[\w-]{1,20} ){1,3}(?:were |was )?found(?: (?:for|with|in|matching|that)\b[^\n]{0,120})?|(?:found )?(?:0|no) (?:\w{1,20} )?(?:results|matches|hits|items|records|rows|documents|entries)[^\n]{0,120})$/i;
const acknowledgement =
  /\b(?:ok|success|acknowledged|updated)"?: ?true\b|\b(?:successfully|has been (?:updated|created|modified|saved|written|deleted)|have been (?:updated|modified|saved)|(?:updated|saved|created|written|applied|recorded|deleted)\.?\s*$|up to date|working tree clean|(?:0|no) (?:issues|vulnerabilities|changes)|no (?:matches|files|results) found|passed|exit(?:ed with)? (?:code|status):? 0)\b/i;

/** Results that recur in healthy work and prove nothing by themselves. */
function isTrivial(text: string, cues: number): boolean {
  const { length } = text;
  if (length > 400 || (length > 8 && (cues & cue.trivial) === 0)) return false;
  const said = text.trim();
  return said.length < 3 || trivialWords.test(withoutMarks(said)) || (said.length < 300 && acknowledgement.test(said));
}

/** The text without the signs at both ends that belong to no word. */
function withoutMarks(text: string): string {
  let from = 0;
  let end = text.length;
  while (from < end && !isWordSign.test(text[from]!)) from++;
  while (end > from && !isWordSign.test(text[end - 1]!)) end--;
  return text.slice(from, end);
}

const isWordSign = /\w/;

/** Phrases that say that something is still going on: asking again later is the usual way to wait. */
const waiting = [
  /\bstill (?:running|in progress|pending|processing|waiting|building|working|going)\b|in[ _-]progress|\b(?:pending|queued|ContainerCreating)\b|no new (?:output|messages|events)|\bnot (?:ready|finished|complete|yet (?:ready|finished|done|complete|available))\b|\bwaiting for\b|\bprocess running\b/i,
  /\b(?:status|state|phase|is|are)["']?\s{0,4}[:=]?\s{0,4}["']?(?:running|queued|processing|starting|waiting|building|scheduled|active|deploying)\b/i,
];

export function isWaiting(text: string): boolean {
  const told = text.length <= longestWait ? text : `${text.slice(0, head)}\n${text.slice(-tail)}`;
  return waiting.some((phrase) => phrase.test(told));
}

/** A longer text is searched only at its ends. In between, such words are what a file or an order is about. */
const longestWait = 400;
const head = 160;
const tail = 80;
