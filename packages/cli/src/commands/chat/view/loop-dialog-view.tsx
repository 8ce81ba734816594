import { type ChoiceWords, choiceWords, spentInWords } from '@loopfuse/conversation';
import { counted, dollars } from 'loopfuse/words';
import type { ReactNode } from 'react';
import { type Line, span } from '../../../terminal/rich/span.js';
import { wrapSpans } from '../../../terminal/rich/wrap-spans.js';
import { fit } from '../../../terminal/width.js';
import type { LoopDialog } from '../screen/loop-dialog.js';
import { choiceLines } from './choice-lines.js';
import { editorLines } from './editor-lines.js';
import { Frame, Lines, usePage } from './lines.js';
import type { Page } from './page.js';

/** Shows which loop it is and what it has cost, and asks what to do. */
export function LoopDialogView({ dialog }: { readonly dialog: LoopDialog }): ReactNode {
  const page = usePage();
  return (
    <Frame colour="yellow">
      <Lines lines={[...storyLines(dialog, page), [], ...answerLines(dialog, page)]} />
    </Frame>
  );
}

const longest = { story: 6, arguments: 2 } as const;

function storyLines({ report, calls, cost }: LoopDialog, page: Page): Line[] {
  const { glyphs, columns } = page;
  const room = columns - 4;
  const waste = spentInWords(report.waste);
  const spent = [waste, ...(cost === undefined ? [] : [`${page.utf8 ? '≈' : '~'} ${dollars(cost)}`])].filter(Boolean);
  return [
    [span(`${glyphs.trip} ${report.title}`, 'bold', 'yellow')],
    ...wrapSpans([span(page.line(report.explanation))], room).slice(0, longest.story),
    ...calls.slice(-2).flatMap(({ tool, input }) => row('Call', `${tool} ${JSON.stringify(input)}`, longest.arguments)),
    ...(spent.length === 0 ? [] : row('Cost', `${spent.join(', ')} since it began`, 1)),
    ...(report.dropped.length === 0 ? [] : row('Held', `${counted(report.dropped.length, 'call')}, not run`, 1)),
  ];

  function row(label: string, text: string, most: number): Line[] {
    const indent = { first: [span(`${label}  `, 'dim')], rest: [span(' '.repeat(label.length + 2))] };
    const lines = wrapSpans([span(fit(page.line(text), (room - 6) * most, glyphs.more))], room, indent);
    return lines.slice(0, most);
  }
}

function answerLines({ report, chosen, hint }: LoopDialog, page: Page): Line[] {
  const { glyphs } = page;
  if (hint !== undefined)
    return [
      [span('What should the model know? It goes on with this hint.', 'bold')],
      ...editorLines(hint, { ...page, columns: page.columns - 4 }, 4),
      [span(`Enter sends it ${glyphs.dot} Esc goes back`, 'dim')],
    ];
  const choices = report.choices.map((choice, k) => ({ key: String(k + 1), ...inBrief(choiceWords(choice, report)) }));
  return [
    ...choiceLines(choices, chosen, page),
    [span(`Up, down and Enter, or a number ${glyphs.dot} Esc stops`, 'dim')],
  ];
}

/** After a label in a list, a description has no capital and no full stop. */
function inBrief({ label, about }: ChoiceWords): { readonly label: string; readonly about: string } {
  return { label, about: `${about.charAt(0).toLowerCase()}${about.slice(1).replace(/\.$/, '')}` };
}
