import { type Conversation, startConversation } from '@loopfuse/conversation';
import type { Attached, Facts, SessionRow } from '../../protocol/index.js';
import type { Announcement } from './announcements.js';

/** Everything that is shown, except the text in the composer. Immutable: every input gives a new state. */
export interface ViewState {
  readonly conversation: Conversation;
  /** Counts the conversations shown, so that elements of one are not reused for the next. */
  readonly shown: number;
  /** `undefined` until the host has sent them. */
  readonly facts: Facts | undefined;
  readonly sessionId: string;
  /** Whether the last request was interrupted and can be continued. */
  readonly cut: boolean;
  /** The attachments of the next message. */
  readonly attached: readonly Attached[];
  /** `undefined` until they were requested. */
  readonly sessions: readonly SessionRow[] | undefined;
  /** The text to add to the composer, and a counter of such requests. */
  readonly compose: { readonly text?: string | undefined; readonly times: number };
  /** The latest announcements for screen readers, each with its own key. */
  readonly announced: readonly Announcement[];
  /** What could not be shown of the last input, for the host's log. Replaced by every input. */
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
