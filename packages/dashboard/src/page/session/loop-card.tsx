import type { KindWords, LoopSummary } from '../../report.js';
import { counted, dollars, duration, oneLine, short, visible } from '../words.js';

interface Props {
  readonly loop: LoopSummary;
  readonly words: KindWords | undefined;
  readonly onShow: (() => void) | undefined;
}

/** A loop in words: what happened, what it cost, what to do. */
export function LoopCard({ loop, words, onShow }: Props) {
  const { kind, status, message, rounds, onset, until, lane, waste, confidence, detector } = loop;
  const cost: readonly (readonly [string, string])[] = [
    ...(rounds === undefined ? [] : [['Rounds', short(rounds)] as const]),
    ...(waste.calls > 0
      ? [['Calls', short(waste.calls)] as const]
      : [['Characters', short(waste.characters)] as const]),
    ['Tokens', waste.tokens === undefined ? 'unknown' : short(waste.tokens)],
    ['Cost', dollars(waste.cost)],
    ['Time', duration(waste.minutes)],
  ];
  return (
    <section class={`loop ${status}`}>
      <h2>
        {words?.title ?? kind}
        {status === 'suspect' && <span class="badge suspect">suspicion</span>}
      </h2>
      <p class="message">{visible(message)}</p>
      <dl>
        {cost.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class={value === 'unknown' ? 'unknown' : ''}>{value}</dd>
          </div>
        ))}
      </dl>
      {words !== undefined && (
        <p class="advice">
          <b>What to tell the agent</b> {words.advice}
        </p>
      )}
      <p class="where">
        {lane !== undefined && `in ${oneLine(lane)}, `}events {onset} to {until} ({counted(until - onset + 1, 'event')}
        ), seen by {detector}, {Math.round(confidence * 100)} % sure
        {onShow !== undefined && (
          <button type="button" class="button" onClick={onShow}>
            Show in the picture
          </button>
        )}
      </p>
    </section>
  );
}
