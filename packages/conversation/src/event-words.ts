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
      return `Stopped after ${event.turns} turns, the most that one request may take. Say “go on” to go on.`;
    case 'user-cancelled':
      return 'Cancelled.';
  }
}

/** What there is to say about the end of an answer; nothing when the model was done. */
export function endInWords(reason: string): string | undefined {
  switch (reason) {
    case 'stop':
      return undefined;
    case 'length':
      return 'The answer is cut: the model may not write more in one turn.';
    default:
      return `The model ended its answer early (${reason}).`;
  }
}
