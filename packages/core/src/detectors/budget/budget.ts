import { defineDetector } from '../../detector.js';
import { requireInteger, requireNumber } from '../../options.js';
import { counted } from '../../tally.js';
import { keep } from '../evidence.js';

/** Caps for one request of the user; a measure without a cap is not limited. */
export interface Caps {
  readonly turns?: number;
  readonly calls?: number;
  readonly tokens?: number;
  /** In the currency in which the host counts `usage.cost`. */
  readonly cost?: number;
}

export interface BudgetOptions {
  /** Above one of these the run ends. */
  readonly hard?: Caps;
  /** Above one of these the run ends only if calls repeat. */
  readonly soft?: Caps;
  /** How many times one call must have been made for that. */
  readonly repeats?: number;
}

type Measure = keyof Caps;
type Evidence = { measure: Measure; cap: number; spent: number; repeats: number };

interface State {
  spent: Record<Measure, number>;
  /** The latest calls, in which repeats are counted. */
  calls: number[];
  /** Index of the first event of the request; -1 before that. */
  start: number;
  most: number;
}

const measures: readonly Measure[] = ['turns', 'calls', 'tokens', 'cost'];

/** Ends a request that has used more than a cap; above a soft cap only if its calls also repeat. */
export function budget({ hard = {}, soft = {}, repeats = 4 }: BudgetOptions = {}) {
  for (const [name, caps] of [
    ['hard', hard],
    ['soft', soft],
  ] as const) {
    for (const measure of measures)
      if (caps[measure] !== undefined) requireNumber(`budget: ${name}.${measure}`, caps[measure], 0, Number.MAX_VALUE);
  }
  requireInteger('budget: repeats', repeats, 1);
  return defineDetector<'prompt' | 'turn-start' | 'tool-call' | 'usage' | 'step', State, Evidence>({
    name: 'budget',
    options: () => ({ hard, soft, repeats }),
    reads: ['prompt', 'turn-start', 'tool-call', 'usage', 'step'],
    start,
    observe(state, reading, seq) {
      if (state.start < 0) state.start = seq;
      switch (reading.type) {
        case 'prompt':
          Object.assign(state, start(), { start: seq });
          return undefined;
        case 'turn-start':
          state.spent.turns++;
          break;
        case 'tool-call':
          state.spent.calls++;
          break;
        case 'usage':
          state.spent.tokens += counted(reading.inputTokens) + counted(reading.outputTokens);
          state.spent.cost += counted(reading.cost ?? 0);
          break;
        case 'step':
          keep(state.calls, reading.call, 64);
          state.most = Math.max(state.most, state.calls.filter((call) => call === reading.call).length);
          return undefined;
      }
      const over = exceeded(state, hard) ?? (state.most >= repeats ? exceeded(state, soft) : undefined);
      return over && { kind: 'budget', status: 'looping', onset: state.start, confidence: 1, evidence: over };
    },
    explain: ({ measure, cap, spent, repeats: most }) =>
      `The request has used ${round(spent)} of ${round(cap)} ${measure}${most >= repeats ? `, and one call alone came back ${most} times` : ''}.`,
  });
}

function start(): State {
  return { spent: { turns: 0, calls: 0, tokens: 0, cost: 0 }, calls: [], start: -1, most: 0 };
}

function exceeded({ spent, most }: State, caps: Caps): Evidence | undefined {
  const measure = measures.find((one) => spent[one] > (caps[one] ?? Number.POSITIVE_INFINITY));
  return measure && { measure, cap: caps[measure]!, spent: spent[measure], repeats: most };
}

const round = (value: number): number => Math.round(value * 100) / 100;
