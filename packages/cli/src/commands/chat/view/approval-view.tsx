import type { ApprovalAnswer, ApprovalRequest } from '@loopfuse/agent';
import { counted } from 'loopfuse/words';
import type { ReactNode } from 'react';
import { span } from '../../../terminal/rich/span.js';
import { type ApprovalDialog, approvalAnswers, approvalLetters } from '../screen/approval-dialog.js';
import { choiceLines } from './choice-lines.js';
import { displayLines } from './display-lines.js';
import { Frame, Lines, usePage } from './lines.js';
import type { Page } from './page.js';

/** Shows what a call would change or run, and asks whether it may. */
export function ApprovalView({ dialog }: { readonly dialog: ApprovalDialog }): ReactNode {
  const page = usePage();
  const { request, chosen } = dialog;
  const shown = displayLines(request.display, page.columns - 4, page);
  const most = Math.max(3, page.rows - 16);
  const some = shown.length <= most ? shown : shown.slice(0, most - 1);
  const left = shown.length - some.length;
  const choices = approvalAnswers.map((answer, k) => ({ key: approvalLetters[k]!, ...labels(answer, request, page) }));
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
          ...choiceLines(choices, chosen, page),
          [span(`y, a or n, or Enter ${page.glyphs.dot} Esc cancels the request`, 'dim')],
        ]}
      />
    </Frame>
  );
}

function questionOf({ effect, call, title }: ApprovalRequest, page: Page): string {
  return effect === 'run' ? 'Run this command?' : `Let ${call.tool} change ${page.line(title)}?`;
}

function labels(answer: ApprovalAnswer, { covers }: ApprovalRequest, page: Page): { label: string; about?: string } {
  switch (answer) {
    case 'once':
      return { label: 'Yes, once' };
    case 'always':
      return covers.length === 0
        ? { label: 'Yes', about: 'this one is asked about each time' }
        : { label: `Yes, and always: ${page.line(covers.join(', '))}`, about: 'in this session' };
    case 'no':
      return { label: 'No', about: 'the model is told so' };
  }
}
