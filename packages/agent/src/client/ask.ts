import type { LanguageModel } from 'ai';
import type { Message } from '../history/message.js';
import type { Tool } from '../tools/tool.js';
import { type ProviderOptions, streamTurn, type TurnPart } from '../turn/stream-turn.js';
import type { ModelName } from './client-event.js';

/** The model in use, with everything that a request needs. */
export interface Ask {
  model: LanguageModel;
  providerOptions: ProviderOptions | undefined;
  /** The names that the SDK reports. */
  readonly name: ModelName;
  /** The next turn of the conversation, by the model in use or by another. */
  turn(history: readonly Message[], signal: AbortSignal, by?: Stronger): AsyncGenerator<TurnPart, void>;
  /** A request outside of the conversation, without tools. */
  aside(system: string, text: string, signal: AbortSignal): AsyncGenerator<TurnPart, void>;
}

/** A model that takes a turn in place of the one in use. */
export interface Stronger {
  readonly model: LanguageModel;
  readonly providerOptions?: ProviderOptions | undefined;
}

/** The names of a model and its provider, as the SDK reports them. */
export function nameOf(model: LanguageModel): ModelName {
  return typeof model === 'string'
    ? { provider: 'gateway', model }
    : { provider: model.provider, model: model.modelId };
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
      return nameOf(ask.model);
    },
    turn: (history, signal, { model: by, providerOptions: options } = ask) =>
      streamTurn({ model: by, providerOptions: options, system, tools, history, ...rest }, signal),
    aside: (instructions, text, signal) =>
      streamTurn(
        {
          model: ask.model,
          providerOptions: ask.providerOptions,
          system: instructions,
          tools: [],
          history: [{ role: 'user', from: 'agent', text }],
          ...rest,
        },
        signal,
      ),
  };
  return ask;
}
