import { useState } from 'preact/hooks';
import { counted, dollars, oneLine, short, timeOf, visible } from '../page/words.js';
import { act, askDetail } from './ask.js';
import { ago, type LiveAction, type LiveSession, standing } from './live-data.js';
import { Timeline } from './timeline.js';
import { usePolled } from './use-polled.js';

interface Props {
  readonly session: LiveSession;
  readonly now: number;
  readonly onActed: () => void;
}

/** One session: its state and the reason, its latest events, and the actions for it. */
export function SessionPanel({ session, now, onActed }: Props) {
  const { key, name, agent, model, requests, calls, inputTokens, outputTokens, loops, steers, blocks, stopped } =
    session;
  const { value: detail, problem, again } = usePolled(() => askDetail(key), 1_500, [key]);
  const [state, className] = standing(session, now);
  const refresh = (): void => {
    onActed();
    again();
  };
  const evidence = detail?.evidence ?? [];
  const tools = [...new Set(evidence.flatMap((one) => one.tools))];
  const figures: readonly (readonly [string, string])[] = [
    ['Requests', short(requests)],
    ['Calls', short(calls)],
    ['Tokens in', short(inputTokens)],
    ['Tokens out', short(outputTokens)],
    ['Cost, about', dollars(session.cost)],
    ['Loops', short(loops)],
  ];
  return (
    <section class="live-panel" aria-label={`Session ${oneLine(name)}`}>
      <h1>
        {oneLine(name)} <span class={`badge ${className}`}>{state}</span>
      </h1>
      <p class="facts-line">
        {oneLine(agent)}
        {model !== '' && `, ${oneLine(model)}`}, since {timeOf(session.startedAt)}, last request{' '}
        {ago(session.lastAt, now)}
        {steers + blocks > 0 && `; ${counted(steers, 'message')} to the model, ${counted(blocks, 'refused call')}`}
      </p>
      <dl class="live-figures">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd class={value === 'unknown' ? 'unknown' : ''}>{value}</dd>
          </div>
        ))}
      </dl>
      {stopped !== '' && <p class="live-stopped">{visible(stopped)}</p>}
      <Actions session={session} tools={tools} onActed={refresh} />
      {problem !== '' && <p class="live-problem">{problem}</p>}
      <h2>Evidence</h2>
      {evidence.length === 0 && <p class="quiet">No loop was seen in this session by this gateway.</p>}
      <ol class="live-evidence">
        {[...evidence].reverse().map((one, k) => (
          <li key={k} class={one.status}>
            <p>{visible(one.explanation)}</p>
            <small>
              {timeOf(one.at)}, {one.status === 'suspect' ? 'suspicion' : 'loop'}, seen by {one.detector},{' '}
              {Math.round(one.confidence * 100)} % sure
            </small>
          </li>
        ))}
      </ol>
      <h2>Timeline</h2>
      {detail !== undefined && detail.marks.length === 0 && (
        <p class="quiet">This gateway has served no request of this session since it started.</p>
      )}
      {detail !== undefined && detail.marks.length > 0 && <Timeline marks={detail.marks} />}
    </section>
  );
}

function Actions({ session, tools, onActed }: { session: LiveSession; tools: readonly string[]; onActed: () => void }) {
  const [hint, setHint] = useState('');
  const [said, setSaid] = useState('');
  const isStopped = session.stopped !== '';
  const perform = (action: LiveAction, done: string) => () => {
    act(session.key, action).then(
      () => {
        setSaid(done);
        if (action.action === 'hint') setHint('');
        onActed();
      },
      (cause: Error) => setSaid(cause.message),
    );
  };
  return (
    <div class="live-actions">
      <button type="button" class="button" onClick={perform({ action: 'continue' }, 'The session can continue.')}>
        {isStopped ? 'Let it go on' : 'Reset the detection'}
      </button>
      {tools.map((tool) => (
        <button
          type="button"
          class="button"
          key={tool}
          onClick={perform({ action: 'exempt', tool }, `${tool} will not be flagged again in this session.`)}
        >
          Never flag {oneLine(tool)}
        </button>
      ))}
      {!session.disabled && (
        <button
          type="button"
          class="button"
          onClick={perform({ action: 'disable' }, 'This session is not watched any more.')}
        >
          Stop watching it
        </button>
      )}
      {!isStopped && (
        <button
          type="button"
          class="button danger"
          onClick={perform({ action: 'stop' }, 'The next request of this session will be refused.')}
        >
          Stop the agent
        </button>
      )}
      <form
        class="live-hint"
        onSubmit={(event) => {
          event.preventDefault();
          if (hint.trim() !== '')
            perform({ action: 'hint', text: hint.trim() }, 'The model gets it with its next request.')();
        }}
      >
        <input
          value={hint}
          maxLength={2_000}
          placeholder="A hint for the model"
          aria-label="A hint for the model"
          onInput={(event) => setHint(event.currentTarget.value)}
        />
        <button type="submit" class="button" disabled={hint.trim() === ''}>
          Send
        </button>
      </form>
      <p role="status" class="quiet">
        {said}
      </p>
    </div>
  );
}
