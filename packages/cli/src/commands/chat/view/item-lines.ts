import { wasteInWords } from 'loopfuse';
import type { Colour } from '../../../terminal/paint.js';
import { markdownLines } from '../../../terminal/rich/markdown-lines.js';
import { coloured, type Line, span } from '../../../terminal/rich/span.js';
import { wrapSpans } from '../../../terminal/rich/wrap-spans.js';
import { fit, pad, widthOf } from '../../../terminal/width.js';
import type { Item, Row, Tone } from '../screen/item.js';
import { cardLines } from './card-lines.js';
import { displayLines } from './display-lines.js';
import type { Page } from './page.js';

/** An item as lines, with the blank line that parts it from the one before. */
export function itemLines(item: Item, before: Item | undefined, page: Page, spinner = page.glyphs.dot): Line[] {
  const lines = linesOf(item, page, spinner);
  return before !== undefined && lines.length > 0 && isApart(before, item) ? [[], ...lines] : lines;
}

/** What the agent does, step by step, stands together. */
function isApart(before: Item, item: Item): boolean {
  const steps: readonly Item['type'][] = ['tool', 'thinks', 'loop'];
  if (item.type === 'loop' && item.what === 'halted') return true;
  if (steps.includes(before.type) && steps.includes(item.type)) return false;
  return item.type !== 'note' || (before.type !== 'note' && before.type !== 'loop');
}

function linesOf(item: Item, page: Page, spinner: string): Line[] {
  const { glyphs, columns } = page;
  switch (item.type) {
    case 'you':
      return wrapSpans([span(page.text(item.text), 'bold')], columns, {
        first: [span(`${glyphs.prompt} `, 'cyan')],
        rest: [span('  ')],
      });
    case 'says':
      return markdownLines(page.text(item.text), columns - 2, glyphs).map((line) => [span('  '), ...line]);
    case 'thinks':
      return thought(item.text, item.full, page);
    case 'tool':
      return cardLines(item, page, spinner);
    case 'display':
      return displayLines(item.display, columns - 2, page).map((line) => [span('  '), ...line]);
    case 'list':
      return listLines(item.rows, page);
    case 'loop':
      return loopLines(item, page);
    case 'note':
      return wrapSpans([span(page.text(item.text), ...tones[item.tone])], columns, {
        first: [span('  ')],
        rest: [span('  ')],
      });
  }
}

const tones: { readonly [Key in Tone]: readonly Colour[] } = {
  plain: ['dim'],
  good: ['green'],
  warning: ['yellow'],
  bad: ['red'],
} as { readonly [Key in Tone]: Colour[] };

function listLines(rows: readonly Row[], page: Page): Line[] {
  const room = Math.min(Math.max(...rows.map(([name]) => widthOf(name))), page.columns >> 1) + 2;
  const rest = [span(' '.repeat(room + 2))];
  return rows.flatMap(([name, text]) => {
    const shown = pad(fit(page.line(name), room - 1, page.glyphs.more), room);
    return wrapSpans([span(page.text(text), 'dim')], page.columns, { first: [span('  '), span(shown, 'cyan')], rest });
  });
}

function thought(text: string, full: boolean, page: Page): Line[] {
  const { glyphs, columns } = page;
  const mark = `${glyphs.think} `;
  if (full)
    return wrapSpans([span(page.text(text.trim()), 'dim', 'italic')], columns, {
      first: [span(mark, 'dim')],
      rest: [span('  ')],
    });
  return [coloured([span(fit(`${mark}${page.line(text)}`, columns, glyphs.more))], 'dim', 'italic')];
}

/** One line for what the guard does by itself; in full where it has halted the request. */
function loopLines({ what, title, explanation, waste }: Extract<Item, { type: 'loop' }>, page: Page): Line[] {
  const { glyphs, columns } = page;
  const cost = wasteInWords(waste);
  const story = `${page.line(explanation)}${cost === '' ? '' : ` Spent on it: ${cost}.`}`;
  const mark = `${glyphs.trip} `;
  if (what === 'halted')
    return wrapSpans([span(`${title}. ${story}`, 'yellow')], columns, {
      first: [span(mark, 'yellow')],
      rest: [span('  ')],
    });
  const told = what === 'told' ? 'the model was told' : 'a call was refused';
  return [[span(fit(`${mark}${title}, ${told}. ${story}`, columns, glyphs.more), 'yellow')]];
}
