import type { Json } from 'loopfuse';

/** Readers of foreign JSON that never throw: a value of another shape is read as empty. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value of a JSON text, or the text itself. */
export function parsedOr(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** Reads the arguments of a call, which are {} for no text or null. Text that is not JSON stays unchanged. */
export function argumentsOf(text: string): Json {
  return text === '' ? {} : (parsedOr(text) ?? {});
}

/** A text unchanged, anything else as JSON. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

/** The text of content that is a string or a list of parts with a `text`. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => stringOf(fieldsOf(part).text))
    .join('');
}

/**
 * The content of a call's result as text: its texts, and the rest as JSON, in which pictures and files are short marks.
 * The marks differ if the data does, so that two screenshots with the same words are two outcomes.
 */
export function outcomeOf(content: unknown): string {
  if (content === undefined || content === null || typeof content === 'string') return content ?? '';
  return Array.isArray(content) ? content.map(partText).join('') : JSON.stringify(content, shortened);
}

/** The parts of a message that are not text, written as in `outcomeOf`: pictures and files also come beside results. */
export function attachedTo(parts: readonly unknown[]): string {
  return parts
    .filter((part) => isObject(part) && typeof part.text !== 'string')
    .map(partText)
    .join('');
}

/** A message of the user: its texts or, if there are none, marks for its pictures and files. */
export function requestIn(content: unknown): { readonly text: string; readonly wordless?: true } {
  const text = textOf(content);
  const attached = text === '' ? attachedTo(listOf(content)) : '';
  return attached === '' ? { text } : { text: attached, wordless: true };
}

function partText(part: unknown): string {
  const { text } = fieldsOf(part);
  if (typeof part === 'string' || typeof text === 'string') return stringOf(text ?? part);
  return JSON.stringify(part, shortened);
}

/** Shortens data, which has no spaces. Leaves out the client's cache marks and values that are encrypted each time. */
function shortened(key: string, value: unknown): unknown {
  if (key === 'cache_control' || key.startsWith('encrypted_')) return undefined;
  if (typeof value !== 'string' || value.length < 500 || value.slice(0, 500).includes(' ')) return value;
  let print = 0;
  for (let at = 0; at < value.length; at++) print = (Math.imul(print, 31) + value.charCodeAt(at)) | 0;
  return `${value.slice(0, 20)}… ${value.length} ${(print >>> 0).toString(36)}`;
}

/** A value as an error message shows it: short, and quoted if it is a text. */
export function quote(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value === undefined ? 'nothing' : Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}
