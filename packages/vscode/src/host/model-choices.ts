import { type ProviderName, providerFacts } from '@loopfuse/agent';
import { priceTable } from '@loopfuse/prices';
import { dollars } from 'loopfuse/words';

/** The provider and the model in use, as far as they are known. */
export interface ModelInUse {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
}

/** A row of the list of models. */
export type ModelRow =
  | { readonly type: 'provider'; readonly label: string }
  | {
      readonly type: 'model';
      readonly provider: ProviderName;
      readonly model: string;
      readonly label: string;
      readonly description: string;
    }
  /** The user types the name. */
  | { readonly type: 'other'; readonly provider: ProviderName; readonly label: string; readonly description: string };

/** The most models of a provider that are listed beside its default. Any other can be typed. */
const mostListed = 6;

/** The names of each provider's models in the price list. */
const families: { readonly [Provider in ProviderName]?: RegExp } = {
  anthropic: /^claude-/,
  openai: /^(?:gpt-|o\d)/,
  google: /^gemini-/,
};

/** For every provider: its default model, the one in use, the latest with a price, and a row for any other. */
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

/** The user's choice. */
export interface ChosenModel {
  readonly provider: ProviderName;
  readonly model: string;
  /** The address of the server, for a provider without a default address. */
  readonly address?: string | undefined;
}

/**
 * What is written into the user's settings, in order; `undefined` removes a setting. The address and the key variable of another
 * provider must not stay: the key of one would be sent to the other.
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
