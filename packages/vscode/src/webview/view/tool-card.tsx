import type { Approval, Card } from '@loopfuse/conversation';
import { counted } from 'loopfuse/words';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { FileLink } from '../markdown/view.js';
import { exactText, outputText } from '../words/visible-text.js';
import { ApprovalView } from './approval-view.js';
import { changeOf, Diff } from './diff.js';
import { Lines } from './display.js';
import { Icon, type IconName, Spinner } from './icon.js';

/** How many lines of a result are shown at first. */
const most = { diff: 14, failed: 8, streamed: 8, asked: 40 } as const;

interface Props {
  readonly card: Card;
  /** The open approval of the call, if there is one. */
  readonly approval: Approval | undefined;
}

/** A call of a tool: its name and title, its status, and a part of its output. */
export function ToolCard({ card, approval }: Props): VNode {
  const [unfolded, setUnfolded] = useState(false);
  const { call, title, status } = card;
  const { path } = call.input;
  const words = wordsOf(card, approval !== undefined);
  return (
    <article
      class="tool"
      data-testid="item-tool"
      data-tool={call.tool}
      data-status={status}
      aria-label={`${call.tool} ${title}: ${words}`}
    >
      <div class="head">
        <Mark card={card} asked={approval !== undefined} />
        <button
          type="button"
          class="disclosure"
          aria-expanded={unfolded}
          title={unfolded ? 'Hide input and output' : 'Show input and output'}
          onClick={() => setUnfolded(!unfolded)}
        >
          <span class="name">{call.tool}</span>
        </button>
        <span class="title">
          {typeof path === 'string' && title === path ? (
            <FileLink path={path} text={exactText(title)} code={false} />
          ) : (
            exactText(title)
          )}
        </span>
        <span class="words">
          {status === 'ok' && card.display?.type === 'diff' ? <Change patch={card.display.patch} /> : words}
        </span>
      </div>
      {approval !== undefined ? (
        <ApprovalView key={approval.id} approval={approval} />
      ) : unfolded ? (
        <Everything card={card} />
      ) : (
        <Glimpse card={card} />
      )}
    </article>
  );
}

function Mark({ card: { status }, asked }: { readonly card: Card; readonly asked: boolean }): VNode {
  if (status === 'pending') return asked ? <Icon name="question" /> : <Spinner />;
  return <Icon name={icons[status]} />;
}

const icons: { readonly [Status in Exclude<Card['status'], 'pending'>]: IconName } = {
  ok: 'check',
  failed: 'cross',
  refused: 'cross',
  blocked: 'bolt',
  cancelled: 'dash',
  'not-run': 'dash',
};

function Change({ patch }: { readonly patch: string }): VNode {
  const { added, removed } = changeOf(patch);
  return (
    <span class="change">
      <span class="added">+{added}</span> <span class="removed">−{removed}</span>
    </span>
  );
}

/** The status in a few words. */
function wordsOf(card: Card, asked: boolean): string {
  switch (card.status) {
    case 'pending':
      return asked ? 'waiting for approval' : 'running';
    case 'ok':
      return summaryOf(card);
    case 'failed':
      return 'failed';
    case 'refused':
      return 'declined';
    case 'blocked':
      return 'refused by the loop guard';
    case 'cancelled':
      return 'cancelled';
    case 'not-run':
      return 'not run';
  }
}

/** A summary of the output. */
function summaryOf({ display, output, streamed }: Card): string {
  if (display?.type === 'diff') {
    const { added, removed } = changeOf(display.patch);
    return `${added} added, ${removed} removed`;
  }
  if (streamed !== '') return 'done';
  const lines = output.trimEnd().split('\n').length;
  return lines === 1 && output.length <= 24 ? output.trim() || 'done' : counted(lines, 'line');
}

/** What is shown of a folded card: a change, streaming output, or why it failed. */
function Glimpse({ card: { status, display, streamed, output } }: { readonly card: Card }): VNode | null {
  if (status === 'ok' && display?.type === 'diff') return <Diff patch={display.patch} most={most.diff} />;
  if (status === 'failed' && output.trim() !== '')
    return <Lines text={outputText(output)} most={most.failed} end="last" />;
  if (streamed.trim() === '' || status === 'refused' || status === 'blocked') return null;
  return <Lines text={outputText(streamed)} most={most.streamed} end="last" />;
}

function Everything({ card: { call, display, streamed, output } }: { readonly card: Card }): VNode {
  const brought = output.trim() === '' ? streamed : output;
  return (
    <div class="everything">
      <h4>Input</h4>
      <Lines text={exactText(JSON.stringify(call.input, undefined, 2))} most={most.asked} end="first" />
      {display?.type === 'diff' && <Diff patch={display.patch} most={most.asked} />}
      {brought.trim() !== '' && (
        <>
          <h4>Output</h4>
          <Lines text={outputText(brought)} most={most.asked} end="first" />
        </>
      )}
    </div>
  );
}
