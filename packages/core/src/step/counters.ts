import { addCode, startHash } from '../value/fingerprint.js';

/**
 * Counters that a host puts before or after every result: "Step 7", "43 turns remaining". They say nothing about what
 * came back, and would make the same result look different each time. A counter is recognised by its numbers, which
 * grow or shrink by the same amount from one result to the next, whatever was called. It is kept as a hash.
 */
export interface Counters {
  readonly head: Counter;
  readonly tail: Counter;
}

/** The first or last piece of a result: its words, the sum of its numbers, the sum's growth, and how often in a row. */
interface Counter {
  words: number;
  sum: number;
  stride: number;
  strides: number;
}

/** A number that has grown by the same amount this often is a counter; failures, which give line numbers, need more. */
const steady = 2;
const steadyInFailures = 4;
const longestStride = 16;
/** The longest piece. */
const longest = 28;

export function createCounters(): Counters {
  return { head: noCounter(), tail: noCounter() };
}

function noCounter(): Counter {
  return { words: 0, sum: 0, stride: 0, strides: 0 };
}

/** A result without the counters around it. Every result must go through it once, in order: it updates the counters. */
export function withoutCounters({ head, tail }: Counters, text: string, failed: boolean): string {
  let from = 0;
  let end = text.length;
  while (from < end && text.charCodeAt(from) <= blank) from++;
  while (from < end && text.charCodeAt(end - 1) <= blank) end--;
  const needed = failed ? steadyInFailures : steady;
  const body = count(head, text, from, end, 1) >= needed ? pieceEnd : from;
  const behind = count(tail, text, end - 1, from - 1, -1) >= needed ? pieceEnd + 1 : end;
  return body === from && behind === end ? text : text.slice(body, behind);
}

/** Where the piece that was read last ends. */
let pieceEnd = 0;

/** How many times in a row the numbers of the piece at one end have grown by the same amount. */
function count(counter: Counter, text: string, start: number, stop: number, way: 1 | -1): number {
  const { words, sum, stride } = counter;
  counter.words = counter.sum = 0;
  const grown = readPiece(counter, text, start, stop, way) && counter.words === words ? counter.sum - sum : 0;
  const goesOn = grown !== 0 && Math.abs(grown) <= longestStride;
  counter.strides = !goesOn ? 0 : grown === stride ? Math.min(counter.strides + 1, steadyInFailures) : 1;
  counter.stride = goesOn ? grown : 0;
  return counter.strides;
}

/**
 * Reads a short line from one end of a text, or the part there in brackets or before a colon. Returns whether there is
 * one with numbers. Clocks, ids and units (`e50`, `3s`) are masked anyway, and are no counters.
 */
function readPiece(into: Counter, text: string, start: number, stop: number, way: 1 | -1): boolean {
  if (!findEnd(text, start, stop, way)) return false;
  let hash = startHash;
  let sum = 0;
  let number = 0;
  let scale = 1;
  let last = 0;
  let before = 0;
  for (let at = start; at !== pieceEnd; at += way) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) {
      if (isLetter(last) || (last === colon && isDigit(before))) return false;
      if (!isDigit(last)) {
        hash = addCode(hash, numberSign);
        sum += number;
        number = 0;
        scale = 1;
      }
      number = way === 1 ? number * 10 + code - zero : number + (code - zero) * scale;
      scale *= 10;
    } else {
      if (isDigit(last) && isLetter(code)) return false;
      hash = addCode(hash, code);
    }
    before = last;
    last = code;
  }
  into.words = hash;
  into.sum = sum + number;
  return true;
}

/** Finds the end of the piece. Most texts have no piece with numbers, and are not read any further. */
function findEnd(text: string, start: number, stop: number, way: 1 | -1): boolean {
  const end = way === 1 ? Math.min(stop, start + longest) : Math.max(stop, start - longest);
  let hasNumber = false;
  for (let at = start; at !== end; at += way) {
    const code = text.charCodeAt(at);
    if (code > 57) continue;
    if (code >= zero) hasNumber = true;
    else if (code === newline || (code === blank && hasNumber && isEdge(text[at - way]!, way))) {
      pieceEnd = at;
      return hasNumber;
    }
  }
  return false;
}

const newline = 10;
const blank = 32;
const numberSign = 35;
const zero = 48;
const colon = 58;

/** A sign that ends a wrapper before a blank, such as `]` or `:`; read backwards, one that begins a wrapper. */
function isEdge(sign: string, way: 1 | -1): boolean {
  return (way === 1 ? ':])>}|' : '[(<{|').includes(sign);
}

function isDigit(code: number): boolean {
  return code >= zero && code <= 57;
}

function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}
