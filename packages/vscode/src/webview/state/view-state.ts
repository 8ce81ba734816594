import { type Conversation, startConversation } from '@loopfuse/conversation';
import type { Attached, Facts, SessionRow } from '../../protocol/index.js';
import type { Announcement } from './announcements.js';

/** Everything that is shown, apart from what the person types. A value: inputs give a new one. */
export interface ViewState {
  readonly conversation: Conversation;
  /** Counts the conversations shown: what is drawn of one is not taken for a part of the next. */
  readonly shown: number;
  /** Absent until the host has sent them. */
  readonly facts: Facts | undefined;
  readonly sessionId: string;
  /** Whether the last request was broken off and can go on. */
  readonly cut: boolean;
  /** What will be sent with the next message. */
  readonly attached: readonly Attached[];
  /** Absent until they have been asked for. */
  readonly sessions: readonly SessionRow[] | undefined;
  /** What to put into the composer, and how many times that was asked. */
  readonly compose: { readonly text?: string | undefined; readonly times: number };
  /** What is read out to those who cannot see it: the latest few, each with a number of its own. */
  readonly announced: readonly Announcement[];
  /** What of the last input could not be shown, for the host's log. Replaced by every input. */
  readonly problems: readonly string[];
}

export const startState: ViewState = {
  conversation: startConversation(),
  shown: 0,
  facts: undefined,
  sessionId: '',
  cut: false,
  attached: [],
  sessions: undefined,
  compose: { times: 0 },
  announced: [],
  problems: [],
};
