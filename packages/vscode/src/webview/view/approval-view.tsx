import type { ApprovalAnswer, ApprovalRequest } from '@loopfuse/agent';
import type { Approval } from '@loopfuse/conversation';
import type { VNode } from 'preact';
import { useServices } from '../host.js';
import { exactText } from '../words/visible-text.js';
import { DisplayView } from './display.js';
import { Icon } from './icon.js';
import { useQuestion } from './use-question.js';

const answers: readonly ApprovalAnswer[] = ['once', 'always', 'no'];
const keyOf: { readonly [Answer in ApprovalAnswer]: string } = { once: 'y', always: 'a', no: 'n' };
/** The lines of a change or a command that are shown at first. */
const most = 60;

/** Shows what a call would change or run, and asks whether it may. */
export function ApprovalView({ approval: { id, request } }: { readonly approval: Approval }): VNode {
  const { host, show } = useServices();
  const offered = answers.filter((given) => given !== 'always' || request.covers.length > 0);
  const { card, onKeyDown } = useQuestion({ keys: offered.map((given) => keyOf[given]).join(''), onEscape: giveUp });

  function answer(given: ApprovalAnswer): void {
    host.post({ type: 'answer-approval', id, answer: given });
    show({ type: 'approval-answer', id });
  }

  function giveUp(): void {
    host.post({ type: 'stop' });
    show({ type: 'stopping' });
  }

  const question = questionOf(request);
  return (
    <section class="approval" data-testid="approval" aria-label={question} ref={card} onKeyDown={onKeyDown}>
      <h4>{question}</h4>
      <div class="shown">
        <DisplayView display={request.display} most={most} />
      </div>
      <div class="answers">
        {offered.map((given) => (
          <button
            type="button"
            key={given}
            data-choice
            data-testid={`approve-${given}`}
            class={given === 'once' ? 'primary' : 'secondary'}
            aria-keyshortcuts={keyOf[given]}
            onClick={({ detail }) => isFirstClick(detail) && answer(given)}
          >
            {labels[given]}
          </button>
        ))}
        {request.display.type === 'diff' && (
          <button type="button" class="link open-diff" onClick={() => host.post({ type: 'open-diff', id })}>
            <Icon name="diff" /> Open the diff in the editor
          </button>
        )}
      </div>
      <p class="hint">
        {request.covers.length === 0 ? (
          'You are asked about this each time. '
        ) : (
          <>
            <b>Always</b> covers {request.covers.map(exactText).join(', ')} in this session.{' '}
          </>
        )}
        <span class="keys">
          {offered.map((given) => (
            <>
              <kbd>{keyOf[given].toUpperCase()}</kbd>{' '}
            </>
          ))}
          or <kbd>Esc</kbd> to stop
        </span>
      </p>
    </section>
  );
}

/** The second click of a double click was meant for the previous approval, which had its button in the same place. */
function isFirstClick(clicks: number): boolean {
  return clicks <= 1; // 0 if a key pressed the button
}

const labels: { readonly [Answer in ApprovalAnswer]: string } = { once: 'Yes, once', always: 'Always', no: 'No' };

function questionOf({ effect, call, title }: ApprovalRequest): string {
  return effect === 'run' ? 'Run this command?' : `Let ${call.tool} change ${exactText(title)}?`;
}
