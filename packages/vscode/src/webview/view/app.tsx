import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useState } from 'preact/hooks';
import { useServices } from '../host.js';
import type { Store } from '../store.js';
import { Banner } from './banner.js';
import { Composer } from './composer.js';
import { FaultBoundary } from './fault-boundary.js';
import { Header } from './header.js';
import { Sessions } from './sessions.js';
import { StatusLine } from './status-line.js';
import { Transcript } from './transcript.js';

/** The whole page. */
export function App({ store }: { readonly store: Store }): VNode {
  const { host, show } = useServices();
  const [, redraw] = useReducer((count: number, _: undefined) => count + 1, 0);
  const [listed, setListed] = useState(false);
  // Before the first paint, so that no message in between is missed.
  useLayoutEffect(() => store.watch(() => redraw(undefined)), [store]);
  const { state } = store;
  const { sessionId, conversation } = state;
  const { phase } = conversation;
  // The list covers the conversation. It closes when another one is opened, or a request starts in this one.
  useEffect(() => setListed(false), [sessionId]);
  useEffect(() => {
    if (phase === 'working') setListed(false);
  }, [phase]);

  function list(): void {
    if (!listed) host.post({ type: 'list-sessions' });
    setListed(!listed);
  }

  function unlist(): void {
    setListed(false);
    document.getElementById('sessions-button')?.focus();
  }

  function startAnew(): void {
    setListed(false);
    host.post({ type: 'new-chat' });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.isComposing || phase !== 'working') return;
    event.preventDefault();
    host.post({ type: 'stop' });
    show({ type: 'stopping' });
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape stops, wherever the focus is
    <div class="app" onKeyDown={onKeyDown}>
      <FaultBoundary onFault={(message) => host.post({ type: 'problem', message })}>
        <h1 class="for-screen-readers">Loopfuse chat</h1>
        <Header listed={listed} onList={list} onNew={startAnew} />
        {listed && <Sessions sessions={state.sessions} current={sessionId} onClose={unlist} />}
        <Transcript state={state} />
        <div class="below">
          <Banner state={state} />
          <Composer state={state} />
          {state.facts !== undefined && <StatusLine facts={state.facts} conversation={conversation} />}
        </div>
        <div
          class="for-screen-readers"
          role="log"
          aria-live="polite"
          aria-label="What has happened"
          data-testid="announcer"
        >
          {state.announced.map(({ key, text }) => (
            <p key={key}>{text}</p>
          ))}
        </div>
      </FaultBoundary>
    </div>
  );
}
