import type { UserRequest } from './attachment.js';
import type { Message } from './message.js';

/** A history before the last thing that the person said, and what that was. */
export interface TakenBack {
  readonly history: readonly Message[];
  readonly request: UserRequest;
}

/**
 * The history without the last message of the person and everything after it: answers, results and notes go together, so
 * what is left is as valid as it was before that message. `undefined` where the message is not there any more.
 */
export function withoutLastRequest(history: readonly Message[]): TakenBack | undefined {
  const at = history.findLastIndex((message) => message.role === 'user' && message.from === 'user');
  const message = history[at];
  if (message?.role !== 'user') return undefined;
  const { text, attachments } = message;
  return { history: history.slice(0, at), request: { text, ...(attachments === undefined ? {} : { attachments }) } };
}
