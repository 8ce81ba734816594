import type { Display } from '@loopfuse/agent';
import { type Line, span } from '../../../terminal/rich/span.js';
import { chop } from '../../../terminal/width.js';
import { diffLines } from './diff-lines.js';
import type { Page } from './page.js';

/** What would be done, with nothing hidden and nothing left out, for the user to approve. */
export function displayLines(display: Display, columns: number, page: Page): Line[] {
  switch (display.type) {
    case 'diff':
      return diffLines(display.patch, columns, page);
    case 'command':
      return [
        ...whole(display.command, columns - 2, page).map((line) => [span(`  ${line}`, 'cyan')]),
        [span(`  in ${page.line(display.folder)}`, 'dim')],
      ];
    case 'text':
      return whole(display.text, columns, page).map((line) => [span(line)]);
  }
}

function whole(text: string, columns: number, page: Page): string[] {
  return page
    .exact(text)
    .split('\n')
    .flatMap((line) => chop(line, columns));
}
