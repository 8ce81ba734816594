import type { Act } from 'loopfuse';
import {
  type AssistantMessage,
  callsOf,
  type Message,
  type Remark,
  type ToolCall,
  type ToolResult,
  titleFrom,
} from '../history/message.js';
import { remarked } from '../history/remarks.js';
import { takenOutOf } from '../history/rewind.js';
import { cutFrom, type Draft, finishDraft, partsOf, startDraft, type Usage } from '../turn/draft.js';
import type { RemarkEvent } from './client-event.js';

/** The current turn: the answer so far, and the results so far. */
export interface OpenTurn {
  readonly draft: Draft;
  /** The size of the request in tokens, partly estimated. */
  readonly weight: number;
  readonly results: Map<string, ToolResult>;
  /** The titles of the calls that were passed on, by their ids. */
  readonly titles: Map<string, string>;
  /** Events that are not part of the answer, with the number of blocks of the draft by then; absent: all blocks. */
  readonly remarks: { readonly event: RemarkEvent; readonly blocks?: number }[];
  /** Notes of the guard for the model. They are added at the end of the history. */
  readonly notes: string[];
  /** Index of its first event in what the guard has seen. */
  readonly seq: number;
  /** The model that is asked, where that is not the one in use. */
  model?: string;
  /** A decision to remove rounds. It is carried out when the turn is in the history. */
  rewind?: Rewind;
  /** When the answer ended, and its usage. */
  at?: number;
  usage?: Usage;
}

export type Rewind = Extract<Act, { type: 'rewind' }>;

export function openTurn(history: readonly Message[], weight: number, seq: number): OpenTurn {
  const all = [...history, ...takenOutOf(history).flatMap(({ messages }) => messages)];
  const ids = all.flatMap((message) => callsOf(message).map(({ id }) => id));
  return { draft: startDraft(ids), weight, results: new Map(), titles: new Map(), remarks: [], notes: [], seq };
}

export interface Closing {
  readonly how: 'whole' | 'interrupted';
  /** The result of calls that have none. */
  readonly missing: Pick<ToolResult, 'output' | 'status'>;
  /** Text from this event on is not kept. */
  readonly cut?: number | undefined;
}

/** The history with the turn at its end, every call with its result. */
export function closeTurn(
  history: readonly Message[],
  turn: OpenTurn,
  { how, missing, cut }: Closing,
): { readonly history: readonly Message[]; readonly dropped: readonly string[] } {
  const { results, at = Date.now(), usage, seq, model, remarks } = turn;
  const draft = cut === undefined ? turn.draft : cutFrom(turn.draft, cut);
  const spoken = finishDraft(draft, how);
  if (spoken === undefined)
    return { history: remarked(history, ...remarks.map(({ event }) => ({ event }))), dropped: [] };
  const [during, after] = remarksOf({ draft, remarks }, how);
  const message: Message = {
    ...titled(spoken, turn.titles),
    at,
    seq,
    ...(usage === undefined ? {} : { usage }),
    ...(model === undefined ? {} : { model }),
    ...(during.length === 0 ? {} : { remarks: during }),
  };
  const calls = callsOf(message);
  if (calls.length === 0) return { history: remarked([...history, message], ...after), dropped: [] };
  const resultOf = ({ id, tool }: ToolCall): ToolResult => results.get(id) ?? { id, tool, ...missing };
  return {
    history: remarked([...history, message, { role: 'tool', results: calls.map(resultOf) }], ...after),
    dropped: calls.filter(({ id }) => !results.has(id)).map(({ id }) => id),
  };
}

/** The remarks during the answer, each with the number of parts by then, and the remarks after it. */
function remarksOf(
  { draft, remarks }: Pick<OpenTurn, 'draft' | 'remarks'>,
  how: Closing['how'],
): readonly [Remark[], Remark[]] {
  const kept = partsOf(draft, how).map(({ block }) => block);
  const during = remarks.flatMap(({ event, blocks }) =>
    blocks === undefined ? [] : [{ event, part: kept.filter((block) => block < blocks).length }],
  );
  return [during, remarks.flatMap(({ event, blocks }) => (blocks === undefined ? [{ event }] : []))];
}

function titled(message: AssistantMessage, titles: OpenTurn['titles']): AssistantMessage {
  return {
    ...message,
    parts: message.parts.map((part) => {
      if (part.type !== 'tool-call') return part;
      const title = titles.get(part.id);
      if (title === undefined) return { ...part, unseen: true };
      return title === titleFrom(part) ? part : { ...part, title };
    }),
  };
}
