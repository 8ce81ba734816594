import type { Price } from './price.js';

export interface PriceTable {
  /** The day on which the prices were so, as YYYY-MM-DD. */
  readonly date: string;
  readonly models: { readonly [model: string]: Price };
}

/** List prices on a day. They change, and they are not what everybody pays: a table of one's own goes before them. */
export const priceTable: PriceTable = {
  date: '2025-11-30',
  models: {
    'claude-opus-4-5': { input: 5, output: 25, cached: 0.5 },
    'claude-opus-4-1': { input: 15, output: 75, cached: 1.5 },
    'claude-opus-4-0': { input: 15, output: 75, cached: 1.5 },
    'claude-opus-4': { input: 15, output: 75, cached: 1.5 },
    'claude-sonnet-4-5': { input: 3, output: 15, cached: 0.3 },
    'claude-sonnet-4-0': { input: 3, output: 15, cached: 0.3 },
    'claude-sonnet-4': { input: 3, output: 15, cached: 0.3 },
    'claude-3-7-sonnet': { input: 3, output: 15, cached: 0.3 },
    'claude-3-5-sonnet': { input: 3, output: 15, cached: 0.3 },
    'claude-haiku-4-5': { input: 1, output: 5, cached: 0.1 },
    'claude-3-5-haiku': { input: 0.8, output: 4, cached: 0.08 },
    'gpt-5-nano': { input: 0.05, output: 0.4, cached: 0.005 },
    'gpt-5-mini': { input: 0.25, output: 2, cached: 0.025 },
    'gpt-5': { input: 1.25, output: 10, cached: 0.125 },
    'gpt-5-codex': { input: 1.25, output: 10, cached: 0.125 },
    'gpt-4.1-nano': { input: 0.1, output: 0.4, cached: 0.025 },
    'gpt-4.1-mini': { input: 0.4, output: 1.6, cached: 0.1 },
    'gpt-4.1': { input: 2, output: 8, cached: 0.5 },
    'gpt-4o-mini': { input: 0.15, output: 0.6, cached: 0.075 },
    'gpt-4o': { input: 2.5, output: 10, cached: 1.25 },
    'o4-mini': { input: 1.1, output: 4.4, cached: 0.275 },
    o3: { input: 2, output: 8, cached: 0.5 },
    'gemini-3-pro': { input: 2, output: 12, cached: 0.2 },
    'gemini-2.5-pro': { input: 1.25, output: 10, cached: 0.125 },
    'gemini-2.5-flash-lite': { input: 0.1, output: 0.4, cached: 0.01 },
    'gemini-2.5-flash': { input: 0.3, output: 2.5, cached: 0.03 },
  },
};
