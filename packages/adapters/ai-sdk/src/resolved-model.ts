import { gateway, type LanguageModel } from 'ai';

/** Looks a model up by its id, as the SDK does. */
export function resolved(model: LanguageModel): Exclude<LanguageModel, string> {
  if (typeof model !== 'string') return model;
  return (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(model);
}
