import { gateway, type LanguageModel } from 'ai';

/** A model by its id is looked up as the SDK does. */
export function resolved(model: LanguageModel): Exclude<LanguageModel, string> {
  if (typeof model !== 'string') return model;
  return (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(model);
}
