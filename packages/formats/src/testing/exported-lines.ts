import type { AgentEvent } from 'loopfuse';
import { expect } from 'vitest';
import { fixture } from './fixtures.js';
import { type AllRead, linesOf, readAll } from './read-fixture.js';

/** Every product's fixtures hold the same trace. Checks what is read of one of them, and returns it. */
export async function expectExported(testUrl: string, file: string, id: string): Promise<AllRead> {
  const read = await readAll(fixture(testUrl, file));
  expect(read.faults).toEqual([]);
  expect(read.sessions).toMatchObject([{ session: { id, agent: 'support-agent', model: 'gpt-5-mini' } }]);
  const { session, events } = read.sessions[0]!;
  expect(session.startedAt).toBe(Date.UTC(2026, 3, 5, 10, 0, 0, 100)); // no zone is UTC
  expect(plainLines(events)).toEqual(exportedLines);
  return read;
}

const exportedLines = [
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

/** Lines without what differs between products: costs, reasons, and whether a result is an object or its JSON text. */
function plainLines(events: readonly AgentEvent[]): string[] {
  return linesOf(events).map((line) =>
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
