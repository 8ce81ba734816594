import {
  attachmentInWords,
  consequence,
  type Item,
  type ItemOf,
  loopInOneLine,
  noteInWords,
  noticeInWords,
  type Row,
  type Tone,
  textOf,
} from '@loopfuse/conversation';
import type { Colour } from '../../../terminal/paint.js';
import { markdownLines } from '../../../terminal/rich/markdown-lines.js';
import { coloured, type Line, type Span, span } from '../../../terminal/rich/span.js';
import { wrapSpans } from '../../../terminal/rich/wrap-spans.js';
import { fit, pad, widthOf } from '../../../terminal/width.js';
import { cardLines } from './card-lines.js';
import { displayLines } from './display-lines.js';
import type { Page } from './page.js';

/** How an item is drawn, beyond its own data. */
export interface Drawing {
  /** Thinking is shown in full. */
  readonly full?: boolean;
  /** The mark before a running call. */
  readonly spinner?: string;
}

/** An item as lines, with a blank line between it and the one before. */
export function itemLines(item: Item, before: Item | undefined, page: Page, how: Drawing = {}): Line[] {
  const lines = linesOf(item, page, how);
  return before !== undefined && lines.length > 0 && isApart(before, item) ? [[], ...lines] : lines;
}

/** Consecutive steps of the agent have no blank line between them. */
function isApart(before: Item, item: Item): boolean {
  const steps: readonly Item['type'][] = ['tool', 'thinks', 'guard'];
  if (item.type === 'loop') return true;
  if (steps.includes(before.type) && steps.includes(item.type)) return false;
  return item.type !== 'note' || (before.type !== 'note' && before.type !== 'loop' && before.type !== 'guard');
}

function attachedSpans({ attached = [] }: ItemOf<'you'>, page: Page): Span[] {
  return attached.map((one) => span(`\nattached: ${page.text(attachmentInWords(one))}`, 'dim'));
}

function linesOf(item: Item, page: Page, { full = false, spinner = page.glyphs.dot }: Drawing): Line[] {
  const { glyphs, columns } = page;
  switch (item.type) {
    case 'you':
      return wrapSpans([span(page.text(item.text), 'bold'), ...attachedSpans(item, page)], columns, {
        first: [span(`${glyphs.prompt} `, 'cyan')],
        rest: [span('  ')],
      });
    case 'says':
      return markdownLines(page.text(textOf(item.text)), columns - 2, glyphs).map((line) => [span('  '), ...line]);
    case 'thinks':
      return thought(textOf(item.text), full, page);
    case 'tool':
      return cardLines(item, page, spinner);
    case 'display':
      return displayLines(item.display, columns - 2, page).map((line) => [span('  '), ...line]);
    case 'list':
      return listLines(item.rows, page);
    case 'loop':
      return loopLines(item, page);
    case 'guard':
      return guardLines(item, page);
    case 'note':
      return wrapSpans([span(page.text(noteInWords(item)), ...tones[item.tone])], columns, {
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

/** Names and descriptions side by side; a name that is too long is above its description. */
function listLines(rows: readonly Row[], page: Page): Line[] {
  const most = Math.floor(page.columns / (page.columns < 80 ? 3 : 2));
  const room = Math.min(Math.max(...rows.map(([name]) => widthOf(name))), most) + 2;
  const rest = [span(' '.repeat(room + 2))];
  return rows.flatMap(([name, text]) => {
    const beside = widthOf(page.line(name)) < room;
    const shown = span(beside ? pad(page.line(name), room) : page.line(name), 'cyan');
    const above = beside ? [] : wrapSpans([shown], page.columns, { first: [span('  ')], rest: [span('  ')] });
    const first = beside ? [span('  '), shown] : rest;
    return [...above, ...wrapSpans([span(page.text(text), 'dim')], page.columns, { first, rest })];
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

/** A loop that halted the request, and the user's choice. */
function loopLines({ report, cost, choice }: ItemOf<'loop'>, page: Page): Line[] {
  const seen = wrapSpans([span(page.line(loopInOneLine(report, cost)), 'yellow')], page.columns, {
    first: [span(`${page.glyphs.trip} `, 'yellow')],
    rest: [span('  ')],
  });
  if (choice === undefined || choice === 'hint') return seen; // the hint stands below
  const made = wrapSpans(
    [span(page.line(consequence(choice, report)), choice === 'stop' ? 'dim' : 'green')],
    page.columns,
    {
      first: [span('  ')],
      rest: [span('  ')],
    },
  );
  return [...seen, ...made];
}

/** One line for an action of the guard; what it removed from the context is listed. */
function guardLines(notice: ItemOf<'guard'>, page: Page): Line[] {
  const { glyphs, columns } = page;
  const colour = notice.what === 'shadowed' ? 'dim' : 'yellow';
  const first: Line = [span(fit(`${glyphs.trip} ${page.line(noticeInWords(notice))}`, columns, glyphs.more), colour)];
  if (notice.takenOut === undefined) return [first];
  const listed = (notice.message ?? '').split('\n').slice(1);
  return [
    first,
    ...listed.map((line) => [span(fit(`  ${page.line(line)}`, columns, glyphs.more), 'dim')]),
    [span(fit('  /restore puts it back.', columns, glyphs.more), 'dim')],
  ];
}
