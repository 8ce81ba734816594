import type { Json } from 'loopfuse';
import type { Mask } from '../../../recorded/mask.js';

/** Makes short texts that can be shown to others from the values of a session: bounded first, then masked, then clipped. */
export interface Excerpts {
  /** On one line or more, in at most about `most` characters: the beginning, and of long ones the end too. */
  text(text: string, most: number): string;
  value(value: Json, most: number): string;
  /** Masked and not clipped: for a text that is cut into pieces later, where a secret that is cut would not be recognised. */
  whole(text: string): string;
}

/** Characters beyond the shown ones that are masked, too, so that a secret at the cut is recognised. */
const margin = 512;
/** Loops repeat the same texts, so results for short texts are cached. */
const mostRemembered = 4096;
const longestRemembered = 4096;
/** The characters that are masked of a longer text with a private key, which must be masked as a whole. */
const longestWithKey = 200_000;
const mostEntries = 40;
const deepest = 8;

export function createExcerpts(mask: Mask): Excerpts {
  let remembered = new Map<string, string>();

  function masked(text: string): string {
    if (text.length > longestRemembered) return mask.text(text);
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const result = mask.text(text);
    if (remembered.size >= mostRemembered) remembered = new Map();
    remembered.set(text, result);
    return result;
  }

  function text(original: string, most: number): string {
    if (original.length <= most + 2 * margin) return clipped(masked(original), most);
    if (original.includes('PRIVATE KEY')) return clipped(masked(original.slice(0, longestWithKey)), most);
    const { head, tail } = ends(most);
    const start = masked(withoutLastWord(original.slice(0, head + margin))).slice(0, head);
    const end = tail === 0 ? '' : masked(withoutFirstWord(original.slice(-(tail + margin)))).slice(-tail);
    return joined(start, end, original.length - start.length - end.length);
  }

  /** A copy of limited size, with masked texts. */
  function bounded(value: Json, most: number, depth: number): Json {
    if (typeof value === 'string') return text(value, most);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= deepest) return '…';
    if (Array.isArray(value)) {
      const items = value.slice(0, mostEntries).map((item) => bounded(item, most, depth + 1));
      return value.length > mostEntries ? [...items, `… ${value.length - mostEntries} more`] : items;
    }
    const entries = Object.entries(value);
    const kept = entries
      .slice(0, mostEntries)
      .map(([key, inner]) => [text(key, most), bounded(inner, most, depth + 1)]);
    return Object.fromEntries(
      entries.length > mostEntries ? [...kept, ['…', `${entries.length - mostEntries} more`]] : kept,
    );
  }

  return {
    text: (original, most) => wellFormed(text(original, most)),
    value(original, most) {
      if (typeof original === 'string') return wellFormed(text(original, most));
      // Masked once more as a whole, because a key may name a secret value.
      return wellFormed(text(plainText(mask.value(bounded(original, most, 0))), most));
    },
    whole: masked,
  };
}

/** A word at a cut may be a part of a secret, and would not be recognised. */
function withoutFirstWord(text: string): string {
  let from = 0;
  while (from < text.length && wordSign.test(text[from]!)) from++;
  return text.slice(from);
}

function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && wordSign.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}

const wordSign = /[\w.~+/=-]/;

/** Replaces lone surrogates, left by a cut or a broken log: they cannot be written to a file or a URL. */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}

function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  const { head, tail } = ends(most);
  return joined(text.slice(0, head), tail === 0 ? '' : text.slice(-tail), text.length - head - tail);
}

/** A fifth of a long excerpt is for its end, where errors are. */
function ends(most: number): { head: number; tail: number } {
  const tail = most < 500 ? 0 : Math.floor(most / 5);
  return { head: most - tail, tail };
}

function joined(start: string, end: string, left: number): string {
  return end === '' ? `${start}…` : `${start}\n… ${left} characters …\n${end}`;
}

/** As people read it: texts as they are, and a line for each key. */
function plainText(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map((item) => blockText(item) ?? JSON.stringify(item)).join('\n');
  return (
    blockText(value) ??
    Object.entries(value)
      .map(([key, inner]) => `${key}: ${typeof inner === 'string' ? inner : JSON.stringify(inner)}`)
      .join('\n')
  );
}

/** The text of a block of a message, such as `{ "type": "text", "text": "…" }`. */
function blockText(value: Json): string | undefined {
  if (typeof value === 'string') return value;
  const { type, text } = Object(value) as { type?: unknown; text?: unknown };
  return type === 'text' && typeof text === 'string' ? text : undefined;
}
