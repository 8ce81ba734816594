import type { Card, Item, WholeOutput } from '@loopfuse/conversation';
import { counted, grouped } from 'loopfuse/words';
import { type Line, span } from '../../../terminal/rich/span.js';
import { chop, fit } from '../../../terminal/width.js';
import type { OutputDialog } from '../screen/output-dialog.js';
import { diffLines } from './diff-lines.js';
import type { Page } from './page.js';

/** Lines around the output. */
const around = 7;

/** The whole output of a call, laid out for a terminal; `whole` if there is more of it than in its card. */
export function outputDialog(card: Card, whole: WholeOutput | undefined, page: Page): OutputDialog {
  const lines = wholeLines(card, whole, page);
  const title = page.line(`Call ${card.number}: ${card.call.tool} ${card.title}`);
  return { type: 'output', title, lines, top: 0, room: Math.max(3, page.rows - around) };
}

/** The card with this number, or the latest with output; or the reason why there is none. */
export function cardToShow(items: readonly Item[], number: number | undefined): Card | string {
  const cards = items.filter((item) => item.type === 'tool');
  if (number === undefined) return cards.findLast(hasOutput) ?? 'No call has any output yet.';
  const card = cards.findLast((one) => one.number === number);
  if (card === undefined) return `There is no call ${number} on this screen.`;
  return hasOutput(card) ? card : `Call ${number} has no output.`;
}

function hasOutput({ display, output, streamed }: Card): boolean {
  return display?.type === 'diff' || output.trim() !== '' || streamed.trim() !== '';
}

function wholeLines({ display, output, streamed }: Card, whole: WholeOutput | undefined, page: Page): Line[] {
  if (display?.type === 'diff') return diffLines(display.patch, page.columns, page);
  const { text, missing } = whole ?? { text: output.trim() === '' ? streamed : output, missing: 0 };
  const lines = page
    .text(text.trimEnd())
    .split('\n')
    .flatMap((line) => chop(line, page.columns))
    .map((line) => [span(line)]);
  const gone = `[${counted(missing, 'character')} before this are not kept any more]`;
  return missing === 0 ? lines : [[span(fit(gone, page.columns, page.glyphs.more), 'yellow')], ...lines];
}

/** The part that is shown, between its title and how to go on. */
export function outputLines({ title, lines, top, room }: OutputDialog, page: Page): Line[] {
  const { glyphs, columns } = page;
  const last = Math.min(top + room, lines.length);
  const place =
    lines.length <= room
      ? counted(lines.length, 'line')
      : `${grouped(top + 1)} to ${grouped(last)} of ${counted(lines.length, 'line')} ${glyphs.dot} Up, Down, Space, b`;
  const rule: Line = [span(glyphs.rule.repeat(columns), 'dim')];
  return [
    [span(fit(title, columns, glyphs.more), 'bold')],
    rule,
    ...lines.slice(top, last),
    rule,
    [span(fit(`Esc closes ${glyphs.dot} ${place}`, columns, glyphs.more), 'dim')],
  ];
}
