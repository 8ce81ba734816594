import type { HaltReport } from '../guard/loop-report.js';
import type { Message } from '../history/message.js';
import { withNote } from '../history/with-note.js';
import { type Session, titleOf } from '../session/session.js';
import type { Usage } from '../turn/draft.js';
import { closeTurn, type OpenTurn } from './open-turn.js';

/** The state of a client between events. The client owns it. Values in it are replaced, never changed in place. */
export interface State {
  /** The first words of the person. */
  title: string;
  history: readonly Message[];
  /** The current turn, which is not in the history yet. */
  turn: OpenTurn | undefined;
  promptId: string | undefined;
  request: string;
  /** Turns since the prompt. */
  turns: number;
  halted: HaltReport | undefined;
  /** Of the session. */
  usage: Usage;
  /** The tokens of the first `messages` messages, as the provider reported them. */
  context: { readonly tokens: number; readonly messages: number };
}

/** The history with the unfinished current turn, so that a session can be resumed after a crash. */
export function historySoFar({ history, turn }: Pick<State, 'history' | 'turn'>): readonly Message[] {
  if (turn === undefined) return history;
  const how = turn.at === undefined ? 'interrupted' : 'whole';
  const closed = closeTurn(history, turn, { how, missing: { output: noResult, status: 'cancelled' } });
  return turn.notes.reduce<readonly Message[]>(withNote, closed.history);
}

const noResult =
  'The session ended before this call had a result. It may have been carried out, or a part of it: look before you do it again.';

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0 };

export function startState(session: Session | undefined): State {
  return {
    title: session === undefined ? '' : titleOf(session),
    history: session?.history ?? [],
    turn: undefined,
    promptId: session?.promptId,
    request: session?.request ?? '',
    turns: session?.turns ?? 0,
    halted: session?.halted,
    usage: session?.usage ?? noUsage,
    context: { tokens: 0, messages: 0 },
  };
}

export function addUsage(a: Usage, b: Usage): Usage {
  const cacheWriteTokens = (a.cacheWriteTokens ?? 0) + (b.cacheWriteTokens ?? 0);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    ...(cacheWriteTokens > 0 ? { cacheWriteTokens } : {}),
  };
}
