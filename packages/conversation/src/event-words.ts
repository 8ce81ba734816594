import type { ClientEvent } from '@loopfuse/agent';
import { short } from 'loopfuse/words';

type Told = Extract<
  ClientEvent,
  { type: 'judge-failed' | 'history-compressed' | 'warning' | 'error' | 'max-turns' | 'user-cancelled' }
>;

/** The sentence for an event that one sentence describes. */
export function eventInWords(event: Told): string {
  switch (event.type) {
    case 'judge-failed':
      return `The judge was asked and gave no opinion: ${event.message}`;
    case 'history-compressed':
      return `The conversation was compressed: ${short(event.tokensBefore)} → ${short(event.tokensAfter)} tokens.`;
    case 'warning':
    case 'error':
      return event.message;
    case 'max-turns':
      return `Stopped after ${event.turns} turns, the limit for one request. Say “go on” to continue.`;
    case 'user-cancelled':
      return 'Cancelled.';
  }
}

/** A notice about the end of an answer. `undefined` when the model finished with an answer. */
export function endInWords(reason: string, hasAnswered: boolean): string | undefined {
  if (reason === 'length') return 'The answer was cut off: the model reached its limit for one turn.';
  if (reason === 'stop')
    return hasAnswered ? undefined : 'The model ended without an answer. Say “go on”, or ask again.';
  if (!hasAnswered && (reason === 'other' || reason === 'unknown'))
    return 'The server sent no answer. Check the model and the address.';
  return `The model ended its answer early (${reason}).`;
}
