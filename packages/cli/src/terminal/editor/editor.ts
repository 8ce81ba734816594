import type { Key } from '../keys/key.js';

/** A text being typed, with the place of the cursor, and what was typed before. A value: every key gives a new one. */
export interface Editor {
  readonly text: string;
  /** In UTF-16 units, never within a character. */
  readonly cursor: number;
  /** Earlier texts, oldest first. */
  readonly past: readonly string[];
  /** Where in the past the editor is: `past.length` for the text that is being typed, which `draft` keeps meanwhile. */
  readonly place: number;
  readonly draft: string;
}

const mostPast = 200;

export function startEditor(past: readonly string[] = []): Editor {
  const kept = past.slice(-mostPast);
  return { text: '', cursor: 0, past: kept, place: kept.length, draft: '' };
}

/** The editor with another text, the cursor at its end. */
export function withText(editor: Editor, text: string): Editor {
  return { ...editor, text, cursor: text.length };
}

/** The editor emptied, with its text remembered. */
export function sent(editor: Editor): Editor {
  const { text, past } = editor;
  return startEditor(text.trim() === '' || past.at(-1) === text ? past : [...past, text]);
}

/** What a key does to the text. Keys that are not for an editor change nothing. */
export function edit(editor: Editor, key: Key): Editor {
  const { text, cursor } = editor;
  switch (key.type) {
    case 'text':
      return put(editor, key.text);
    case 'newline':
      return put(editor, '\n');
    case 'backspace':
      return cut(editor, before(text, cursor), cursor);
    case 'delete':
      return cut(editor, cursor, after(text, cursor));
    case 'delete-word':
      return cut(editor, wordBefore(text, cursor), cursor);
    case 'delete-to-start':
      return cut(editor, lineStart(text, cursor), cursor);
    case 'delete-to-end':
      return cut(editor, cursor, lineEnd(text, cursor));
    case 'left':
      return { ...editor, cursor: before(text, cursor) };
    case 'right':
      return { ...editor, cursor: after(text, cursor) };
    case 'word-left':
      return { ...editor, cursor: wordBefore(text, cursor) };
    case 'word-right':
      return { ...editor, cursor: wordAfter(text, cursor) };
    case 'home':
      return { ...editor, cursor: lineStart(text, cursor) };
    case 'end':
      return { ...editor, cursor: lineEnd(text, cursor) };
    case 'up':
      return lineStart(text, cursor) === 0
        ? recall(editor, editor.place - 1)
        : { ...editor, cursor: above(text, cursor) };
    case 'down':
      return lineEnd(text, cursor) === text.length
        ? recall(editor, editor.place + 1)
        : { ...editor, cursor: below(text, cursor) };
    default:
      return editor;
  }
}

function put(editor: Editor, text: string): Editor {
  const { cursor } = editor;
  return {
    ...editor,
    text: editor.text.slice(0, cursor) + text + editor.text.slice(cursor),
    cursor: cursor + text.length,
  };
}

function cut(editor: Editor, from: number, to: number): Editor {
  return { ...editor, text: editor.text.slice(0, from) + editor.text.slice(to), cursor: from };
}

function recall(editor: Editor, place: number): Editor {
  const { past } = editor;
  if (place < 0 || place > past.length) return editor;
  const draft = editor.place === past.length ? editor.text : editor.draft;
  return { ...withText(editor, place === past.length ? draft : past[place]!), place, draft };
}

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** What people take for one character can be many. */
function before(text: string, cursor: number): number {
  const line = text.slice(Math.max(0, lineStart(text, cursor) - 1), cursor);
  const last = [...characters.segment(line)].at(-1);
  return cursor - (last?.segment.length ?? 0);
}

function after(text: string, cursor: number): number {
  const [first] = characters.segment(text.slice(cursor, lineEnd(text, cursor) + 1));
  return cursor + (first?.segment.length ?? 0);
}

function wordBefore(text: string, cursor: number): number {
  let at = text.slice(0, cursor).trimEnd().length;
  while (at > 0 && /\S/.test(text[at - 1]!)) at--;
  return at;
}

function wordAfter(text: string, cursor: number): number {
  return cursor + (/^\s*[^\s]*/u.exec(text.slice(cursor))?.[0].length ?? 0);
}

function lineStart(text: string, cursor: number): number {
  return cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1;
}

function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf('\n', cursor);
  return end < 0 ? text.length : end;
}

function above(text: string, cursor: number): number {
  const start = lineStart(text, cursor);
  const column = cursor - start;
  return whole(text, Math.min(lineStart(text, start - 1) + column, start - 1));
}

function below(text: string, cursor: number): number {
  const column = cursor - lineStart(text, cursor);
  const next = lineEnd(text, cursor) + 1;
  return whole(text, Math.min(next + column, lineEnd(text, next)));
}

/** The nearest place at or before `cursor` that is not within a character. */
function whole(text: string, cursor: number): number {
  const start = lineStart(text, cursor);
  let place = start;
  for (const { index, segment } of characters.segment(text.slice(start, lineEnd(text, start)))) {
    if (start + index + segment.length > cursor) break;
    place = start + index + segment.length;
  }
  return place;
}
