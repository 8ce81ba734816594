import type { Act } from 'loopfuse';
import { callsOf, type Message, type ToolCall, type ToolResult } from '../history/message.js';
import { takenOutOf } from '../history/rewind.js';
import { cutFrom, type Draft, finishDraft, startDraft, type Usage } from '../turn/draft.js';

/** A turn under way: what the model has said so far, and the results there are. */
export interface OpenTurn {
  readonly draft: Draft;
  /** What the model was sent, in tokens as far as is known. */
  readonly weight: number;
  readonly results: Map<string, ToolResult>;
  /** Notes of the guard for the model, to be put at the end of the history. */
  readonly notes: string[];
  /** Index of its first event in what the guard has seen. */
  readonly seq: number;
  /** The model that is asked, where that is not the one in use. */
  model?: string;
  /** A decision to take rounds out, to be carried out when the turn is in the history. */
  rewind?: Rewind;
  /** When the model had spoken, and what that took. */
  at?: number;
  usage?: Usage;
}

export type Rewind = Extract<Act, { type: 'rewind' }>;

export function openTurn(history: readonly Message[], weight: number, seq: number): OpenTurn {
  const all = [...history, ...takenOutOf(history).flatMap(({ messages }) => messages)];
  const ids = all.flatMap((message) => callsOf(message).map(({ id }) => id));
  return { draft: startDraft(ids), weight, results: new Map(), notes: [], seq };
}

export interface Closing {
  readonly how: 'whole' | 'interrupted';
  /** The result of calls that have none. */
  readonly missing: Pick<ToolResult, 'output' | 'status'>;
  /** What was said from this event on is not kept. */
  readonly cut?: number | undefined;
}

/** The history with the turn at its end, every call with its result. */
export function closeTurn(
  history: readonly Message[],
  { draft, results, at = Date.now(), usage, seq, model }: OpenTurn,
  { how, missing, cut }: Closing,
): { readonly history: readonly Message[]; readonly dropped: readonly string[] } {
  if (cut !== undefined) cutFrom(draft, cut);
  const spoken = finishDraft(draft, how);
  if (spoken === undefined) return { history, dropped: [] };
  const message: Message = {
    ...spoken,
    at,
    seq,
    ...(usage === undefined ? {} : { usage }),
    ...(model === undefined ? {} : { model }),
  };
  const calls = callsOf(message);
  if (calls.length === 0) return { history: [...history, message], dropped: [] };
  const resultOf = ({ id, tool }: ToolCall): ToolResult => results.get(id) ?? { id, tool, ...missing };
  return {
    history: [...history, message, { role: 'tool', results: calls.map(resultOf) }],
    dropped: calls.filter(({ id }) => !results.has(id)).map(({ id }) => id),
  };
}
