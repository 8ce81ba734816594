/**
 * The beginning and the end of a text that may come in pieces, with its length and a fingerprint of the whole. Its size
 * is bounded however long the text is, and it is the same however the text was cut.
 */
export interface Excerpt {
  head: string;
  tail: string;
  length: number;
  print: number;
}

function startExcerpt(): Excerpt {
  return { head: '', tail: '', length: 0, print: 0x811c9dc5 };
}

/** At most `most` characters, half of them from the beginning. */
export function excerptOf(text: string, most: number): Excerpt {
  const excerpt = startExcerpt();
  extend(excerpt, text, most);
  return excerpt;
}

export function extend(excerpt: Excerpt, text: string, most: number): void {
  const room = Math.max(0, Math.ceil(most / 2) - excerpt.head.length);
  if (room > 0) excerpt.head += part(text, 0, room);
  if (text.length > room) excerpt.tail = last(excerpt.tail + last(text.slice(room), most >> 1), most >> 1);
  excerpt.length += text.length;
  excerpt.print = fnv1a(excerpt.print, text);
}

/** The kept text, with a note of how much was left out. */
export function shown({ head, tail, length }: Excerpt): string {
  const cut = length - head.length - tail.length;
  return cut === 0 ? head + tail : `${head} […${cut} characters left out…] ${tail}`;
}

export function isWhole({ head, tail, length }: Excerpt): boolean {
  return head.length + tail.length === length;
}

/** Whether two texts are the same, even if they are not kept completely. */
export function isSameText(a: Excerpt, b: Excerpt): boolean {
  return a.length === b.length && a.print === b.print && a.head === b.head && a.tail === b.tail;
}

/** Whether a value from a snapshot is an excerpt of at most `most` characters. */
export function isExcerpt(value: unknown, most: number): value is Excerpt {
  const { head, tail, length, print } = (value ?? {}) as Partial<Excerpt>;
  return (
    typeof head === 'string' &&
    typeof tail === 'string' &&
    head.length + tail.length <= most + 1 &&
    Number.isSafeInteger(length) &&
    length! >= head.length + tail.length &&
    Number.isSafeInteger(print)
  );
}

function last(text: string, most: number): string {
  return part(text, Math.max(0, text.length - most), text.length);
}

/** A part of a text. Unlike a plain slice, it does not keep the whole text in memory. */
function part(text: string, from: number, to: number): string {
  return from === 0 && to >= text.length ? text : ` ${text.slice(from, to)}`.slice(1);
}

/** FNV-1a over UTF-16 code units. */
function fnv1a(print: number, text: string): number {
  let hash = print;
  for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193);
  return hash >>> 0;
}
