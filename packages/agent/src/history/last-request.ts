import type { UserRequest } from './attachment.js';
import type { Message } from './message.js';

/** The history before the last message of the user, and that message. */
export interface TakenBack {
  readonly history: readonly Message[];
  readonly request: UserRequest;
}

/**
 * The history without the last message of the user and everything after it. Answers, results and notes are removed
 * together, so the rest is as valid as it was before that message. `undefined` where there is no such message.
 */
export function withoutLastRequest(history: readonly Message[]): TakenBack | undefined {
  const at = history.findLastIndex((message) => message.role === 'user' && message.from === 'user');
  const message = history[at];
  if (message?.role !== 'user') return undefined;
  const { text, attachments } = message;
  return { history: history.slice(0, at), request: { text, ...(attachments === undefined ? {} : { attachments }) } };
}
