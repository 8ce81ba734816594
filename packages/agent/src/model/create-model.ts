import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import type { Environment } from '../tools/run-shell-command/environment.js';
import type { ProviderOptions } from '../turn/stream-turn.js';

export const providerNames = ['openai', 'openai-compatible', 'anthropic', 'google'] as const;
export type ProviderName = (typeof providerNames)[number];

export interface ModelChoice {
  readonly provider?: ProviderName | undefined;
  readonly model?: string | undefined;
  /** Where the provider is, if not at its usual place; with the version in the path, as in http://127.0.0.1:8080/v1. */
  readonly baseURL?: string | undefined;
  readonly apiKey?: string | undefined;
  /** The variable that holds the key, where it is not the usual one. */
  readonly apiKeyEnv?: string | undefined;
}

/** A model to talk to, and what must be known about it besides. */
export interface ChosenModel {
  readonly model: LanguageModel;
  readonly provider: ProviderName;
  readonly name: string;
  /** To be kept out of files and logs; nothing where the provider needs none. */
  readonly apiKey?: string;
  readonly providerOptions?: ProviderOptions;
}

interface Provider {
  /** The variables that can hold the key, the first one first. */
  readonly keys: readonly string[];
  /** The variables that can hold the address. */
  readonly urls: readonly string[];
  /** The names of its models begin so. */
  readonly models: RegExp;
  readonly options?: ProviderOptions;
  create(name: string, settings: { apiKey: string; baseURL?: string }): LanguageModel;
}

const providers: { readonly [Name in Exclude<ProviderName, 'openai-compatible'>]: Provider } = {
  anthropic: {
    keys: ['ANTHROPIC_API_KEY'],
    urls: ['ANTHROPIC_BASE_URL'],
    models: /^claude/i,
    create: (name, settings) => createAnthropic(settings)(name),
  },
  google: {
    keys: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
    urls: ['GOOGLE_GEMINI_BASE_URL'],
    models: /^gem(?:ini|ma)/i,
    create: (name, settings) => createGoogleGenerativeAI(settings)(name),
  },
  openai: {
    keys: ['OPENAI_API_KEY'],
    urls: ['OPENAI_BASE_URL'],
    models: /^(?:gpt|o\d|chatgpt|codex)/i,
    // Nothing is kept at the provider: a turn that was broken off could not be referred to anyway.
    options: { openai: { store: false } },
    create: (name, settings) => createOpenAI(settings)(name),
  },
};

/**
 * A model from what flags and settings say, with the environment for what they do not. Throws a `TypeError` that says
 * what is missing and how to set it.
 */
export function createModel(choice: ModelChoice, environment: Environment = process.env): ChosenModel {
  const provider = choice.provider ?? guessProvider(choice, environment);
  if (!providerNames.includes(provider))
    throw new TypeError(
      `createModel: provider must be one of ${providerNames.join(', ')}, got ${JSON.stringify(provider)}`,
    );
  const name = choice.model?.trim() || environment.LOOPFUSE_MODEL;
  if (!name)
    throw new TypeError(
      `No model is set for ${provider}. Name one with --model, LOOPFUSE_MODEL or "model" in a settings file.`,
    );
  return provider === 'openai-compatible'
    ? compatible(name, choice, environment)
    : known(provider, name, choice, environment);
}

function known(
  provider: keyof typeof providers,
  name: string,
  choice: ModelChoice,
  environment: Environment,
): ChosenModel {
  const { keys, urls, options, create } = providers[provider];
  const apiKey = keyOf(choice, keys, environment);
  if (apiKey === undefined)
    throw new TypeError(
      `No key for ${provider}. Set ${choice.apiKeyEnv ?? keys.join(' or ')} in the environment, or choose another provider.`,
    );
  const baseURL = choice.baseURL ?? first(urls, environment);
  return {
    model: create(name, {
      apiKey,
      ...(baseURL === undefined ? {} : { baseURL: checkedURL(withVersion(provider, baseURL)) }),
    }),
    provider,
    name,
    apiKey,
    ...(options === undefined ? {} : { providerOptions: options }),
  };
}

function compatible(name: string, choice: ModelChoice, environment: Environment): ChosenModel {
  const baseURL = choice.baseURL ?? first(['LOOPFUSE_BASE_URL', 'OPENAI_BASE_URL'], environment);
  if (baseURL === undefined)
    throw new TypeError(
      'No address for the openai-compatible provider. Set it with --base-url, LOOPFUSE_BASE_URL or "baseURL" in a settings file, for example http://127.0.0.1:8080/v1.',
    );
  const apiKey = keyOf(choice, ['LOOPFUSE_API_KEY', 'OPENAI_API_KEY'], environment); // local servers need none
  const create = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: checkedURL(baseURL),
    includeUsage: true,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  return { model: create(name), provider: 'openai-compatible', name, ...(apiKey === undefined ? {} : { apiKey }) };
}

function guessProvider({ model, baseURL, apiKeyEnv }: ModelChoice, environment: Environment): ProviderName {
  const set = environment.LOOPFUSE_PROVIDER;
  if (set !== undefined && set !== '') return set as ProviderName;
  if (baseURL !== undefined || environment.LOOPFUSE_BASE_URL) return 'openai-compatible';
  const names = Object.keys(providers) as (keyof typeof providers)[];
  const wanted = model?.trim() || environment.LOOPFUSE_MODEL || '';
  const byModel = names.find((name) => providers[name].models.test(wanted));
  if (byModel !== undefined) return byModel;
  const byKey = names.find((name) => first(providers[name].keys, environment) !== undefined);
  if (byKey !== undefined && apiKeyEnv === undefined) return byKey;
  throw new TypeError(
    `No provider is set, and none can be told from the model or the keys. Name one with --provider, LOOPFUSE_PROVIDER or "provider" in a settings file: ${providerNames.join(', ')}.`,
  );
}

function keyOf(choice: ModelChoice, usual: readonly string[], environment: Environment): string | undefined {
  if (choice.apiKey) return choice.apiKey;
  return first(choice.apiKeyEnv === undefined ? usual : [choice.apiKeyEnv], environment);
}

function first(names: readonly string[], environment: Environment): string | undefined {
  return names.map((name) => environment[name]).find((value) => value !== undefined && value !== '');
}

function checkedURL(baseURL: string): string {
  if (!/^https?:\/\//i.test(baseURL) || !URL.canParse(baseURL))
    throw new TypeError(
      `baseURL must be an address that begins with http:// or https://, got ${JSON.stringify(baseURL)}`,
    );
  return baseURL.replace(/\/+$/, '');
}

/** Some programs want the version in the address and others add it; we take both. */
function withVersion(provider: keyof typeof providers, baseURL: string): string {
  const bare = baseURL.replace(/\/+$/, '');
  return /\/v\d+\w*$/.test(bare) ? bare : `${bare}/${provider === 'google' ? 'v1beta' : 'v1'}`;
}
