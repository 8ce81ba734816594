import { type ProviderName, providerFacts } from '@loopfuse/agent';
import { priceTable } from '@loopfuse/prices';
import { dollars } from 'loopfuse/words';

/** What the person's own settings say about the model now, and what is used because of it. */
export interface ModelInUse {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
}

/** One row of the list that a model is chosen from. */
export type ModelRow =
  | { readonly type: 'provider'; readonly label: string }
  | {
      readonly type: 'model';
      readonly provider: ProviderName;
      readonly model: string;
      readonly label: string;
      readonly description: string;
    }
  /** The person types the name. */
  | { readonly type: 'other'; readonly provider: ProviderName; readonly label: string; readonly description: string };

/** So many models of a provider are listed beside its default; every other can be typed. */
const mostListed = 6;

/** How the models that the price list knows are named. */
const families: { readonly [Provider in ProviderName]?: RegExp } = {
  anthropic: /^claude-/,
  openai: /^(?:gpt-|o\d)/,
  google: /^gemini-/,
};

/** Every provider with its default model first, the one in use, the latest that have a price, and a row for any other. */
export function modelRows(inUse: ModelInUse): readonly ModelRow[] {
  return (Object.keys(providerFacts) as ProviderName[]).flatMap((provider): ModelRow[] => {
    const { label, defaultModel } = providerFacts[provider];
    const used = inUse.provider === provider ? inUse.model : undefined;
    const names = [defaultModel, used || undefined, ...listed(provider)].filter((name) => name !== undefined);
    const models = [...new Set(names)].map((model): ModelRow => {
      const about = [
        ...(model === used ? ['in use'] : []),
        ...(model === defaultModel ? ['default'] : []),
        ...priceOf(model),
      ];
      return { type: 'model', provider, model, label: model, description: about.join(', ') };
    });
    const description = providerFacts[provider].needsAddress
      ? 'your own server: enter its address, then the model'
      : label;
    return [{ type: 'provider', label }, ...models, { type: 'other', provider, label: 'Other…', description }];
  });
}

function listed(provider: ProviderName): readonly string[] {
  const family = families[provider];
  return family === undefined
    ? []
    : Object.keys(priceTable.models)
        .filter((name) => family.test(name))
        .slice(0, mostListed);
}

function priceOf(model: string): readonly string[] {
  const price = priceTable.models[model];
  return price === undefined ? [] : [`${dollars(price.input)} in, ${dollars(price.output)} out per million tokens`];
}

/** What was chosen. */
export interface ChosenModel {
  readonly provider: ProviderName;
  readonly model: string;
  /** Where the server is, for a provider without a usual address. */
  readonly address?: string | undefined;
}

/**
 * What is written into the person's own settings, in order; `undefined` takes a setting away. The address and the key's
 * variable of another provider must not stay: the key of one would go to the other.
 */
export function settingsFor(
  { provider, model, address }: ChosenModel,
  inUse: ModelInUse,
): readonly (readonly [name: string, value: string | undefined])[] {
  const stale = ['baseURL', 'apiKeyEnv'].map((name) => [name, undefined] as const);
  return [
    ...(provider === inUse.provider ? [] : stale),
    ...(address === undefined ? [] : [['baseURL', address] as const]),
    ['provider', provider],
    ['model', model],
  ];
}
