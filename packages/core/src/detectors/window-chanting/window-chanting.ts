import { type Detector, defineDetector, type Sighting } from '../../detector.js';
import type { Json } from '../../event.js';
import { requireInteger, requireNumber } from '../../options.js';
import { readStructure } from './structure.js';
import {
  addText,
  type Chant,
  chantOf,
  longestHistory,
  type Refrain,
  recall,
  restartWindows,
  startWindows,
  textOf,
  type Windows,
} from './windows.js';

export interface WindowChantingOptions {
  /** Length of the windows that are compared. */
  readonly windowChars?: number;
  /** How many times the same window must appear to be a chant. */
  readonly times?: number;
  /** How much of the text is remembered. */
  readonly historyChars?: number;
  /** How far apart the appearances of a window may be on average. */
  readonly gapChars?: number;
  /**
   * Text that repeats for good reasons. `structure`: a delta that begins a table, a list item, a heading or a
   * quotation, or that is a ruled line, makes the text start afresh, and code inside fences is left out. `filler`:
   * windows with little but white space and symbols are left out.
   */
  readonly ignores?: 'structure' | 'filler';
}

interface State {
  /** Created with the first text, because many sessions have none. */
  windows: Windows | null;
  inCode: boolean;
  /** Where events began in the text, and their indices: pairs that are at least `markEvery` characters apart. */
  marks: number[];
}

type Evidence = { unit: string; times: number; every: number };

const markEvery = 32;
const longestUnit = 120;

/**
 * Sees text in which the same window of characters repeats, with the method of Gemini CLI, Qwen Code and DeepV Code.
 * Each delta is read by itself, so its verdict depends on how the stream was cut. A call or a prompt makes the text
 * start afresh; but whether a code fence is open survives both.
 */
export function windowChanting({
  windowChars = 50,
  times = 10,
  historyChars = 5000,
  gapChars = 250,
  ignores = 'structure',
}: WindowChantingOptions = {}): Detector {
  requireInteger('windowChanting: windowChars', windowChars, 1);
  requireInteger('windowChanting: times', times, 2);
  requireInteger('windowChanting: historyChars', historyChars, windowChars);
  requireNumber('windowChanting: historyChars', historyChars, windowChars, longestHistory);
  requireNumber('windowChanting: gapChars', gapChars, 1, Number.MAX_SAFE_INTEGER);
  if (ignores !== 'structure' && ignores !== 'filler')
    throw new TypeError(`windowChanting: ignores must be "structure" or "filler", got ${JSON.stringify(ignores)}`);
  const chant = chantOf({ windowChars, times, historyChars, gapChars, passesFiller: ignores === 'filler' });

  function observeText(state: State, text: string, seq: number): Sighting<Evidence> | undefined {
    if (ignores === 'structure' && skips(state, text)) return undefined;
    state.windows ??= startWindows(chant);
    mark(state.marks, state.windows, seq);
    const refrain = addText(state.windows, text, chant);
    return refrain && sightingOf(state, state.windows, refrain);
  }

  function sightingOf({ marks }: State, windows: Windows, { start, second, every }: Refrain): Sighting<Evidence> {
    const unit = textOf(windows, start, Math.min(Math.round(every), windowChars, longestUnit));
    return {
      kind: 'chanting',
      status: 'looping',
      onset: markBefore(marks, second),
      confidence: 0.9,
      evidence: { unit, times, every: Math.round(every) },
    };
  }

  return defineDetector<'prompt' | 'tool-call' | 'text', State, Evidence>({
    name: 'window-chanting',
    options: () => ({ windowChars, times, historyChars, gapChars, ignores }),
    reads: ['prompt', 'tool-call', 'text'],
    start: () => ({ windows: null, inCode: false, marks: [] }),
    observe(state, event, seq) {
      if (event.type === 'text') return observeText(state, event.text, seq);
      restart(state);
      return undefined;
    },
    explain: ({ unit, times: count, every }) =>
      `The same text came ${count} times, about every ${every} characters: ${JSON.stringify(unit)}.`,
    save: ({ windows, inCode, marks }) => ({ inCode, text: windows && saveText(windows, marks) }),
    load: (saved) => loadState(saved, chant),
  });
}

/** Whether the delta must be skipped. Records fences, and starts afresh if the delta has structure. */
function skips(state: State, text: string): boolean {
  const { fences, divider, element } = readStructure(text);
  if (fences > 0 || divider || element) restart(state);
  const wasInCode = state.inCode;
  if (fences % 2 === 1) state.inCode = !wasInCode;
  return wasInCode || state.inCode || divider;
}

function restart(state: State): void {
  state.marks = [];
  if (state.windows) restartWindows(state.windows);
}

function mark(marks: number[], { end, floor }: Windows, seq: number): void {
  if (marks.length > 0 && end - marks[marks.length - 2]! < markEvery) return;
  while (marks.length > 2 && marks[2]! <= floor) marks.splice(0, 2);
  marks.push(end, seq);
}

/** Index of the event in which a position lies, or of one shortly before it. */
function markBefore(marks: readonly number[], position: number): number {
  let at = marks.length - 2;
  while (at > 0 && marks[at]! > position) at -= 2;
  return marks[at + 1]!;
}

/** Positions are saved relative to the first character that is remembered. */
function saveText(windows: Windows, marks: readonly number[]): Json {
  const { floor, next, passed } = windows;
  return {
    remembered: textOf(windows, floor),
    looked: next - floor,
    passed: passed.filter((position) => position >= floor).map((position) => position - floor),
    marks: marks.map((value, k) => (k % 2 === 0 ? value - floor : value)),
  };
}

function loadState(saved: Json, chant: Chant): State {
  const { inCode, text } = (saved ?? {}) as { inCode?: unknown; text?: Record<string, unknown> | null };
  if (typeof inCode !== 'boolean' || typeof text !== 'object') throw new TypeError('it is not a saved chant');
  if (text === null) return { windows: null, inCode, marks: [] };
  const { remembered, looked, passed, marks } = text;
  const fits =
    typeof remembered === 'string' &&
    remembered.length <= chant.historyChars &&
    typeof looked === 'number' &&
    looked >= 0 &&
    looked <= Math.max(0, remembered.length - chant.windowChars + 1) &&
    isNumbers(passed) &&
    isNumbers(marks) &&
    marks.length % 2 === 0 &&
    marks.length >= (remembered === '' ? 0 : 2);
  if (!fits) throw new TypeError('it is not the saved text of a chant');
  const windows = startWindows(chant);
  const { floor } = windows;
  recall(windows, remembered, looked, passed, chant);
  return { windows, inCode, marks: marks.map((value, k) => (k % 2 === 0 ? value + floor : value)) };
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => Number.isInteger(item));
}
