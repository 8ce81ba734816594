/**
 * Markdown that grows at its end, cut into blocks that can be rendered one by one. A finished block does not change any
 * more, so only `rest` has to be rendered again when text is added. The cuts depend on the text alone, not on how the
 * stream was cut: a line is read when it is complete.
 */
export interface Blocks {
  readonly done: readonly string[];
  /** What may still change. */
  readonly rest: string;
  /** How many characters of `rest` are lines that have been read. */
  readonly looked: number;
  /** The fence of the code block that `rest` ends in; empty outside of a code block. */
  readonly fence: string;
  /** Whether the last line that was read is blank, outside of code. */
  readonly blank: boolean;
}

export const noBlocks: Blocks = { done: [], rest: '', looked: 0, fence: '', blank: false };

/** The maximum length of a line and of a block: a model that chants writes one line without end. */
export interface Limits {
  readonly line: number;
  readonly block: number;
}

/** Adds text at the end. */
export const addText = addTextWithin({ line: 4000, block: 20_000 });

export function addTextWithin(limits: Limits): (blocks: Blocks, text: string) => Blocks {
  return (blocks, text) => {
    const whole = { ...blocks, rest: blocks.rest + text };
    const nothingNew = !text.includes('\n') && whole.rest.length < whole.looked + limits.line;
    return nothingNew ? whole : lookAt(whole, limits);
  };
}

/** The whole text. */
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

/** After the last space before `end`, or else at `end`, but never within a surrogate pair. */
function wordEnd(text: string, start: number, end: number): number {
  const blank = text.slice(start, end).lastIndexOf(' ');
  if (blank > 0) return start + blank + 1;
  return end - start > 1 && /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;
}

/** After a blank line, a line without indentation that is not a list item begins a new block. */
const beginsBlock = /^(?![-*+](?:\s|$)|\d+[.)](?:\s|$))\S/;

/** The fence that opens a code block, with one space before it where it is indented, as in a list. */
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
