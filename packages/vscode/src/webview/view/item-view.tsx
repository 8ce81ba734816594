import { type Blocks, lengthOf, textOf } from '@loopfuse/conversation';
import { short } from 'loopfuse/words';
import { Component, type VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useHands } from '../host.js';
import { CopyButton } from '../markdown/code-block.js';
import { Markdown } from '../markdown/view.js';
import type { Item, ItemOf, Remedy } from '../state/item.js';
import type { Approval } from '../state/view-state.js';
import { exactText } from '../words/visible-text.js';
import { FaultBoundary } from './fault-boundary.js';
import { Icon } from './icon.js';
import { LoopView } from './loop-card.js';
import { ToolCard } from './tool-card.js';

interface Props {
  readonly item: Item;
  readonly approval: Approval | undefined;
}

/** One entry of the conversation. It is drawn again only when it has changed. */
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

/** Thinking is folded: a few words of it and how long it is. */
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

/** What the guard does without halting: quietly. */
function GuardLine({ item }: { readonly item: ItemOf<'guard'> }): VNode {
  const { what, title, explanation, done, message, takenOut } = item;
  const { host } = useHands();
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

function Note({ item: { tone, text, remedy } }: { readonly item: ItemOf<'note'> }): VNode {
  const { host } = useHands();
  return (
    <p class="note" data-testid="item-note" data-tone={tone}>
      {(tone === 'warning' || tone === 'bad') && <Icon name="warning" />}
      <span>
        {text}{' '}
        {remedy !== undefined && (
          <button
            type="button"
            class="link"
            onClick={() => host.post({ type: 'command', command: remedies[remedy][0] })}
          >
            {remedies[remedy][1]}
          </button>
        )}
      </span>
    </p>
  );
}

const remedies: { readonly [Key in Remedy]: readonly [command: string, label: string] } = {
  'set-key': ['loopfuse.setApiKey', 'Set the API key'],
  'show-log': ['loopfuse.showLog', 'Show the log'],
};
