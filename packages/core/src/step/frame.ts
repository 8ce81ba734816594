import { addCode, startHash } from '../value/fingerprint.js';
import { emptySketch, likeness, type Sketch } from '../value/sketch.js';
import { outcomeOf } from './outcome.js';

/**
 * What a host writes before or after every result, with other numbers or ids each time: "[call_7f3a] …", "cost so far:
 * $0.04". It says nothing about what came back, and would make the same result look different each time. It is
 * recognised by coming with the results of quite different calls, and is kept as a hash.
 */
export interface Frame {
  readonly head: Edge;
  readonly tail: Edge;
  /** The words of the last call. */
  asked: Sketch;
}

/** What stands at one end of the results. */
interface Edge {
  /** A hash of it, one sign for each number and id; and with how many different calls it came, less those without it. */
  words: number;
  calls: number;
  /** A hash of what stood there last, without what changes by itself. */
  masked: number;
}

/** With so many different calls it must have come; at most so many are counted; and each without it counts as much as these. */
const enough = 3;
const most = 6;
const lost = 2;
/** Two calls that have less than this in common are different. */
const different = 0.4;
/** The longest text at the beginning, and the longest last line. */
const longestHead = 120;
const longestTail = 160;

export function createFrame(): Frame {
  return { head: noEdge(), tail: noEdge(), asked: emptySketch };
}

function noEdge(): Edge {
  return { words: 0, calls: 0, masked: 0 };
}

/** A result without the frame around it. Every result must go through it once, in order. `asked`: the words of its call. */
export function withoutFrame(frame: Frame, text: string, asked: Sketch): string {
  const { head, tail, asked: before } = frame;
  frame.asked = asked;
  const end = endOf(text);
  const headEnd = endOfHead(text, end);
  const tailStart = startOfTail(text, end);
  const from = comes(head, text, 0, headEnd, asked, before) ? headEnd : 0;
  const to = comes(tail, text, tailStart, end, asked, before) && tailStart >= from ? tailStart : text.length;
  return from === 0 && to === text.length ? text : text.slice(from, to).trim();
}

/** Counts a part of a result, and tells whether it has come often enough. `asked`, `before`: the words of its call, and of the last. */
function comes(edge: Edge, text: string, from: number, to: number, asked: Sketch, before: Sketch): boolean {
  const words = from < to ? wordsOf(text, from, to) : 0;
  if (words !== 0 && words === edge.words) {
    // What stays as it is may say something; and clocks and the like are left out anyway.
    const { masked } = outcomeOf(text.slice(from, to));
    const hasChanged = edge.masked !== masked;
    edge.masked = masked;
    if (hasChanged && edge.calls < most && likeness(before, asked) < different) edge.calls++;
    if (hasChanged) return edge.calls >= enough;
  }
  edge.calls -= lost;
  if (edge.calls <= 0) {
    edge.words = words;
    edge.calls = 1;
  }
  return false;
}

function endOf(text: string): number {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) <= blank) end--;
  return end;
}

/** Where a first part in brackets, or else a first line, ends; 0 if there is none that is short. */
function endOfHead(text: string, end: number): number {
  const close = closing.get(text.charCodeAt(0));
  const closed = close === undefined ? -1 : text.indexOf(close) + 1;
  const head = closed > 0 && closed <= longestHead ? closed : text.indexOf('\n');
  return head > 0 && head <= longestHead && head <= end ? head : 0;
}

/** Where the last line begins, if it is short and not the only one; else the end. */
function startOfTail(text: string, end: number): number {
  const tail = text.lastIndexOf('\n', end - 1) + 1;
  return tail > 0 && end - tail < longestTail ? tail : end;
}

/** A hash of a part, one sign for each run of letters and digits that has a digit; 0 where there is no digit. */
function wordsOf(text: string, from: number, to: number): number {
  let hash = startHash;
  let before = startHash; // the hash before the current run
  let mixed = false;
  let inRun = false;
  let any = false;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    const isDigit = code >= 48 && code <= 57;
    const lower = code | 32;
    if (isDigit || (lower >= 97 && lower <= 122) || code === 95) {
      if (!inRun) before = hash;
      inRun = true;
      if (isDigit) mixed = any = true;
    } else {
      inRun = mixed = false;
      if (code <= blank) continue;
    }
    hash = mixed ? addCode(before, numberSign) : addCode(hash, code);
  }
  return any ? hash || 1 : 0;
}

/** By the code of the sign that opens it. */
const closing = new Map([
  [91, ']'],
  [40, ')'],
  [60, '>'],
]);
const blank = 32;
const numberSign = 35;
