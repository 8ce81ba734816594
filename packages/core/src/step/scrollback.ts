import { addCode, digest, startHash } from '../value/fingerprint.js';

/**
 * What a terminal still shows of earlier results. Some hosts show the whole screen after each command, so that every
 * result begins with the end of the one before. Only what is below that came back this time.
 */
export interface Scrollback {
  /** Hashes of the last lines of the last result, oldest first. */
  lines: number[];
  /** How many results were looked at, and how many of them began with the end of the one before. */
  looks: number;
  hits: number;
}

/** A host that shows no earlier lines in its first results is not looked at any more. */
const mostLooks = 16;
/** So many results must have begun with the end of the one before, with so many lines. */
const enough = 2;
const fewestLines = 3;
/** Only so many lines are compared, of at most so many characters together. */
const mostLines = 64;
const mostCharacters = 6000;

export function createScrollback(): Scrollback {
  return { lines: [], looks: 0, hits: 0 };
}

/** A result without the lines that the one before ended with. Every result must go through it once, in order. */
export function withoutScrollback(screen: Scrollback, text: string): string {
  if (screen.hits < enough && screen.looks >= mostLooks) return text;
  screen.looks++;
  const before = screen.lines;
  screen.lines = lastLines(text);
  const first = firstLines(text);
  let shared = overlap(first.hashes, before);
  let fewestNew = 1; // a screen on which nothing is new is the result
  if (shared < fewestLines) {
    // The last line before was a prompt, behind which the command stands now; and there is a new one.
    shared = overlap(first.hashes, before.slice(0, -1));
    fewestNew = 2;
  }
  if (shared < fewestLines || first.hashes.length - shared < fewestNew) return text;
  return ++screen.hits < enough ? text : text.slice(first.ends[shared - 1]);
}

/** How many lines a text begins with that another ended with. (The failure function of Knuth, Morris and Pratt.) */
function overlap(text: readonly number[], before: readonly number[]): number {
  const fallback = [0];
  const next = (matched: number, line: number): number => {
    let k = matched;
    while (k > 0 && (k === text.length || text[k] !== line)) k = fallback[k - 1]!;
    return text[k] === line ? k + 1 : 0;
  };
  for (let k = 1; k < text.length; k++) fallback.push(next(fallback[k - 1]!, text[k]!));
  let matched = 0;
  for (const line of before) matched = next(matched, line);
  return matched;
}

/** Hashes of the first lines of a text, and where the next line begins. */
function firstLines(text: string): { readonly hashes: number[]; readonly ends: number[] } {
  const hashes: number[] = [];
  const ends: number[] = [];
  const stop = Math.min(text.length, mostCharacters);
  for (let from = 0; from < stop && hashes.length < mostLines; ) {
    const newline = text.indexOf('\n', from);
    const end = newline < 0 ? text.length : newline;
    if (end > stop) break;
    hashes.push(hashOf(text, from, end));
    ends.push(end + 1);
    from = end + 1;
  }
  return { hashes, ends };
}

function lastLines(text: string): number[] {
  const hashes: number[] = [];
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) <= blank) end--;
  const stop = Math.max(0, end - mostCharacters);
  while (end > stop && hashes.length < mostLines) {
    const from = text.lastIndexOf('\n', end - 1) + 1;
    if (from < stop) break;
    hashes.push(hashOf(text, from, end));
    end = from - 1;
  }
  return hashes.reverse();
}

/** White space at the end of a line does not count. */
function hashOf(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && text.charCodeAt(end - 1) <= blank) end--;
  let hash = startHash;
  for (let at = from; at < end; at++) hash = addCode(hash, text.charCodeAt(at));
  return digest(hash);
}

const blank = 32;
