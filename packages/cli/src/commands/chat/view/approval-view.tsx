import type { ApprovalRequest } from '@loopfuse/agent';
import { counted } from 'loopfuse/words';
import type { ReactNode } from 'react';
import { type Line, span } from '../../../terminal/rich/span.js';
import {
  type ApprovalChoice,
  type ApprovalDialog,
  approvalChoices,
  approvalLetters,
} from '../screen/approval-dialog.js';
import { choiceLines } from './choice-lines.js';
import { displayLines } from './display-lines.js';
import { editorLines } from './editor-lines.js';
import { Frame, Lines, usePage } from './lines.js';
import type { Page } from './page.js';

/** Shows what a call would change or run, and asks for approval. */
export function ApprovalView({ dialog }: { readonly dialog: ApprovalDialog }): ReactNode {
  const page = usePage();
  const { request } = dialog;
  const shown = displayLines(request.display, page.columns - 4, page);
  const most = Math.max(3, page.rows - 17);
  const some = shown.length <= most ? shown : shown.slice(0, most - 1);
  const left = shown.length - some.length;
  return (
    <Frame colour="cyan">
      <Lines
        lines={[
          [span(questionOf(request, page), 'bold')],
          ...some,
          ...(left === 0
            ? []
            : [[span(`${page.glyphs.more} ${counted(left, 'more line')}; Ctrl-O shows all of it above`, 'yellow')]]),
          [],
          ...answerLines(dialog, page),
        ]}
      />
    </Frame>
  );
}

function answerLines({ request, chosen, instead }: ApprovalDialog, page: Page): Line[] {
  const { dot } = page.glyphs;
  if (instead !== undefined)
    return [
      [span('No. What should the model do instead?', 'bold')],
      ...editorLines(instead, { ...page, columns: page.columns - 4 }, 4),
      [span(`Enter sends it ${dot} Esc goes back`, 'dim')],
    ];
  const choices = approvalChoices.map((choice, k) => ({ key: approvalLetters[k]!, ...labels(choice, request, page) }));
  return [
    ...choiceLines(choices, chosen, page),
    [span(`y, a, n or i, or Enter ${dot} Esc cancels the request`, 'dim')],
  ];
}

function questionOf({ effect, call, title }: ApprovalRequest, page: Page): string {
  return effect === 'run' ? 'Run this command?' : `Let ${call.tool} change ${page.line(title)}?`;
}

function labels(choice: ApprovalChoice, { covers }: ApprovalRequest, page: Page): { label: string; about?: string } {
  switch (choice) {
    case 'once':
      return { label: 'Yes, once' };
    case 'always':
      return covers.length === 0
        ? { label: 'Yes', about: 'this one is asked about each time' }
        : { label: `Yes, and always: ${page.line(covers.join(', '))}`, about: 'in this session' };
    case 'no':
      return { label: 'No', about: 'the model is told so' };
    case 'instead':
      return { label: 'No, and say what to do instead' };
  }
}
