/**
 * Markdown that grows at its end, cut into blocks that can be read one by one. A block that is done does not change
 * any more, so only `rest` has to be read again when something is added. Where the cuts are depends on the text alone,
 * not on how it came: lines are looked at once they are whole.
 */
export interface Blocks {
  readonly done: readonly string[];
  /** What may still change. */
  readonly rest: string;
  /** How many characters of `rest` are lines that have been looked at. */
  readonly looked: number;
  /** The mark of the code block that `rest` ends in; empty outside of one. */
  readonly fence: string;
  /** Whether the last line looked at was blank, outside of code. */
  readonly blank: boolean;
}

export const noBlocks: Blocks = { done: [], rest: '', looked: 0, fence: '', blank: false };

/** How much of what has no end is kept together: a model that chants writes one line, and never finishes it. */
export interface Limits {
  readonly line: number;
  readonly block: number;
}

/** Adds what has come to what there is. */
export const addText = addTextWithin({ line: 4000, block: 20_000 });

export function addTextWithin(limits: Limits): (blocks: Blocks, text: string) => Blocks {
  return (blocks, text) => {
    const whole = { ...blocks, rest: blocks.rest + text };
    const nothingNew = !text.includes('\n') && whole.rest.length < whole.looked + limits.line;
    return nothingNew ? whole : lookAt(whole, limits);
  };
}

/** All of it, as it came. */
export function textOf({ done, rest }: Blocks): string {
  return done.join('') + rest;
}

export function lengthOf({ done, rest }: Blocks): number {
  return done.reduce((sum, block) => sum + block.length, rest.length);
}

function lookAt({ done, rest, looked, fence, blank }: Blocks, limits: Limits): Blocks {
  const blocks: string[] = [];
  let from = 0;
  let at = looked;
  const cut = (where: number) => {
    if (where > from) blocks.push(rest.slice(from, where));
    from = where;
  };
  for (;;) {
    const next = rest.indexOf('\n', at) + 1;
    const tooFar = at + limits.line;
    if (fence === '' && at - from >= limits.block) cut(at);
    if (fence === '' && (next === 0 || next > tooFar)) {
      if (rest.length < tooFar) break;
      at = wordEnd(rest, at, tooFar);
      blank = false;
      cut(at);
      continue;
    }
    if (next === 0) break;
    const line = rest.slice(at, next - 1);
    const opened = fence === '' ? fenceOf(line) : undefined;
    if (fence !== '') {
      if (closes(line, fence)) {
        if (!fence.startsWith(' ')) cut(next);
        fence = '';
      }
      blank = false;
    } else if (opened !== undefined) {
      fence = opened;
      if (!opened.startsWith(' ')) cut(at);
      blank = false;
    } else {
      if (blank && beginsBlock.test(line)) cut(at);
      blank = line.trim() === '';
    }
    at = next;
  }
  const all = blocks.length === 0 ? done : [...done, ...blocks];
  return { done: all, rest: rest.slice(from), looked: at - from, fence, blank };
}

/** Behind the last blank before `end`, or else at `end`; in no case within a character. */
function wordEnd(text: string, start: number, end: number): number {
  const blank = text.slice(start, end).lastIndexOf(' ');
  if (blank > 0) return start + blank + 1;
  return end - start > 1 && /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;
}

/** After a blank line, what begins at the margin and is no item of a list cannot carry on what stands above it. */
const beginsBlock = /^(?![-*+](?:\s|$)|\d+[.)](?:\s|$))\S/;

/** The mark that opens a code block, with one blank before it where it is indented, as in a list. */
function fenceOf(line: string): string | undefined {
  const [opening = '', indent = '', mark] = /^([ \t]*)(`{3,}|~{3,})/.exec(line) ?? [];
  if (mark === undefined || (mark.startsWith('`') && line.includes('`', opening.length))) return undefined;
  return `${indent === '' ? '' : ' '}${mark}`;
}

function closes(line: string, fence: string): boolean {
  const mark = fence.trimStart();
  const found = line.trim();
  return found.startsWith(mark) && found === mark.charAt(0).repeat(found.length);
}
