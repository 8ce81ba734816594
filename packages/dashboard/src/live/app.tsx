import { useEffect, useRef, useState } from 'preact/hooks';
import { Mark } from '../page/parts/icons.js';
import { ThemeButton } from '../page/parts/theme-button.js';
import { useTheme } from '../page/parts/use-theme.js';
import { counted, dollars, oneLine, short } from '../page/words.js';
import { askLive } from './ask.js';
import { ago, keyIn, type Live, type LiveSession, sessionToShow, standing } from './live-data.js';
import { SessionPanel } from './session-panel.js';
import { usePolled } from './use-polled.js';

export function App() {
  const { theme, next } = useTheme();
  const { value: live, problem, again } = usePolled(askLive, 1_500, []);
  const [chosen, choose] = useChosen();
  const sessions = live?.sessions ?? [];
  const shown = useRef('');
  const session = sessionToShow(sessions, chosen, shown.current);
  shown.current = session?.key ?? '';
  return (
    <>
      <header class="top">
        <span class="name">
          <Mark />
          <span>Loopfuse</span>
        </span>
        <p class="made">gateway, live</p>
        <ThemeButton theme={theme} onClick={next} />
      </header>
      <main>
        {problem !== '' && <p class="live-problem">{problem}</p>}
        {live !== undefined && live.health.state !== 'ok' && (
          <p class="live-problem">
            Sessions cannot be stored at the moment; they are kept in memory. {oneLine(live.health.message ?? '')}
          </p>
        )}
        {live !== undefined && sessions.length === 0 && (
          <p class="nothing">No session yet. Point an agent at this address and it appears here.</p>
        )}
        {live !== undefined && session !== undefined && (
          <>
            <Totals live={live} />
            <div class="live-columns">
              <ul class="live-list" aria-label="Sessions">
                {sessions.map((one) => (
                  <Row key={one.key} session={one} now={live.now} isChosen={one === session} choose={choose} />
                ))}
              </ul>
              <SessionPanel key={session.key} session={session} now={live.now} onActed={again} />
            </div>
          </>
        )}
      </main>
    </>
  );
}

function Totals({ live: { sessions, now } }: { readonly live: Live }) {
  const running = sessions.filter(({ lastAt }) => now - lastAt < 60_000).length;
  const stopped = sessions.filter((one) => one.stopped !== '').length;
  const priced = sessions.filter(({ cost }) => cost !== undefined);
  const cost = priced.length === 0 ? undefined : priced.reduce((sum, one) => sum + one.cost!, 0);
  const loops = sessions.reduce((sum, one) => sum + one.loops, 0);
  return (
    <p class="live-totals">
      {counted(sessions.length, 'session')}, {running} active in the last minute, {counted(loops, 'loop')}, {stopped}{' '}
      stopped, cost {cost === undefined ? 'unknown' : `about ${dollars(cost)}`}
    </p>
  );
}

interface RowProps {
  readonly session: LiveSession;
  readonly now: number;
  readonly isChosen: boolean;
  readonly choose: (key: string) => void;
}

function Row({ session, now, isChosen, choose }: RowProps) {
  const { key, name, agent, calls, lastAt, inputTokens, outputTokens, cost } = session;
  const [state, className] = standing(session, now);
  return (
    <li>
      <button type="button" class="live-row" aria-current={isChosen ? 'true' : undefined} onClick={() => choose(key)}>
        <span class={`live-dot ${className}`} aria-hidden="true" />
        <b>{oneLine(name)}</b>
        <span class={`badge ${className}`}>{state}</span>
        <small>
          {oneLine(agent)}, {counted(calls, 'call')}, {short(inputTokens + outputTokens)} tokens, {dollars(cost)},{' '}
          {ago(lastAt, now)}
        </small>
      </button>
    </li>
  );
}

/** The chosen session is part of the address, so that a link to it can be shared. */
function useChosen(): readonly [string, (key: string) => void] {
  const read = (): string => keyIn(location.hash);
  const [chosen, setChosen] = useState(read);
  useEffect(() => {
    const onHash = (): void => setChosen(read());
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, []);
  return [
    chosen,
    (key) => {
      location.hash = encodeURIComponent(key);
    },
  ];
}
