import type { ProviderName } from './provider-names.js';

/** What a user interface shows about a provider when the user chooses one. */
export interface ProviderFacts {
  readonly label: string;
  /** The model that is suggested, and used where a provider but no model is named. Absent where only the server knows its models. */
  readonly defaultModel?: string;
  /** The variables that can hold the key, the usual one first. */
  readonly keys: readonly string[];
  /** Whether requests need a key. A local server often needs none. */
  readonly needsKey: boolean;
  /** Whether the address must be given, because there is no usual one. */
  readonly needsAddress: boolean;
}

/** One table for every user interface, in the order in which providers are offered. */
export const providerFacts: { readonly [Name in ProviderName]: ProviderFacts } = {
  anthropic: {
    label: 'Anthropic',
    defaultModel: 'claude-sonnet-5-5',
    keys: ['ANTHROPIC_API_KEY'],
    needsKey: true,
    needsAddress: false,
  },
  openai: {
    label: 'OpenAI',
    defaultModel: 'gpt-5.6-terra',
    keys: ['OPENAI_API_KEY'],
    needsKey: true,
    needsAddress: false,
  },
  google: {
    label: 'Google',
    defaultModel: 'gemini-3.8-flash',
    keys: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
    needsKey: true,
    needsAddress: false,
  },
  'openai-compatible': {
    label: 'OpenAI-compatible',
    keys: ['LOOPFUSE_API_KEY', 'OPENAI_API_KEY'],
    needsKey: false,
    needsAddress: true,
  },
};
