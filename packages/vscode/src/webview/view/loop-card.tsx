import {
  type LoopCard as Card,
  choiceWords,
  consequence,
  evidenceRows,
  offered,
  spentInWords,
  storyOf,
} from '@loopfuse/conversation';
import type { Choice } from 'loopfuse';
import { counted, dollars } from 'loopfuse/words';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useServices } from '../host.js';
import { exactText } from '../words/visible-text.js';
import { Icon } from './icon.js';
import { useQuestion } from './use-question.js';

/** A loop that halted the request: what repeated, how many times, what it cost, and the choices. */
export function LoopView({ card }: { readonly card: Card }): VNode {
  return card.state === 'answered' ? <AnsweredLoop card={card} /> : <LoopCard card={card} />;
}

function LoopCard({ card: loop }: { readonly card: Card }): VNode {
  const { report, state } = loop;
  const { host, show } = useServices();
  const [hinting, setHinting] = useState(false);
  const choices = offered(report);
  const { card, onKeyDown } = useQuestion({
    keys: '12345'.slice(0, choices.length),
    onEscape: () => (hinting ? setHinting(false) : choose('stop')),
  });

  const chosen = useRef(false); // set at once, before the next render
  const hinted = useRef(false);
  useLayoutEffect(() => {
    if (state === 'asked') chosen.current = false;
  }, [state]);
  useLayoutEffect(() => {
    if (hinted.current && !hinting) card.current?.querySelector<HTMLElement>('[data-testid="loop-hint"]')?.focus();
    hinted.current = hinting;
  }, [hinting]);

  function choose(choice: Choice, hint?: string): void {
    if (state !== 'asked' || chosen.current) return;
    chosen.current = true;
    host.post({ type: 'answer-loop', choice, ...(hint === undefined ? {} : { hint }) });
    show({ type: 'loop-choice', choice, hint });
  }

  return (
    <section
      class="loop"
      data-testid="loop-card"
      data-kind={report.kind}
      aria-label={`Stopped by the loop guard: ${report.title}`}
      ref={card}
      onKeyDown={onKeyDown}
    >
      <h3>
        <Icon name="bolt" /> {report.title}
      </h3>
      <p class="story">{storyOf(report.kind)}</p>
      <p class="explanation">{exactText(report.explanation)}</p>
      <Costs card={loop} />
      <Evidence report={report} />
      {hinting ? (
        <HintForm onSend={(hint) => choose('hint', hint)} onBack={() => setHinting(false)} />
      ) : (
        <fieldset class="choices" aria-label="What to do">
          {choices.map((choice, k) => {
            const { label, about } = choiceWords(choice, report);
            return (
              <button
                type="button"
                key={choice}
                data-choice
                data-testid={`loop-${choice}`}
                disabled={state !== 'asked'}
                aria-keyshortcuts={String(k + 1)}
                onClick={() => (choice === 'hint' ? setHinting(true) : choose(choice))}
              >
                <span class="key" aria-hidden="true">
                  {k + 1}
                </span>
                <span class="label">{label}</span>
                <span class="about">{about}</span>
              </button>
            );
          })}
        </fieldset>
      )}
    </section>
  );
}

function HintForm({ onSend, onBack }: { readonly onSend: (hint: string) => void; readonly onBack: () => void }): VNode {
  const [hint, setHint] = useState('');
  const input = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const ready = hint.trim() !== '';

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (ready) onSend(hint.trim());
  }

  return (
    <div class="hint-form">
      <label>
        What should the model know? It goes on with this hint.
        <textarea
          ref={input}
          data-testid="loop-hint-text"
          rows={2}
          value={hint}
          onInput={(event) => setHint(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      <div class="answers">
        <button
          type="button"
          class="primary"
          data-testid="loop-hint-send"
          disabled={!ready}
          onClick={() => onSend(hint.trim())}
        >
          Continue with it
        </button>
        <button type="button" class="secondary" onClick={onBack}>
          Back
        </button>
        <span class="keys">
          <kbd>Enter</kbd> sends, <kbd>Esc</kbd> goes back
        </span>
      </div>
    </div>
  );
}

/** The calls of the loop and what they have cost. */
function Costs({ card }: { readonly card: Card }): VNode {
  const { report, calls } = card;
  const dropped = report.dropped?.length ?? 0;
  const spent = costOf(card);
  return (
    <dl>
      {calls.slice(-2).map(({ id, tool, input }) => (
        <div key={id}>
          <dt>Call</dt>
          <dd>
            <code>
              {tool} {exactText(cut(JSON.stringify(input), 240))}
            </code>
          </dd>
        </div>
      ))}
      {spent !== '' && (
        <div>
          <dt>Cost</dt>
          <dd data-testid="loop-cost">{spent} since it began</dd>
        </div>
      )}
      {dropped > 0 && (
        <div>
          <dt>Held</dt>
          <dd>{counted(dropped, 'call')}, not run</dd>
        </div>
      )}
    </dl>
  );
}

function Evidence({ report }: Pick<Card, 'report'>): VNode {
  return (
    <details class="evidence" data-testid="evidence">
      <summary>Evidence</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">How often</th>
            <th scope="col">Where</th>
          </tr>
        </thead>
        <tbody>
          {evidenceRows(report.findings).map(({ what, times, where, by }) => (
            <tr key={`${by} ${what} ${where}`}>
              <td>
                {exactText(what)} <span class="by">{exactText(by)}</span>
              </td>
              <td>{times === '' ? '' : `${times} times`}</td>
              <td>{exactText(where)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** The line that replaces the card when the loop is answered. */
function AnsweredLoop({ card }: { readonly card: Card }): VNode {
  const { report, choice = 'stop', hint } = card;
  const spent = costOf(card);
  return (
    <section class="guard halted" data-testid="item-note" data-tone="warning" data-kind={report.kind}>
      <p>
        <Icon name="bolt" />
        <b>{report.title}.</b> {exactText(report.explanation)}
        {spent === '' ? '' : ` Spent on it: ${spent}.`}
      </p>
      <p class="choice" data-testid="loop-answered" data-choice-made={choice}>
        {consequence(choice, report)}
        {hint !== undefined && report.resumes === false && <q>{hint}</q>}
      </p>
    </section>
  );
}

function costOf({ report: { waste }, cost }: Card): string {
  const words = waste === undefined ? '' : spentInWords(waste);
  return [words, cost === undefined ? '' : `≈ ${dollars(cost)}`].filter((part) => part !== '').join(', ');
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
