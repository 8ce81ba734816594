import type { LanguageModel, TextStreamPart, ToolSet } from 'ai';
import type { Message } from '../history/message.js';
import type { Tool } from '../tools/tool.js';
import { type ProviderOptions, streamTurn } from '../turn/stream-turn.js';

/** The model in use, ready to be asked. */
export interface Ask {
  model: LanguageModel;
  providerOptions: ProviderOptions | undefined;
  /** How the model and its provider call themselves. */
  readonly name: { readonly provider: string; readonly model: string };
  /** The next turn of the conversation. */
  turn(history: readonly Message[], signal: AbortSignal): AsyncGenerator<TextStreamPart<ToolSet>, void>;
  /** Something else, without tools. */
  aside(system: string, text: string, signal: AbortSignal): AsyncGenerator<TextStreamPart<ToolSet>, void>;
}

export interface AskOptions {
  readonly model: LanguageModel;
  readonly providerOptions: ProviderOptions | undefined;
  readonly system: string;
  readonly tools: readonly Tool[];
  readonly maxOutputTokens: number | undefined;
  readonly silenceSeconds: number;
  readonly retries: number;
  readonly onWarning: (message: string) => void;
}

export function createAsk({ model, providerOptions, system, tools, ...rest }: AskOptions): Ask {
  const ask: Ask = {
    model,
    providerOptions,
    get name() {
      return typeof ask.model === 'string'
        ? { provider: 'gateway', model: ask.model }
        : { provider: ask.model.provider, model: ask.model.modelId };
    },
    turn: (history, signal) =>
      streamTurn({ model: ask.model, providerOptions: ask.providerOptions, system, tools, history, ...rest }, signal),
    aside: (told, text, signal) =>
      streamTurn(
        {
          model: ask.model,
          providerOptions: ask.providerOptions,
          system: told,
          tools: [],
          history: [{ role: 'user', from: 'agent', text }],
          ...rest,
        },
        signal,
      ),
  };
  return ask;
}
