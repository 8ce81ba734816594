export const providerNames = ['openai', 'openai-compatible', 'anthropic', 'google'] as const;
export type ProviderName = (typeof providerNames)[number];
