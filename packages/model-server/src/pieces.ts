import type { Pace } from './reply.js';

/** Cuts a text as a stream does. The joined pieces are the text; no piece is empty or splits a character. */
export function pieces(text: string, cut: NonNullable<Pace['cut']> = 'tokens'): readonly string[] {
  if (text === '') return [];
  if (cut === 'whole') return [text];
  if (cut === 'tokens') return text.match(tokenLike) ?? [];
  const characters = Array.from(text);
  const found: string[] = [];
  for (let from = 0; from < characters.length; from += cut) found.push(characters.slice(from, from + cut).join(''));
  return found;
}

/** A word of at most eight letters with the blank before it, a few blanks, or one other character. */
const tokenLike = / ?[\p{L}\p{N}]{1,8}|\s{1,8}|[\s\S]/gu;
