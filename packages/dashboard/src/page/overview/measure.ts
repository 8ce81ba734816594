import { counted, dollars, duration, grouped, short } from '../words.js';
import type { Row } from './row.js';

/** What the length of the bars means. */
export type Measure = 'loops' | 'sessions' | 'calls' | 'tokens' | 'cost' | 'minutes';

export const measures: { readonly [measure in Measure]: string } = {
  loops: 'Loops',
  sessions: 'Sessions',
  calls: 'Calls',
  tokens: 'Tokens',
  cost: 'Cost',
  minutes: 'Time',
};

export function isMeasure(value: unknown): value is Measure {
  return typeof value === 'string' && Object.hasOwn(measures, value);
}

/** The amount of a session; undefined if it is not known. */
export function measured({ looping, waste }: Row, measure: Measure): number | undefined {
  if (measure === 'sessions') return 1;
  if (measure === 'loops') return looping.length;
  if (looping.length === 0) return 0;
  return waste[measure];
}

export function inWords(value: number, measure: Measure): string {
  if (measure === 'cost') return dollars(value);
  if (measure === 'minutes') return duration(value);
  return measure === 'tokens' ? short(value) : grouped(value);
}

/** The amount for screen readers: "3 loops", "$1.20". */
export function inFullWords(value: number, measure: Measure): string {
  if (measure === 'loops' || measure === 'sessions' || measure === 'calls') return counted(value, measure.slice(0, -1));
  return measure === 'tokens' ? `${grouped(value)} tokens` : inWords(value, measure);
}
