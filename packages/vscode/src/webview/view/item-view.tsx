import {
  type Approval,
  type Blocks,
  type Item,
  type ItemOf,
  lengthOf,
  type NoteSubject,
  noteInWords,
  textOf,
} from '@loopfuse/conversation';
import { short } from 'loopfuse/words';
import { Component, type VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useServices } from '../host.js';
import { CopyButton } from '../markdown/code-block.js';
import { Markdown } from '../markdown/view.js';
import { exactText } from '../words/visible-text.js';
import { SentAttachments } from './attachments.js';
import { DisplayView } from './display.js';
import { FaultBoundary } from './fault-boundary.js';
import { Icon } from './icon.js';
import { LoopView } from './loop-card.js';
import { ToolCard } from './tool-card.js';

interface Props {
  readonly item: Item;
  readonly approval: Approval | undefined;
}

/** One entry of the conversation. It is rendered again only when it has changed. */
export class ItemView extends Component<Props & { readonly onFault: (message: string) => void }> {
  override shouldComponentUpdate(next: Props): boolean {
    return next.item !== this.props.item || next.approval !== this.props.approval;
  }

  render({ item, approval, onFault }: ItemView['props']): VNode {
    return (
      <FaultBoundary onFault={onFault}>
        <Entry item={item} approval={approval} />
      </FaultBoundary>
    );
  }
}

function Entry({ item, approval }: Props): VNode {
  switch (item.type) {
    case 'you':
      return (
        <article class="you" data-testid="item-you" aria-label="You">
          {item.text}
          {item.attached !== undefined && <SentAttachments attached={item.attached} />}
        </article>
      );
    case 'says':
      return <Answer item={item} />;
    case 'thinks':
      return <Thought text={item.text} open={item.open} />;
    case 'tool':
      return <ToolCard card={item} approval={approval} />;
    case 'guard':
      return <GuardLine item={item} />;
    case 'loop':
      return <LoopView card={item} />;
    case 'note':
      return <Note item={item} />;
    case 'list':
      return <Rows rows={item.rows} />;
    case 'display':
      return <DisplayView display={item.display} most={mostShown} />;
  }
}

function Answer({ item: { text, open } }: { readonly item: ItemOf<'says' | 'thinks'> }): VNode {
  return (
    <article class="says" data-testid="item-says" aria-label="Loopfuse" aria-busy={open}>
      <Markdown text={text} />
      {!open && (
        <div class="after">
          <CopyButton text={textOf(text)} what="answer" />
        </div>
      )}
    </article>
  );
}

/** Thinking is folded: only its first words and its length are shown. */
function Thought({ text, open }: { readonly text: Blocks; readonly open: boolean }): VNode {
  const [unfolded, setUnfolded] = useState(false);
  const length = lengthOf(text);
  return (
    <details
      class="thinks"
      data-testid="item-thinks"
      aria-busy={open}
      onToggle={(event) => setUnfolded(event.currentTarget.open)}
    >
      <summary>
        <Icon name="chevron" />
        <span class={open ? 'label running' : 'label'}>{open ? 'Thinking' : 'Thought'}</span>
        <span class="words">{firstWords(text)}</span>
        <span class="length">{short(length)} characters</span>
      </summary>
      {unfolded && <Markdown text={text} />}
    </details>
  );
}

function firstWords({ done, rest }: Blocks): string {
  return (done[0] ?? rest)
    .slice(0, 200)
    .replace(/[*#`_>]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** An action of the guard that does not halt the request. */
function GuardLine({ item }: { readonly item: ItemOf<'guard'> }): VNode {
  const { what, title, explanation, done, message, takenOut } = item;
  const { host } = useServices();
  const isQuiet = what === 'suspected' || what === 'shadowed';
  const tone = isQuiet ? 'plain' : 'warning';
  return (
    <section class={`guard ${what}`} data-testid="item-note" data-tone={tone} data-guard={what}>
      <details>
        <summary>
          <Icon name={isQuiet ? 'shield' : 'bolt'} />
          <span>
            {what === 'suspected' ? 'The guard watches more closely.' : `${title}: ${done}.`}{' '}
            <span class="explanation">{exactText(explanation)}</span>
          </span>
        </summary>
        <p>{exactText(explanation)}</p>
        {message !== undefined && <p class="told">To the model: “{exactText(message)}”</p>}
        {takenOut !== undefined && (
          <button type="button" class="link" onClick={() => host.post({ type: 'restore', id: takenOut })}>
            Put it back
          </button>
        )}
      </details>
    </section>
  );
}

function Note({ item }: { readonly item: ItemOf<'note'> }): VNode {
  const { host } = useServices();
  const { tone, about } = item;
  const remedy = about && remedies[about];
  return (
    <p class="note" data-testid="item-note" data-tone={tone}>
      {(tone === 'warning' || tone === 'bad') && <Icon name="warning" />}
      <span>
        {noteInWords(item)}{' '}
        {remedy !== undefined && (
          <button type="button" class="link" onClick={() => host.post({ type: 'command', command: remedy.command })}>
            {remedy.label}
          </button>
        )}
      </span>
    </p>
  );
}

function Rows({ rows }: { readonly rows: ItemOf<'list'>['rows'] }): VNode {
  return (
    <dl class="note">
      {rows.map(([name, text]) => (
        <div key={`${name} ${text}`}>
          <dt>{name}</dt>
          <dd>{exactText(text)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The lines of a display that are shown at first. */
const mostShown = 40;

const log = { command: 'loopfuse.showLog', label: 'Show the log' };
const remedies: { readonly [Subject in NoteSubject]: { readonly command: string; readonly label: string } } = {
  key: { command: 'loopfuse.setApiKey', label: 'Set the API key' },
  request: log,
  fault: log,
};
