import type { Price } from './price.js';

/** A price, and the day on which it was looked up, as YYYY-MM-DD. */
export interface DatedPrice extends Price {
  readonly asOf: string;
}

export interface PriceTable {
  /** The day of the latest entry. */
  readonly date: string;
  readonly models: { readonly [model: string]: DatedPrice };
}

/**
 * List prices as the providers publish them, each with the day on which it was looked up: for short prompts, without the
 * higher rates of some providers for very long ones. The README says how to update them. They change, and not everybody
 * pays them: a table of your own has precedence.
 */
export const priceTable: PriceTable = {
  date: '2026-11-16',
  models: {
    'claude-fable-5-1': { input: 10, output: 50, cached: 0.25, written: 12.5, writtenLong: 20, asOf: '2026-11-15' },
    'claude-fable-5': { input: 10, output: 50, cached: 1, written: 12.5, writtenLong: 20, asOf: '2026-11-15' },
    'claude-opus-5-5': { input: 4, output: 20, cached: 0.2, written: 5, writtenLong: 8, asOf: '2026-11-15' },
    'claude-opus-5': { input: 5, output: 25, cached: 0.5, written: 6.25, writtenLong: 10, asOf: '2026-11-15' },
    'claude-opus-4-8': { input: 5, output: 25, cached: 0.5, written: 6.25, writtenLong: 10, asOf: '2026-11-15' },
    'claude-opus-4-7': { input: 5, output: 25, cached: 0.5, written: 6.25, writtenLong: 10, asOf: '2026-11-15' },
    'claude-opus-4-6': { input: 5, output: 25, cached: 0.5, written: 6.25, writtenLong: 10, asOf: '2026-11-15' },
    'claude-opus-4-5': { input: 5, output: 25, cached: 0.5, written: 6.25, writtenLong: 10, asOf: '2026-11-15' },
    'claude-opus-4-1': { input: 15, output: 75, cached: 1.5, written: 18.75, writtenLong: 30, asOf: '2026-11-15' },
    'claude-opus-4-0': { input: 15, output: 75, cached: 1.5, written: 18.75, writtenLong: 30, asOf: '2026-11-15' },
    'claude-opus-4': { input: 15, output: 75, cached: 1.5, written: 18.75, writtenLong: 30, asOf: '2026-11-15' },
    'claude-sonnet-5-5': { input: 2, output: 10, cached: 0.2, written: 2.5, writtenLong: 4, asOf: '2026-11-15' },
    'claude-sonnet-5': { input: 2, output: 10, cached: 0.2, written: 2.5, writtenLong: 4, asOf: '2026-11-15' },
    'claude-sonnet-4-6': { input: 3, output: 15, cached: 0.3, written: 3.75, writtenLong: 6, asOf: '2026-11-15' },
    'claude-sonnet-4-5': { input: 3, output: 15, cached: 0.3, written: 3.75, writtenLong: 6, asOf: '2026-11-15' },
    'claude-sonnet-4-0': { input: 3, output: 15, cached: 0.3, written: 3.75, writtenLong: 6, asOf: '2026-11-15' },
    'claude-sonnet-4': { input: 3, output: 15, cached: 0.3, written: 3.75, writtenLong: 6, asOf: '2026-11-15' },
    'claude-3-7-sonnet': { input: 3, output: 15, cached: 0.3, written: 3.75, writtenLong: 6, asOf: '2026-11-15' },
    'claude-3-5-sonnet': { input: 3, output: 15, cached: 0.3, written: 3.75, writtenLong: 6, asOf: '2026-11-15' },
    'claude-haiku-5-5': { input: 0.1, output: 0.5, cached: 0.01, written: 0.125, writtenLong: 0.2, asOf: '2026-11-15' },
    'claude-haiku-4-5': { input: 1, output: 5, cached: 0.1, written: 1.25, writtenLong: 2, asOf: '2026-11-15' },
    'claude-3-5-haiku': { input: 0.8, output: 4, cached: 0.08, written: 1, writtenLong: 1.6, asOf: '2026-11-15' },
    'gpt-6.1-sol': { input: 2, output: 10, cached: 0.1, asOf: '2026-11-16' },
    'gpt-6-sol': { input: 2, output: 10, cached: 0.2, asOf: '2026-11-15' },
    'gpt-6-luna': { input: 0.1, output: 0.5, cached: 0.01, asOf: '2026-11-15' },
    'gpt-5.6-sol': { input: 4, output: 20, cached: 0.4, asOf: '2026-11-15' },
    'gpt-5.6-terra': { input: 2, output: 12, cached: 0.2, asOf: '2026-11-15' },
    'gpt-5.6-luna': { input: 0.2, output: 1.2, cached: 0.02, asOf: '2026-11-15' },
    'gpt-5.5': { input: 5, output: 30, cached: 0.5, asOf: '2026-11-15' },
    'gpt-5.4': { input: 2.5, output: 15, cached: 0.25, asOf: '2026-11-15' },
    'gpt-5.4-mini': { input: 0.75, output: 4.5, cached: 0.075, asOf: '2026-11-15' },
    'gpt-5.4-nano': { input: 0.2, output: 1.25, cached: 0.02, asOf: '2026-11-15' },
    'gpt-5.3-codex': { input: 1.75, output: 14, cached: 0.175, asOf: '2026-11-15' },
    'gpt-5.2': { input: 1.75, output: 14, cached: 0.175, asOf: '2026-11-15' },
    'gpt-5.2-codex': { input: 1.75, output: 14, cached: 0.175, asOf: '2026-11-15' },
    'gpt-5.1': { input: 1.25, output: 10, cached: 0.125, asOf: '2026-11-15' },
    'gpt-5.1-codex': { input: 1.25, output: 10, cached: 0.125, asOf: '2026-11-15' },
    'gpt-5': { input: 1.25, output: 10, cached: 0.125, asOf: '2026-11-15' },
    'gpt-5-codex': { input: 1.25, output: 10, cached: 0.125, asOf: '2026-11-15' },
    'gpt-5-mini': { input: 0.25, output: 2, cached: 0.025, asOf: '2026-11-15' },
    'gpt-5-nano': { input: 0.05, output: 0.4, cached: 0.005, asOf: '2026-11-15' },
    'gpt-4.1': { input: 2, output: 8, cached: 0.5, asOf: '2026-11-15' },
    'gpt-4.1-mini': { input: 0.4, output: 1.6, cached: 0.1, asOf: '2026-11-15' },
    'gpt-4.1-nano': { input: 0.1, output: 0.4, cached: 0.025, asOf: '2026-11-15' },
    'gpt-4o': { input: 2.5, output: 10, cached: 1.25, asOf: '2026-11-15' },
    'gpt-4o-mini': { input: 0.15, output: 0.6, cached: 0.075, asOf: '2026-11-15' },
    'o4-mini': { input: 1.1, output: 4.4, cached: 0.275, asOf: '2026-11-15' },
    o3: { input: 2, output: 8, cached: 0.5, asOf: '2026-11-15' },
    'gemini-3.8-flash': { input: 0.75, output: 3.75, cached: 0.075, asOf: '2026-11-15' },
    'gemini-3.7-flash': { input: 0.75, output: 3.75, cached: 0.075, asOf: '2026-11-15' },
    'gemini-3.6-flash': { input: 0.75, output: 3.75, cached: 0.075, asOf: '2026-11-15' },
    'gemini-3.5-flash': { input: 1.5, output: 9, cached: 0.15, asOf: '2026-11-15' },
    'gemini-3.1-pro': { input: 2, output: 12, cached: 0.2, asOf: '2026-11-15' },
    'gemini-3-pro': { input: 2, output: 12, cached: 0.2, asOf: '2026-11-15' },
    'gemini-3-flash': { input: 0.5, output: 3, cached: 0.05, asOf: '2026-11-16' },
    'gemini-2.5-pro': { input: 1.25, output: 10, cached: 0.125, asOf: '2026-11-15' },
    'gemini-2.5-flash': { input: 0.3, output: 2.5, cached: 0.03, asOf: '2026-11-15' },
    'gemini-2.5-flash-lite': { input: 0.1, output: 0.4, cached: 0.01, asOf: '2026-11-15' },
    'grok-4.6': { input: 2, output: 6, cached: 0.5, asOf: '2026-11-15' },
    'grok-4.5': { input: 2, output: 6, cached: 0.5, asOf: '2026-11-15' },
    'kimi-k3': { input: 3, output: 15, cached: 0.3, asOf: '2026-11-15' },
  },
};
