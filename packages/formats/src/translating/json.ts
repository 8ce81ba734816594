import type { Json } from 'loopfuse';
import { nestsTooDeeply } from '../records/nesting.js';

/** A JSON object whose members may be missing. */
export type Obj = { readonly [key: string]: Json | undefined };

export function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty object. */
export function obj(value: Json | undefined): Obj {
  return isObject(value) ? value : nothing;
}

/** The value if it is a list, else an empty list. */
export function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : none;
}

/** The value if it is a string that is not empty. */
export function str(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The value if it is a finite number. */
export function num(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/**
 * A time in milliseconds since the epoch, from the forms in logs: ISO dates, and seconds, milliseconds, microseconds or
 * nanoseconds as a number or as digits.
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

// The last day that was parsed: most lines of a log have the same day.
let lastDay = '';
let lastDayTime = 0;

/** The same as `Date.parse` for the form of most logs, `2026-01-31T12:34:56.789Z`; undefined for all other forms. */
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

/** The number in these digits; NaN if a character is not a digit. */
function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let k = from; k < to; k++) {
    const digit = text.charCodeAt(k) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

/**
 * The value of a JSON text; the text itself if it is not valid JSON or nests too deeply. Models write arguments as
 * JSON, which is sometimes invalid.
 */
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

/** Whether a text replaces one that was hidden: "[REDACTED]", "__REDACTED__", "<hidden>", "***". */
export function isMasked(value: Json): boolean {
  if (typeof value !== 'string' || value.length > longestMask) return false;
  const word = value.replace(/[^a-z*]/gi, '').toLowerCase();
  return masks.has(word) || /^\*{3,}$/.test(word);
}

const longestMask = 40;
const masks = new Set(['redacted', 'masked', 'hidden', 'filtered', 'contenthidden', 'contentredacted', 'dataredacted']);

const nothing: Obj = Object.freeze({});
const none: readonly Json[] = Object.freeze([]);
