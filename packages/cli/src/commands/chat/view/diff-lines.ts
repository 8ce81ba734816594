import type { Colour } from '../../../terminal/paint.js';
import { type Line, span } from '../../../terminal/rich/span.js';
import { chop } from '../../../terminal/width.js';
import type { Page } from './page.js';

/** How many lines a patch adds and takes away. */
export function changeOf(patch: string): { readonly added: number; readonly removed: number } {
  const body = bodyOf(patch);
  return {
    added: body.filter((line) => line.startsWith('+')).length,
    removed: body.filter((line) => line.startsWith('-')).length,
  };
}

/** A patch without its head: what is added, what goes, what stays around it. Nothing is left out. */
export function diffLines(patch: string, columns: number, page: Page): Line[] {
  return bodyOf(patch).flatMap((line) => chop(page.exact(line), columns).map((text) => [span(text, ...colours(line))]));
}

function colours(line: string): Colour[] {
  if (line.startsWith('@@')) return ['cyan', 'dim'];
  if (line.startsWith('+')) return ['green'];
  return line.startsWith('-') ? ['red'] : ['dim'];
}

function bodyOf(patch: string): string[] {
  const lines = patch.trimEnd().split('\n');
  const start = lines.findIndex((line) => line.startsWith('@@'));
  return start < 0 ? [] : lines.slice(start);
}
