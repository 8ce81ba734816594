import type { Editor } from '../../../terminal/editor/editor.js';
import { type Line, type Span, span } from '../../../terminal/rich/span.js';
import { wrapSpans } from '../../../terminal/rich/wrap-spans.js';
import { fit } from '../../../terminal/width.js';
import type { Page } from './page.js';

/** A text being typed, with its cursor; of a long one the `most` lines around the cursor. */
export function editorLines({ text, cursor }: Editor, page: Page, most: number, placeholder = ''): Line[] {
  const { glyphs } = page;
  const prompt = span(`${glyphs.prompt} `, 'cyan');
  if (text === '') return [[prompt, cursorAt('', page), span(fit(placeholder, page.columns - 4, glyphs.more), 'dim')]];
  const at = /^(?:\n|$)/.test(text.slice(cursor)) ? '' : [...text.slice(cursor)][0]!;
  const spans = [
    span(page.exact(text.slice(0, cursor))),
    cursorAt(page.exact(at), page),
    span(page.exact(text.slice(cursor + at.length))),
  ].filter((one) => one.text !== '');
  const lines = wrapSpans(spans, page.columns, { first: [prompt], rest: [span('  ')] });
  if (lines.length <= most) return lines;
  const here = lines.findIndex((line) => line.some(isCursor));
  const from = Math.max(0, Math.min(here - (most >> 1), lines.length - most));
  return lines.slice(from, from + most);
}

/** Where there are no colours the cursor is a character of its own. */
function cursorAt(character: string, { hasColours, utf8 }: Page): Span {
  if (hasColours) return span(character === '' || character === ' ' ? '\u00a0' : character, 'inverse');
  return span(`${utf8 ? '▏' : '_'}${character}`, 'inverse');
}

function isCursor({ colours }: Span): boolean {
  return colours.includes('inverse');
}
