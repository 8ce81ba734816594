import type { Json } from 'loopfuse';
import { nestsTooDeeply } from '../records/nesting.js';

/** A JSON object, read member by member: what is not what it should be reads as undefined. */
export type Obj = { readonly [key: string]: Json | undefined };

export function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one when it is none. */
export function obj(value: Json | undefined): Obj {
  return isObject(value) ? value : nothing;
}

/** The value as a list; an empty one when it is none. */
export function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : none;
}

/** The value if it is a string with something in it. */
export function str(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The value if it is a finite number. */
export function num(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/**
 * A time in milliseconds since the epoch, from what logs write: ISO dates, and seconds, milliseconds, microseconds or
 * nanoseconds as a number or in digits.
 */
export function timeOf(value: Json | undefined): number | undefined {
  if (typeof value === 'string') {
    if (value.length > 9 && value.charCodeAt(4) !== 45 && /^\d+(\.\d+)?$/.test(value)) return timeOf(Number(value));
    const time = isoTime(value) ?? Date.parse(value);
    return Number.isNaN(time) ? undefined : time;
  }
  if (typeof value !== 'number' || !(value > 0) || value > 1e20) return undefined;
  if (value < 1e11) return Math.round(value * 1000);
  if (value < 1e14) return Math.round(value);
  return Math.round(value < 1e17 ? value / 1e3 : value / 1e6);
}

// The day that was asked for last: the lines of a log are mostly of one.
let lastDay = '';
let lastDayTime = 0;

/** The time that `Date.parse` reads off `2026-01-31T12:34:56.789Z`, which is how most logs write it, and undefined for all else. */
function isoTime(text: string): number | undefined {
  if (text.length !== 24 || text.charCodeAt(10) !== 84 || text.charCodeAt(23) !== 90) return undefined;
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58 || text.charCodeAt(19) !== 46) return undefined;
  const hours = digits(text, 11, 13);
  const minutes = digits(text, 14, 16);
  const seconds = digits(text, 17, 19);
  const milliseconds = digits(text, 20, 23);
  if (!(hours < 24 && minutes < 60 && seconds < 60 && milliseconds < 1000)) return undefined;
  if (!text.startsWith(lastDay) || lastDay === '') {
    const day = text.slice(0, 10);
    const time = Date.parse(`${day}T00:00:00.000Z`);
    if (Number.isNaN(time)) return undefined;
    lastDay = day;
    lastDayTime = time;
  }
  return lastDayTime + ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds;
}

/** The number that these digits are; NaN where one is none. */
function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let k = from; k < to; k++) {
    const digit = text.charCodeAt(k) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

/** What a JSON text says; the text itself when it is no JSON, or nests too deeply. Models write arguments this way, and not always well. */
export function parsed(value: Json | undefined): Json {
  if (typeof value !== 'string') return value ?? {};
  const first = value.charCodeAt(0);
  if ((first !== 123 && first !== 91 && first > 32) || nestsTooDeeply(value)) return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

/** Whether a text stands in the place of one that is not to be seen: "[REDACTED]", "__REDACTED__", "<hidden>", "***". */
export function isMasked(value: Json): boolean {
  if (typeof value !== 'string' || value.length > longestMask) return false;
  const word = value.replace(/[^a-z*]/gi, '').toLowerCase();
  return masks.has(word) || /^\*{3,}$/.test(word);
}

const longestMask = 40;
const masks = new Set(['redacted', 'masked', 'hidden', 'filtered', 'contenthidden', 'contentredacted', 'dataredacted']);

const nothing: Obj = Object.freeze({});
const none: readonly Json[] = Object.freeze([]);
