import { type Card, tookInWords } from '@loopfuse/conversation';
import { counted } from 'loopfuse/words';
import type { Colour } from '../../../terminal/paint.js';
import { type Line, span } from '../../../terminal/rich/span.js';
import { wrapSpans } from '../../../terminal/rich/wrap-spans.js';
import { fit, widthOf } from '../../../terminal/width.js';
import { changeOf, diffLines } from './diff-lines.js';
import type { Page } from './page.js';

/** How many lines of a result are shown. */
const most = { diff: 12, failed: 4, streamed: 4 } as const;

/** A call of a tool: its title, how it ended, and a part of its output. */
export function cardLines(card: Card, page: Page, spinner: string): Line[] {
  const { glyphs, columns } = page;
  const [mark, colour, status] = statusOf(card, page, spinner);
  const words = [status, tookInWords(card)].filter((one) => one !== '').join(` ${glyphs.dot} `);
  const name = page.line(card.call.tool);
  const room = columns - 3 - widthOf(name) - (words === '' ? 0 : widthOf(words) + 3);
  const title = fit(page.line(card.title), Math.max(8, room), glyphs.more);
  const head: Line = [
    span(`${mark} `, ...colour),
    span(name, 'bold'),
    span(` ${title}`),
    ...(words === '' ? [] : [span(` ${glyphs.dot} ${words}`, 'dim')]),
  ];
  return [head, ...detail(card, page).map((line) => [span(`  ${glyphs.column} `, 'dim'), ...line])];
}

function statusOf(card: Card, { glyphs }: Page, spinner: string): [string, Colour[], string] {
  switch (card.status) {
    case 'pending':
      return [spinner, ['cyan'], ''];
    case 'ok':
      return [glyphs.good, ['green'], summary(card)];
    case 'failed':
      return [glyphs.bad, ['red'], ''];
    case 'refused':
      return [glyphs.bad, ['yellow'], card.instead === undefined ? 'declined' : 'declined, with the message:'];
    case 'blocked':
      return [glyphs.trip, ['yellow'], 'refused by the loop guard'];
    case 'cancelled':
      return [glyphs.dash, ['yellow'], 'cancelled'];
    case 'not-run':
      return [glyphs.dash, ['dim'], 'not run'];
  }
}

/** The result in a few words, if its output is not shown. */
function summary({ display, output, streamed }: Card): string {
  if (display?.type === 'diff') {
    const { added, removed } = changeOf(display.patch);
    return `+${added} -${removed}`;
  }
  if (streamed !== '') return '';
  const lines = output.trimEnd().split('\n').length;
  return lines === 1 && output.length <= 40 ? output.trim() : counted(lines, 'line');
}

function detail(card: Card, page: Page): Line[] {
  const { status, display, streamed, output, instead, linesBefore = 0, number } = card;
  const columns = page.columns - 4;
  if (instead !== undefined) return wrapSpans([span(page.text(instead))], columns);
  if (status === 'ok' && display?.type === 'diff') return top(diffLines(display.patch, columns, page), most.diff);
  if (status === 'pending' || status === 'ok' || status === 'cancelled')
    return bottom(lines(streamed), most.streamed, linesBefore);
  return status === 'failed' ? bottom(lines(output), most.failed, 0) : [];

  function lines(text: string): Line[] {
    const shown = page.text(text).trimEnd();
    if (shown === '') return [];
    return shown.split('\n').map((line) => [span(fit(line, columns, page.glyphs.more), 'dim')]);
  }

  function top(all: Line[], count: number): Line[] {
    return all.length <= count ? all : [...all.slice(0, count - 1), more(all.length - count + 1, 'more')];
  }

  function bottom(all: Line[], count: number, before: number): Line[] {
    if (all.length <= count && before === 0) return all;
    const shown = all.slice(1 - count);
    return [more(before + all.length - shown.length, 'before'), ...shown];
  }

  function more(count: number, where: string): Line {
    const { glyphs } = page;
    const words = `${glyphs.more} ${counted(count, 'line')} ${where} ${glyphs.dot} /output ${number}`;
    return [span(fit(words, columns, glyphs.more), 'dim')];
  }
}
