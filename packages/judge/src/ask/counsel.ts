import { type Ask, askFunction, type JudgeRequest, type Reply } from './ask.js';
import { askLanguageModel, type JudgeModel, languageModel, type ProviderOptions } from './ask-language-model.js';

/** The judge that is asked: a language model of the AI SDK, or your own function. */
export interface Counsel {
  readonly model?: JudgeModel;
  readonly providerOptions?: ProviderOptions;
  readonly ask?: Ask;
  /** The name under which its opinion is reported; by default the model's name. */
  readonly name?: string;
  readonly price?: Price;
}

/** In dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** A counsel that is ready to be asked. */
export interface Counsellor {
  readonly name: string;
  readonly price: Price | undefined;
  ask(request: JudgeRequest, signal: AbortSignal): Promise<Reply>;
}

export function counsellor(option: string, { model, providerOptions, ask, name, price }: Counsel): Counsellor {
  if ((model === undefined) === (ask === undefined))
    throw new TypeError(`createJudge: ${option} needs either a model or a function ask, and not both`);
  if (ask !== undefined && typeof ask !== 'function')
    throw new TypeError(`createJudge: ${option} needs a function as ask, got ${JSON.stringify(ask)}`);
  if (price !== undefined && !(price.input >= 0 && price.output >= 0))
    throw new RangeError(
      `createJudge: ${option} needs a price of dollars for a million tokens, got ${JSON.stringify(price)}`,
    );
  if (ask !== undefined)
    return { name: name ?? 'judge', price, ask: (request, signal) => askFunction(ask, request, signal) };
  const asked = languageModel(model!);
  return {
    name: name ?? asked.modelId,
    price,
    ask: (request, signal) => askLanguageModel(asked, request, signal, providerOptions),
  };
}
