import { entries } from '@loopfuse/conversation';
import { counted } from 'loopfuse/words';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useServices } from '../host.js';
import type { ViewState } from '../state/view-state.js';
import { ApprovalView } from './approval-view.js';
import { EditsLine, editsByEntry } from './edits-line.js';
import { Icon, Spinner } from './icon.js';
import { ItemView } from './item-view.js';
import { RetryButton } from './retry-button.js';
import { Welcome } from './welcome.js';

/** The number of latest entries that are shown, and that each click on "Show earlier" adds. */
const most = 200;
/** Within this many pixels of the end counts as being at the end. */
const nearEnd = 24;

/** The conversation. It stays scrolled to its end while entries are added, unless the user has scrolled away. */
export function Transcript({ state }: { readonly state: ViewState }): VNode {
  const { host } = useServices();
  const { conversation, shown, sessionId, facts } = state;
  const { approvals } = conversation;
  const items = entries(conversation);
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const lastTop = useRef(0);
  const ourTop = useRef(0); // the position of our own last scroll
  const [away, setAway] = useState(false);
  const [extra, setExtra] = useState(0);

  /** Scrolls to the end, or to the start of a question that is taller than the view. */
  function toEnd(): void {
    const view = box.current;
    if (view === null) return;
    view.scrollTop = view.scrollHeight;
    const question = [...view.querySelectorAll('.loop, .approval')].at(-1);
    if (question !== undefined && question.clientHeight > view.clientHeight)
      view.scrollTop += question.getBoundingClientRect().top - view.getBoundingClientRect().top;
    ourTop.current = view.scrollTop;
  }

  function follow(on: boolean): void {
    follows.current = on;
    setAway(!on);
  }

  function isAtEnd(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = box.current!;
    return scrollHeight - scrollTop - clientHeight < nearEnd;
  }

  function onScroll(): void {
    const { scrollTop } = box.current!;
    const byUs = follows.current && Math.abs(scrollTop - ourTop.current) < 2;
    if (byUs || isAtEnd()) follow(true);
    else if (scrollTop < lastTop.current) follow(false); // new entries at the end never scroll up
    lastTop.current = scrollTop;
  }

  /** What the user unfolds stays in place and does not scroll up to make room for itself. */
  function onClick({ target }: Event): void {
    if (!(target instanceof Element) || target.closest('summary, .disclosure, .show-all') === null) return;
    follows.current = false;
    requestAnimationFrame(() => requestAnimationFrame(() => follow(isAtEnd())));
  }

  useEffect(() => {
    const observer = new ResizeObserver(() => follows.current && toEnd());
    observer.observe(content.current!);
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    setExtra(0);
    follow(true);
    toEnd();
  }, [sessionId]);
  useLayoutEffect(() => {
    if (items.at(-1)?.type === 'you') follow(true);
    if (follows.current) toEnd();
  }, [conversation.items, conversation.live]);

  const hidden = Math.max(0, items.length - most - extra);
  const onFault = (message: string) => host.post({ type: 'problem', message });
  const idle = conversation.phase === 'idle';
  const retried = idle && facts?.blocked === undefined ? items.findLastIndex(({ type }) => type === 'you') : -1;
  const edits = editsByEntry(items, facts?.undoable ?? []);
  const byCall = new Map(approvals.map((one) => [one.request.call.id, one]));
  const placed = new Set(items.slice(hidden).flatMap((item) => (item.type === 'tool' ? [item.call.id] : [])));
  return (
    <div class="transcript-frame">
      <section
        class="transcript"
        data-testid="transcript"
        aria-label="Conversation"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard
        tabIndex={0}
        ref={box}
        onScroll={onScroll}
        onClickCapture={onClick}
      >
        <div class="items" ref={content}>
          {facts === undefined && (
            <p class="note loading">
              <Spinner /> Opening the chat
            </p>
          )}
          {items.length === 0 && facts !== undefined && <Welcome facts={facts} />}
          {hidden > 0 && (
            <button
              type="button"
              class="link earlier"
              data-testid="show-earlier"
              onClick={() => setExtra(extra + most)}
            >
              Show earlier ({counted(hidden, 'entry', 'entries')})
            </button>
          )}
          {items.slice(hidden).map((item, k) => (
            <div class={`item item-${item.type}`} key={`${shown} ${hidden + k}`}>
              <ItemView
                item={item}
                approval={item.type === 'tool' ? byCall.get(item.call.id) : undefined}
                onFault={onFault}
              />
              {hidden + k === retried && <RetryButton />}
              {edits.get(hidden + k)?.map((one) => (
                <EditsLine key={one.id} edits={one} idle={idle} />
              ))}
            </div>
          ))}
          {approvals
            .filter(({ request }) => !placed.has(request.call.id))
            .map((approval) => (
              <ApprovalView key={approval.id} approval={approval} />
            ))}
        </div>
      </section>
      {away && (
        <button
          type="button"
          class="jump"
          data-testid="jump-to-latest"
          onClick={() => {
            follow(true);
            toEnd();
          }}
        >
          <Icon name="down" /> Jump to latest
        </button>
      )}
    </div>
  );
}
