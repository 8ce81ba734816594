import { grouped } from 'loopfuse/words';

/** The maximum output of a tool for the model, in characters. */
export const maxOutput = 40_000;

/** The text, or its beginning with a note on how much is missing. Never cuts a character in two. */
export function clipEnd(text: string, most: number, advice = ''): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, boundary(text, most));
  return `${kept}\n[${grouped(text.length - kept.length)} more characters were cut off.${advice === '' ? '' : ` ${advice}`}]`;
}

/** The text, or its beginning and end with a note between on how much is missing. */
export function clipMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, boundary(text, Math.ceil(most / 2)));
  const tail = text.slice(boundary(text, text.length - Math.floor(most / 2)));
  return `${head}\n[… ${grouped(text.length - head.length - tail.length)} characters were cut out here …]\n${tail}`;
}

/** The nearest place at or before `at` where no pair of surrogates is split. */
function boundary(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff && at > 0 ? at - 1 : at;
}
