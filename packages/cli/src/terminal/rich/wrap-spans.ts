import type { Colour } from '../paint.js';
import { widthOf } from '../width.js';
import { type Line, lineWidth, type Span } from './span.js';

export interface Indent {
  /** Before the first line. */
  readonly first: Line;
  /** Before all others. */
  readonly rest: Line;
}

const none: Indent = { first: [], rest: [] };

/** Lays text out in lines of at most `columns`, cut between words where it can be; line breaks in it are kept. */
export function wrapSpans(text: readonly Span[], columns: number, indent: Indent = none): Line[] {
  const lines: Line[] = [];
  let line: Piece[] = [];
  let width = 0;
  let blanks = 0; // between what is on the line and the next word
  let fresh = true; // nothing but blanks since the last line break: they are kept

  const roomFor = (edge: Line) => Math.max(1, columns - lineWidth(edge));
  const roomNow = () => roomFor(lines.length === 0 ? indent.first : indent.rest);

  function end(): void {
    lines.push([...(lines.length === 0 ? indent.first : indent.rest), ...merged(line)]);
    line = [];
    width = 0;
    blanks = 0;
    fresh = false;
  }

  function put(word: readonly Piece[], wide: number): void {
    if (blanks > 0 && (width > 0 || fresh))
      line.push({ text: ' '.repeat(blanks), colours: shared(line.at(-1), word[0]) });
    width += (width > 0 || fresh ? blanks : 0) + wide;
    blanks = 0;
    fresh = false;
    line.push(...word);
  }

  for (const word of wordsOf(text)) {
    if (word === 'break') {
      end();
      fresh = true;
    } else if (typeof word === 'number') blanks += word;
    else {
      const wide = word.reduce((sum, piece) => sum + widthOf(piece.text), 0);
      if (width > 0 && width + blanks + wide > roomNow()) end();
      if (fresh) blanks = Math.min(blanks, Math.max(0, roomNow() - wide));
      if (wide <= roomNow()) put(word, wide);
      else
        for (const part of chopped(word, roomNow(), roomFor(indent.rest))) {
          if (width > 0) end();
          put(part, lineWidth(part));
        }
    }
  }
  end();
  return lines;
}

type Piece = Span;

/** Words as runs of pieces, numbers for blanks between them, and breaks. */
function* wordsOf(text: readonly Span[]): Generator<Piece[] | number | 'break'> {
  let word: Piece[] = [];
  for (const { text: all, colours } of text) {
    for (const part of all.split(/(\n| +)/)) {
      if (part === '') continue;
      if (part !== '\n' && part[0] !== ' ') {
        word.push({ text: part, colours });
        continue;
      }
      if (word.length > 0) yield word;
      word = [];
      yield part === '\n' ? 'break' : part.length;
    }
  }
  if (word.length > 0) yield word;
}

/** A word that is wider than a line, cut wherever it has to be: its first part has less or more room than the others. */
function* chopped(word: readonly Piece[], first: number, others: number): Generator<Piece[]> {
  let part: Piece[] = [];
  let width = 0;
  let room = first;
  for (const { text, colours } of word)
    for (const character of text) {
      const wide = widthOf(character);
      if (width > 0 && width + wide > room) {
        yield merged(part);
        room = others;
        part = [];
        width = 0;
      }
      part.push({ text: character, colours });
      width += wide;
    }
  if (part.length > 0) yield merged(part);
}

function merged(pieces: readonly Piece[]): Piece[] {
  const all: { text: string; colours: readonly Colour[] }[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last && sameColours(last.colours, piece.colours)) last.text += piece.text;
    else all.push({ ...piece });
  }
  return all;
}

/** Blanks between two words in the same style have it too, so that an underlined title is underlined throughout. */
function shared(left: Piece | undefined, right: Piece | undefined): readonly Colour[] {
  return left && right && sameColours(left.colours, right.colours) ? left.colours : [];
}

function sameColours(a: readonly Colour[], b: readonly Colour[]): boolean {
  return a.length === b.length && a.every((colour, k) => colour === b[k]);
}
