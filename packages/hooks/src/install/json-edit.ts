import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser';
import type { Json } from 'loopfuse';

// Edits of JSON with comments that leave every other character unchanged. The library's own edits reformat the text
// around them.

type Path = readonly (string | number)[];

/** The text with a member added at the end of the object, or an item at the end of the list, at `path`. */
export function appended(text: string, path: Path, value: Json, key?: string): string {
  const container = nodeAt(text, path);
  if (container === undefined) throw new TypeError(`appended: there is nothing at ${path.join('.')}`);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  const head = key === undefined ? '' : `${JSON.stringify(key)}: `;
  const laidOut = (indent: string) => head + JSON.stringify(value, undefined, unit).replaceAll('\n', `${eol}${indent}`);
  const last = container.children?.at(-1);
  if (last === undefined) {
    const outer = indentAt(text, container.offset);
    const piece = `${eol}${outer}${unit}${laidOut(outer + unit)}${eol}${outer}`;
    return inserted(text, container.offset + 1, piece, closeOf(text, container));
  }
  const end = last.offset + last.length;
  const isFirstOnLine = text.slice(lineStart(text, last.offset), last.offset).trim() === '';
  if (!isFirstOnLine) return inserted(text, end, `, ${head}${JSON.stringify(value)}`, end);
  const indent = indentAt(text, last.offset);
  const rest = restOfLine(text, end);
  if (rest === undefined) return inserted(text, end, `,${eol}${indent}${laidOut(indent)}`, end);
  // A comment after the last one stays there, and there is a comma at the end only if there was one before.
  const [comma, trailing] = rest.hasComma ? ['', ','] : [',', ''];
  return `${text.slice(0, end)}${comma}${text.slice(end, rest.end)}${eol}${indent}${laidOut(indent)}${trailing}${text.slice(rest.end)}`;
}

/** The text without the member or item at `path`. */
export function removed(text: string, path: Path): string {
  const value = nodeAt(text, path);
  const node = value?.parent?.type === 'property' ? value.parent : value;
  const siblings = node?.parent?.children;
  if (node === undefined || siblings === undefined) return text;
  const at = siblings.indexOf(node);
  const before = siblings[at - 1];
  const after = siblings[at + 1];
  if (before !== undefined) return withoutLater(text, before, node);
  if (after !== undefined) return cut(text, node.offset, after.offset);
  const container = node.parent!;
  const from = container.offset + 1;
  const close = container.offset + container.length - 1;
  const rest = text.slice(from, node.offset) + text.slice(node.offset + node.length, close);
  // It is the only one: what is left is nothing, or a comment, which stays.
  return rest.replace(',', '').trim() === ''
    ? cut(text, from, close)
    : cut(text, node.offset, node.offset + node.length);
}

/** Removes one that follows others: its lines, if nothing else is on them, and one comma. */
function withoutLater(text: string, before: Node, node: Node): string {
  const from = before.offset + before.length;
  const end = node.offset + node.length;
  const start = lineStart(text, node.offset);
  if (text.slice(start, node.offset).trim() !== '') return cut(text, from, end);
  const newline = text[start - 2] === '\r' ? start - 2 : start - 1;
  const rest = restOfLine(text, end);
  if (rest?.hasComma) return cut(text, newline, text.indexOf(',', end) + 1);
  const comma = text.indexOf(',', from);
  return cut(cut(text, newline, end), comma, comma + 1);
}

/** What follows `offset` on its line, if that is at most a comma and a comment. */
function restOfLine(text: string, offset: number): { readonly hasComma: boolean; readonly end: number } | undefined {
  const newline = text.indexOf('\n', offset);
  if (newline < 0) return undefined;
  const end = text[newline - 1] === '\r' ? newline - 1 : newline;
  let rest = text.slice(offset, end).trim();
  const hasComma = rest.startsWith(',');
  if (hasComma) rest = rest.slice(1).trim();
  const isComment = rest.startsWith('//') || (rest.startsWith('/*') && rest.indexOf('*/') === rest.length - 2);
  return rest === '' || isComment ? { hasComma, end } : undefined;
}

export function nodeAt(text: string, path: Path): Node | undefined {
  const tree = treeOf(text, []);
  return tree && findNodeAtLocation(tree, [...path]);
}

/** The text as a tree. A byte order mark, as editors on Windows write it, counts as a blank: offsets stay valid. */
export function treeOf(text: string, errors: ParseError[]): Node | undefined {
  return parseTree(text.replace(/^\ufeff/, ' '), errors, { allowTrailingComma: true, allowEmptyContent: false });
}

function inserted(text: string, at: number, piece: string, to: number): string {
  return text.slice(0, at) + piece + text.slice(to);
}

/** Up to where the content of an empty container is replaced: white space is, a comment is not. */
function closeOf(text: string, { offset, length }: Node): number {
  const inside = text.slice(offset + 1, offset + length - 1);
  return inside.trim() === '' ? offset + length - 1 : offset + 1;
}

function cut(text: string, from: number, to: number): string {
  return text.slice(0, from) + text.slice(to);
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))![0];
}
