import { nonNegative } from '../shape.js';
import { addCode, startHash } from '../value/fingerprint.js';
import type { Step } from './step.js';

/**
 * What a host writes around every result: the number of the step before it, a reminder behind it. It says nothing of what
 * came back, and would make the same result look different each time, or different results alike.
 *
 * It is known by what results of different calls and tools have in common at their ends, piece by piece, and kept in hashes. Numbers
 * in it that only grow, or only shrink, from one result to the next are a counter; numbers that do as they like tell
 * something, and the frame ends before them. And where the first piece of a result counts in equal steps, it is a counter
 * whatever was called.
 */
export interface Frame {
  readonly head: Edge;
  readonly tail: Edge;
}

/** One end of a result, as far as results have it in common. */
interface Edge {
  /** A hash of each piece, its numbers apart; the sum of its numbers in the last result; and how they have moved so far. */
  marks: number[];
  sums: number[];
  moves: number[];
  /** How many results with different bodies had it, and how many of all did not. */
  fits: number;
  misses: number;
  /** The call whose result was last compared; the first tool whose results had it, and whether those of others had it, too. */
  call: number;
  tool: string;
  shared: boolean;
  /** The first piece of the last result, where it has numbers; their sum, by how much it grew, and how often by that much. */
  first: number;
  sum: number;
  stride: number;
  strides: number;
}

/** So many results that have an end in common make it a frame; so many without it, and one in eight, unmake it. */
const enough = 4;
const mostMisses = 3;
const mostPieces = 12;
const longestPiece = 400;
/** A shorter frame without a counter changes little, and can stay. */
const longFrame = 160;
/** A number that has grown by the same so often, and by no more than this, is a counter, in a piece that is no longer than this. */
const steady = 2;
const longestStride = 16;
const longestCounter = 40;

const grew = 1;
const shrank = 2;
const stayed = 4;

/** The call that a result answers. */
type Asked = Pick<Step, 'call' | 'tool'>;

export function createFrame(): Frame {
  return { head: createEdge(), tail: createEdge() };
}

function createEdge(): Edge {
  return {
    marks: [],
    sums: [],
    moves: [],
    fits: 0,
    misses: 0,
    call: 0,
    tool: '',
    shared: false,
    first: 0,
    sum: 0,
    stride: 0,
    strides: 0,
  };
}

const edgeLike = { ...createEdge(), marks: [0], sums: [0], moves: [0], fits: nonNegative, misses: nonNegative };

/** What a saved frame looks like. */
export const frameLike = { head: edgeLike, tail: edgeLike };

/**
 * A result without its frame. Every result goes through it once, in the order in which they come. Failures say the same
 * for many calls, and count lines: from them it learns nothing.
 */
export function withoutFrame(frame: Frame, text: string, asked: Asked, failed: boolean): string {
  let from = 0;
  let end = text.length;
  while (from < end && isBlank(text.charCodeAt(from))) from++;
  while (from < end && isBlank(text.charCodeAt(end - 1))) end--;
  const head = compare(frame.head, text, from, end, asked, failed);
  const tail = compare(frame.tail, text, end, from, asked, failed);
  if (head === from && tail === end) return text;
  return head < tail ? text.slice(head, tail) : '';
}

// Scratch pads, written before they are read in every call: no state lives here between two.
const marks = new Int32Array(mostPieces);
const sums = new Float64Array(mostPieces);
const ends = new Int32Array(mostPieces);

/** Compares the end of a text at `start` with those of the results before, and says where the frame ends there. */
function compare(edge: Edge, text: string, start: number, stop: number, asked: Asked, failed: boolean): number {
  const isFrame = edge.misses <= mostMisses + (edge.fits >> 3);
  if (!isFrame && !mayCount(text, start, stop)) {
    edge.first = 0;
    return start;
  }
  const known = isFrame ? edge.marks.length : 0;
  const read = readPieces(text, start, stop, Math.max(1, known), edge.fits > 1);
  const counted = isCounter(edge, read, start) && !failed ? ends[0]! : start;
  if (!isFrame) return counted;
  let common = 0;
  while (common < known && common < read && edge.marks[common] === marks[common]) common++;
  if (failed || (asked.call === edge.call && asked.call !== 0))
    return common === known ? frameEnd(edge, start, counted) : counted;
  if (common === 0) {
    edge.misses++;
    if (edge.fits < enough) begin(edge, Math.min(1, read), 1, asked);
    return counted;
  }
  if (edge.fits === 1) {
    // The second that begins so: now it pays to look at all of it.
    begin(edge, readPieces(text, start, stop, mostPieces, true), 2, asked);
    return counted;
  }
  // The same as far as it was read, which may be the whole of it: no frame can be told from that.
  if (common === known && edge.fits === 2) return counted;
  edge.call = asked.call;
  edge.fits++;
  edge.shared ||= asked.tool !== edge.tool;
  shorten(edge, move(edge, common), asked);
  return frameEnd(edge, start, counted);
}

/** Whether a text has a piece with a number at one end. Most have not, and are not read where there is no frame. */
function mayCount(text: string, start: number, stop: number): boolean {
  const way = start < stop ? 1 : -1;
  const first = way === 1 ? start : start - 1;
  const end = way === 1 ? Math.min(stop, start + longestCounter) : Math.max(stop, start - longestCounter) - 1;
  let hasDigit = false;
  let last = 0;
  for (let at = first; at !== end; at += way) {
    const code = text.charCodeAt(at);
    if (code > 57) last = code;
    else if (code >= zero) hasDigit = true;
    else {
      if (code === newline) return hasDigit;
      if (hasDigit && code === blank && isEdge(last, way)) return true;
      last = code;
    }
  }
  return false;
}

/** Whether the numbers of the first piece have grown, or shrunk, by the same for some results now. */
function isCounter(edge: Edge, read: number, start: number): boolean {
  if (read === 0 || Number.isNaN(sums[0]) || Math.abs(ends[0]! - start) > longestCounter) {
    edge.first = 0;
    return false;
  }
  const stride = sums[0]! - edge.sum;
  const goesOn = edge.first === marks[0] && stride !== 0 && Math.abs(stride) <= longestStride;
  edge.strides = !goesOn ? 0 : stride === edge.stride ? Math.min(edge.strides + 1, steady) : 1;
  edge.stride = goesOn ? stride : 0;
  edge.first = marks[0]!;
  edge.sum = sums[0]!;
  return edge.strides >= steady;
}

/** Where a frame ends that has been seen often enough, and that would be in the way: it counts, or is long. */
function frameEnd(edge: Edge, start: number, counted: number): number {
  const pieces = edge.marks.length;
  if (edge.fits < enough || !edge.shared || pieces === 0) return counted;
  const end = ends[pieces - 1]!;
  const isInTheWay = Math.abs(end - start) >= longFrame || edge.moves.some((moved) => (moved & (grew | shrank)) !== 0);
  return isInTheWay ? end : counted;
}

function begin(edge: Edge, count: number, fits: number, { call, tool }: Asked): void {
  edge.shared = fits > 1 && (edge.shared || tool !== edge.tool);
  if (fits <= 1) edge.tool = tool;
  edge.marks = Array.from(marks.subarray(0, count));
  edge.sums = Array.from(sums.subarray(0, count), (sum) => (Number.isNaN(sum) ? 0 : sum));
  edge.moves = Array.from({ length: count }, () => 0);
  edge.fits = count === 0 ? 0 : fits;
  edge.call = call;
}

/** Notes how the numbers of the common pieces have moved, and says how many pieces there are before one that tells something. */
function move(edge: Edge, common: number): number {
  for (let k = 0; k < common; k++) {
    const sum = sums[k]!;
    if (Number.isNaN(sum)) continue;
    const last = edge.sums[k]!;
    const moved = edge.moves[k]! | (sum > last ? grew : sum < last ? shrank : stayed);
    edge.sums[k] = sum;
    edge.moves[k] = moved;
    if ((moved & (moved - 1)) !== 0) return k; // in more than one way
  }
  return common;
}

function shorten(edge: Edge, count: number, asked: Asked): void {
  if (count === 0) begin(edge, 0, 0, asked);
  else if (count < edge.marks.length) edge.marks.length = edge.sums.length = edge.moves.length = count;
}

/**
 * Reads at most so many pieces of a text from `start` towards `stop`, and says how many. A piece is a line, or what stands in
 * brackets or before a colon and has a number. What is left at the other end is one of them where `all` is said, and else
 * its body. A piece with a clock, an id or a unit (`e50`, `3s`) is none: those are masked as they are.
 */
function readPieces(text: string, start: number, stop: number, most: number, all: boolean): number {
  const way = start <= stop ? 1 : -1;
  let at = start;
  let count = 0;
  while (count < most && at !== stop) {
    const begun = at;
    let hash = startHash;
    let sum = Number.NaN;
    let number = 0;
    let scale = 1;
    let last = 0;
    let before = 0;
    let isWhole = false;
    while (at !== stop && Math.abs(at - begun) < longestPiece && !isWhole) {
      const code = text.charCodeAt(way === 1 ? at : at - 1);
      if (isDigit(code)) {
        if ((last === colon && isDigit(before)) || isLetter(last)) return count;
        if (!isDigit(last)) {
          hash = addCode(hash, numberSign);
          sum = (Number.isNaN(sum) ? 0 : sum) + number;
          number = 0;
          scale = 1;
        }
        number = way === 1 ? number * 10 + code - zero : number + (code - zero) * scale;
        scale *= 10;
      } else {
        if (isDigit(last) && isLetter(code)) return count;
        isWhole = code === newline || (code === blank && !Number.isNaN(sum) && isEdge(last, way));
        if (!isWhole) hash = addCode(hash, code);
      }
      before = last;
      last = code;
      at += way;
    }
    if (!all && (!isWhole || at === stop)) break;
    marks[count] = hash;
    sums[count] = Number.isFinite(sum + number) ? sum + number : Number.NaN;
    ends[count++] = at;
  }
  return count;
}

const newline = 10;
const blank = 32;
const numberSign = 35;
const zero = 48;
const colon = 58;

/** A sign with which a wrapper ends before a blank, such as `]` or `:`; or begins behind one, read backwards. */
function isEdge(code: number, way: 1 | -1): boolean {
  return way === 1
    ? code === colon || code === 93 || code === 62 || code === 41 || code === 125 || code === 124
    : code === 91 || code === 60 || code === 40 || code === 123 || code === 124;
}

function isDigit(code: number): boolean {
  return code >= zero && code <= 57;
}

function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

function isBlank(code: number): boolean {
  return code <= blank || code === 160;
}
