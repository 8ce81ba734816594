import type { ApprovalRequest, ToolCall } from '@loopfuse/agent';
import type { Facts, SessionRow } from '../../protocol/index.js';
import type { Item } from './item.js';

/** Everything that is shown, apart from what the person types. A value: inputs give a new one. */
export interface ViewState {
  /** Absent until the host has told what there is. */
  readonly facts: Facts | undefined;
  readonly sessionId: string;
  readonly items: readonly Item[];
  readonly phase: Phase;
  /** Questions that wait for an answer, the oldest first. */
  readonly approvals: readonly Approval[];
  /** The latest call of each tool in this request, the latest one last. */
  readonly calls: readonly ToolCall[];
  /** Whether the last request was broken off and can go on. */
  readonly cut: boolean;
  /** Absent until they have been asked for. */
  readonly sessions: readonly SessionRow[] | undefined;
  /** What to put into the composer, and the how-manieth time that was asked. */
  readonly compose: { readonly text?: string | undefined; readonly times: number };
  /** What the person has sent, for recalling it. */
  readonly sent: readonly string[];
  /** What is read out to those who cannot see it: the latest few, each with a number of its own. */
  readonly heard: readonly Heard[];
  /** The next free number for items and for what is heard. */
  readonly next: number;
  /** What the last input asks to be told to the host. Replaced by every input. */
  readonly problems: readonly string[];
}

export type Phase = 'idle' | 'working' | 'stopping';

export interface Approval {
  readonly id: number;
  readonly request: ApprovalRequest;
}

export interface Heard {
  readonly key: number;
  readonly text: string;
}

export const startState: ViewState = {
  facts: undefined,
  sessionId: '',
  items: [],
  phase: 'idle',
  approvals: [],
  calls: [],
  cut: false,
  sessions: undefined,
  compose: { times: 0 },
  sent: [],
  heard: [],
  next: 0,
  problems: [],
};
