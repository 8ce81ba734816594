import type { ProviderName } from './provider-names.js';

/** What a face tells about a provider when somebody chooses one. */
export interface ProviderFacts {
  readonly label: string;
  /** The model that is offered, and taken where a run names a provider and no model; none where only the server knows. */
  readonly defaultModel?: string;
  /** The variables that can hold the key, the usual one first. */
  readonly keys: readonly string[];
  /** Whether there is no answer without a key. A server of one's own often needs none. */
  readonly needsKey: boolean;
  /** Whether its address must be given: it has no usual one. */
  readonly needsAddress: boolean;
}

/** One table for every face, in the order in which providers are offered. */
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
