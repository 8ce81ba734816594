import type { HaltReport } from '../guard/loop-report.js';
import type { Message } from '../history/message.js';
import { type Session, titleOf } from '../session/session.js';
import type { Usage } from '../turn/draft.js';

/** What a client remembers between events. Owned by the client; everything in it is replaced, never changed. */
export interface State {
  /** The first words of the person. */
  title: string;
  history: readonly Message[];
  promptId: string | undefined;
  request: string;
  /** Turns since the prompt. */
  turns: number;
  halted: HaltReport | undefined;
  /** Of the session. */
  usage: Usage;
  /** What the history weighs, as far as the provider has told. */
  context: { readonly tokens: number; readonly messages: number };
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0 };

export function startState(session: Session | undefined): State {
  return {
    title: session === undefined ? '' : titleOf(session),
    history: session?.history ?? [],
    promptId: session?.promptId,
    request: session?.request ?? '',
    turns: session?.turns ?? 0,
    halted: session?.halted,
    usage: session?.usage ?? noUsage,
    context: { tokens: 0, messages: 0 },
  };
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  };
}
