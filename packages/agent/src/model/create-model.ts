import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import { setUpInWords } from '../open-agent/set-up-words.js';
import type { Environment } from '../tools/run-shell-command/environment.js';
import type { ProviderOptions } from '../turn/stream-turn.js';
import { providerFacts } from './provider-facts.js';
import { type ProviderName, providerNames } from './provider-names.js';
import {
  anthropicOptions,
  googleOptions,
  openaiOptions,
  type RequestOptions,
  type RequestSettings,
} from './request-options.js';

export { type ProviderName, providerNames };

export interface ModelChoice extends RequestSettings {
  readonly provider?: ProviderName | undefined;
  readonly model?: string | undefined;
  /** Use the provider's default model where none is named. */
  readonly orDefault?: boolean | undefined;
  /** The address of the provider, if it is not the usual one; with the version in the path, as in http://127.0.0.1:8080/v1. */
  readonly baseURL?: string | undefined;
  readonly apiKey?: string | undefined;
  /** The environment variable that holds the key, if it is not the usual one. */
  readonly apiKeyEnv?: string | undefined;
  /** Used for requests in place of Node's `fetch`, for example to go through a proxy. */
  readonly fetch?: typeof fetch | undefined;
}

/** A key from a secure store. It is sent only to the addresses that it was stored for. */
export interface StoredKey {
  readonly key: string;
  /** The origins that it may be sent to, such as https://api.openai.com. */
  readonly addresses: readonly string[];
  /** The origins that the user has refused. Requests to them carry no key. */
  readonly refused?: readonly string[];
}

/** By the environment variable that would hold each key. */
export type StoredKeys = { readonly [variable: string]: StoredKey };

/** Why a model cannot be made, for a user interface that offers to fix it. */
export type ModelProblem =
  /** None is set, or the given one does not exist. */
  | { readonly type: 'provider'; readonly given?: string }
  | { readonly type: 'model'; readonly provider: ProviderName; readonly suggested?: string }
  /** None is set, or the given one is not an address. */
  | { readonly type: 'address'; readonly given?: string }
  | { readonly type: 'key'; readonly provider: ProviderName; readonly variables: readonly string[] }
  /** There is a key, but it was stored for other addresses. */
  | {
      readonly type: 'key-address';
      readonly variable: string;
      readonly address: string;
      readonly keptFor: readonly string[];
    };

export class ModelError extends TypeError {
  override readonly name = 'ModelError';
  constructor(readonly problem: ModelProblem) {
    super(setUpInWords(problem));
  }
}

/** A model, with what is known about it. */
export interface ChosenModel {
  readonly model: LanguageModel;
  readonly provider: ProviderName;
  readonly name: string;
  /** No model was named: it is the default of its provider. */
  readonly byDefault?: true;
  /** The address of its requests. */
  readonly address: string;
  /** Must not appear in files and logs. Absent where the provider needs none. */
  readonly apiKey?: string;
  readonly providerOptions?: ProviderOptions;
}

interface Provider {
  /** The variables that can hold the address. */
  readonly urls: readonly string[];
  /** The usual address. */
  readonly address: string;
  /** Matches the names of its models. */
  readonly models: RegExp;
  readonly options: RequestOptions;
  create(name: string, settings: { apiKey: string; baseURL?: string; fetch?: typeof fetch }): LanguageModel;
}

const providers: { readonly [Name in Exclude<ProviderName, 'openai-compatible'>]: Provider } = {
  anthropic: {
    urls: ['ANTHROPIC_BASE_URL'],
    address: 'https://api.anthropic.com/v1',
    models: /^claude/i,
    options: anthropicOptions,
    create: (name, settings) => createAnthropic(settings)(name),
  },
  google: {
    urls: ['GOOGLE_GEMINI_BASE_URL'],
    address: 'https://generativelanguage.googleapis.com/v1beta',
    models: /^gem(?:ini|ma)/i,
    options: googleOptions,
    create: (name, settings) => createGoogleGenerativeAI(settings)(name),
  },
  openai: {
    urls: ['OPENAI_BASE_URL'],
    address: 'https://api.openai.com/v1',
    models: /^(?:gpt|o\d|chatgpt|codex)/i,
    options: openaiOptions,
    create: (name, settings) => createOpenAI(settings)(name),
  },
};

/**
 * A model from flags and settings, and from the environment and the stored keys for what is not set there. Throws a
 * `TypeError` that says what is missing and how to set it.
 */
export function createModel(
  choice: ModelChoice,
  environment: Environment = process.env,
  stored: StoredKeys = {},
): ChosenModel {
  const provider = providerOf(choice, environment, stored);
  const named = choice.model?.trim() || environment.LOOPFUSE_MODEL || undefined;
  const name = named ?? defaultOf(provider, choice);
  const wanted: Wanted = { name, address: addressAt(provider, choice, environment), choice, environment, stored };
  const made = provider === 'openai-compatible' ? compatible(wanted) : known(provider, wanted);
  return named === undefined ? { ...made, byDefault: true } : made;
}

function defaultOf(provider: ProviderName, { orDefault = false }: ModelChoice): string {
  const { defaultModel: suggested } = providerFacts[provider];
  if (orDefault && suggested !== undefined) return suggested;
  throw new ModelError({ type: 'model', provider, ...(suggested === undefined ? {} : { suggested }) });
}

/** Everything that determines the model and its key. */
interface Wanted {
  readonly name: string;
  readonly address: string;
  readonly choice: ModelChoice;
  readonly environment: Environment;
  readonly stored: StoredKeys;
}

/** The address of requests. `undefined` where it is not known yet. */
export function addressOf(
  choice: ModelChoice,
  environment: Environment = process.env,
  stored: StoredKeys = {},
): string | undefined {
  try {
    return addressAt(providerOf(choice, environment, stored), choice, environment);
  } catch {
    return undefined;
  }
}

/** The part of an address that a key is stored for. */
export function originOf(address: string): string {
  return new URL(address).origin;
}

/** The provider: as chosen, or else derived from the rest of the choice and the environment. Throws where it cannot be derived. */
export function providerOf(choice: ModelChoice, environment: Environment, stored: StoredKeys): ProviderName {
  const provider = choice.provider ?? guessProvider(choice, environment, stored);
  if (providerNames.includes(provider)) return provider;
  throw new ModelError({ type: 'provider', given: String(provider) });
}

function addressAt(provider: ProviderName, choice: ModelChoice, environment: Environment): string {
  if (provider === 'openai-compatible') {
    const baseURL = choice.baseURL ?? first(['LOOPFUSE_BASE_URL', 'OPENAI_BASE_URL'], environment);
    if (baseURL !== undefined) return checkedURL(baseURL);
    throw new ModelError({ type: 'address' });
  }
  const { urls, address } = providers[provider];
  const baseURL = choice.baseURL ?? first(urls, environment);
  return baseURL === undefined ? address : checkedURL(withVersion(provider, baseURL));
}

function known(provider: keyof typeof providers, wanted: Wanted): ChosenModel {
  const { name, address, choice } = wanted;
  const { options, create } = providers[provider];
  const { keys } = providerFacts[provider];
  const apiKey = keyOf(wanted, keys);
  if (apiKey === undefined)
    throw new ModelError({
      type: 'key',
      provider,
      variables: choice.apiKeyEnv === undefined ? keys : [choice.apiKeyEnv],
    });
  return {
    model: create(name, { apiKey, baseURL: address, ...fetchOf(choice) }),
    provider,
    name,
    address,
    apiKey,
    providerOptions: options(name, choice),
  };
}

function compatible(wanted: Wanted): ChosenModel {
  const { name, address, choice } = wanted;
  const apiKey = keyOf(wanted, providerFacts['openai-compatible'].keys); // local servers need none
  const create = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: address,
    includeUsage: true,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...fetchOf(choice),
  });
  return {
    model: create(name),
    provider: 'openai-compatible',
    name,
    address,
    ...(apiKey === undefined ? {} : { apiKey }),
  };
}

function fetchOf({ fetch: own }: ModelChoice): { fetch?: typeof fetch } {
  return own === undefined ? {} : { fetch: own };
}

function guessProvider(
  { model, baseURL, apiKeyEnv }: ModelChoice,
  environment: Environment,
  stored: StoredKeys,
): ProviderName {
  const set = environment.LOOPFUSE_PROVIDER;
  if (set !== undefined && set !== '') return set as ProviderName;
  if (baseURL !== undefined || environment.LOOPFUSE_BASE_URL) return 'openai-compatible';
  const names = Object.keys(providers) as (keyof typeof providers)[];
  const wanted = model?.trim() || environment.LOOPFUSE_MODEL || '';
  const byModel = names.find((name) => providers[name].models.test(wanted));
  if (byModel !== undefined) return byModel;
  const byKey = names.find((name) => providerFacts[name].keys.some((key) => stored[key] ?? environment[key]));
  if (byKey !== undefined && apiKeyEnv === undefined) return byKey;
  throw new ModelError({ type: 'provider' });
}

/** A stored key has precedence over the environment, but only for the addresses that it was stored for. */
function keyOf({ address, choice, environment, stored }: Wanted, usual: readonly string[]): string | undefined {
  if (choice.apiKey) return choice.apiKey;
  const origin = originOf(address);
  let elsewhere: string | undefined;
  for (const variable of choice.apiKeyEnv === undefined ? usual : [choice.apiKeyEnv]) {
    const kept = stored[variable];
    if (kept?.addresses.includes(origin)) return kept.key;
    if (environment[variable]) return environment[variable];
    if (kept !== undefined && !kept.refused?.includes(origin)) elsewhere ??= variable;
  }
  if (elsewhere === undefined) return undefined;
  const { addresses: keptFor } = stored[elsewhere]!;
  throw new ModelError({ type: 'key-address', variable: elsewhere, address, keptFor });
}

function first(names: readonly string[], environment: Environment): string | undefined {
  return names.map((name) => environment[name]).find((value) => value !== undefined && value !== '');
}

function checkedURL(baseURL: string): string {
  if (!/^https?:\/\//i.test(baseURL) || !URL.canParse(baseURL))
    throw new ModelError({ type: 'address', given: baseURL });
  return withoutEndSlashes(baseURL);
}

/** Some programs expect the version in the address and others add it. Both are accepted. */
function withVersion(provider: keyof typeof providers, baseURL: string): string {
  const bare = withoutEndSlashes(baseURL);
  return /\/v\d\w*$/.test(bare) ? bare : `${bare}/${provider === 'google' ? 'v1beta' : 'v1'}`;
}

function withoutEndSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end--;
  return address.slice(0, end);
}
