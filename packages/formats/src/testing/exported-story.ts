import type { AgentEvent } from 'loopfuse';
import { storyOf } from './retell.js';

/** What every fixture of an exported trace tells. */
export const exportedStory = [
  'prompt: Where is order 1042?',
  'turn-start',
  'text: I look it up.',
  'call call_1: find_order {"order":"1042"}',
  'usage 120 + 18',
  'turn-end',
  'result call_1 failed: no such order',
  'turn-start',
  'call call_2: find_order {"order":"#1042"}',
  'usage 150 + 16',
  'turn-end',
  'result call_2: {"order":"1042","state":"on its way"}',
  'turn-start',
  'text: It is on its way.',
  'usage 190 + 8',
  'turn-end',
];

/** A story without what products tell differently: costs, reasons, and whether a result is an object or its JSON text. */
export function plainStory(events: readonly AgentEvent[]): string[] {
  return storyOf(events).map((line) =>
    line
      .replace(/^turn-end.*/, 'turn-end')
      .replace(/ \(\d+ cached\)/, '')
      .replace(/ for \$.*/, '')
      .replace('OrderError: ', '')
      .replace(/^(result \S+: )(.*)$/s, (_, name: string, text: string) => `${name}${compact(text)}`),
  );
}

function compact(text: string): string {
  const value = JSON.parse(text) as unknown;
  return JSON.stringify(typeof value === 'string' ? JSON.parse(value) : value);
}
