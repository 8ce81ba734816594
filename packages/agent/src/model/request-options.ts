import type { ProviderOptions } from '../turn/stream-turn.js';

export const reasoningLevels = ['off', 'low', 'medium', 'high'] as const;
export type Reasoning = (typeof reasoningLevels)[number];

/** Options of requests to a model. */
export interface RequestSettings {
  /** How much the model thinks before it answers; by default the provider decides. Thoughts are shown unless it is `off`. */
  readonly reasoning?: Reasoning | undefined;
  /** Whether the provider caches its input for a while, which costs less; on by default. */
  readonly promptCaching?: 'on' | 'off' | undefined;
}

/** Makes the options of a request to a model: its thoughts, which the loop guard reads, and its cache. */
export type RequestOptions = (model: string, settings: RequestSettings) => ProviderOptions;

const budgets = { low: 2048, medium: 8192, high: 24_576 };

/** Models that think: from 3.7 on, and all that are named after their size. */
const claudeThinks = /^claude-(?:3-7-|(?:opus|sonnet|haiku)-\d)/i;

export const anthropicOptions: RequestOptions = (model, { reasoning = 'medium', promptCaching = 'on' }) => ({
  anthropic: {
    ...(reasoning === 'off' || !claudeThinks.test(model)
      ? {}
      : { thinking: { type: 'enabled', budgetTokens: budgets[reasoning] } }),
    ...(promptCaching === 'off' ? {} : { cacheControl: { type: 'ephemeral' } }),
  },
});

/** Nothing is stored at the provider: a turn that was cut off could not be referenced anyway. Its cache works by itself. */
export const openaiOptions: RequestOptions = (model, { reasoning }) => ({
  openai: {
    store: false,
    ...(reasoning === 'off' || !openaiThinks.test(model) ? {} : { reasoningSummary: 'auto' }),
    ...(reasoning === undefined || reasoning === 'off' || !openaiThinks.test(model)
      ? {}
      : { reasoningEffort: reasoning }),
  },
});

const openaiThinks = /^(?:o\d|gpt-[5-9]|codex)/i;
const geminiThinks = /^gemini-(?:2\.5|[3-9])/i;

/** Its cache works by itself. */
export const googleOptions: RequestOptions = (model, { reasoning }) => ({
  google: reasoning === 'off' || !geminiThinks.test(model) ? {} : { thinkingConfig: { includeThoughts: true } },
});
