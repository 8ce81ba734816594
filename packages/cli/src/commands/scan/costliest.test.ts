import { defineDetector, type LoopKind, loopKinds } from 'loopfuse';
import { expect, test } from 'vitest';
import { fakeTerminal } from '../../../testing/terminal.js';
import { inTime } from '../../recorded/amounts.js';
import { loadPrices } from '../../recorded/prices.js';
import { scanSession } from '../../recorded/session-report.js';
import { widthOf } from '../../terminal/width.js';
import { byCost, costliest } from './costliest.js';
import { prevention, remedies } from './remedies.js';
import { type Row, rowsOf } from './table.js';

/** A loop of so many calls after the first, each of a million tokens, which is seen at the third. */
function rowOf(
  id: string,
  calls: number,
  { agent = 'codex', model = 'gpt-4.1', kind = 'stall' as LoopKind } = {},
): Row {
  const seer = defineDetector({
    name: 'seer',
    reads: ['tool-result'],
    start: () => null,
    observe: (_state, _event, seq) =>
      seq < 7
        ? undefined
        : { kind, status: 'looping' as const, onset: 3, confidence: 0.9, evidence: { id }, tools: ['t'] },
    explain: (evidence) => `what happened in ${(evidence as { id: string }).id}`,
  });
  const session = { id, agent, model, format: 'trace', file: `${id}.jsonl`, events: 0 };
  const scan = scanSession(session, [seer], () => {});
  for (let k = 0; k <= calls; k++) {
    scan.observe({ type: 'tool-call', id: `c${k}`, tool: 't', input: {} });
    scan.observe({ type: 'tool-result', id: `c${k}`, output: '' });
    scan.observe({ type: 'usage', inputTokens: 1e6, outputTokens: 0 });
  }
  return rowsOf(scan.end(), false, loadPrices())[0]!;
}

const options = { command: 'loopfuse', commands: new Set(['scan', 'watch', 'install', 'run']) };

test('the three costliest are described in words, each with its remedy, the line that breaks it, and what that saves', () => {
  const rows = [rowOf('small', 4), rowOf('large', 40), rowOf('middle', 9), rowOf('tiny', 3)];
  const text = costliest(rows, fakeTerminal({ columns: 200 }), options);
  expect([...text.matchAll(/what happened in (\w+)/g)].map(([, id]) => id)).toEqual(['large', 'middle', 'small']);
  expect(text).toContain('≈$80.00, 40 calls');
  expect(text).toContain(remedies.stall);
  expect(text).toContain('loopfuse install codex (sees it 38 calls and ≈$76.00 earlier)');
});

test('what has a price goes before what has none, and of those without, more calls first', () => {
  const rows = [rowOf('free', 50, { model: 'own' }), rowOf('priced', 3), rowOf('freer', 60, { model: 'own' })];
  expect(rows.sort(byCost).map(({ session }) => session)).toEqual(['priced', 'freer', 'free']);
});

test.each([
  ['claude-code', ['install', 'run'], 'loopfuse install claude-code'],
  ['copilot-cli', ['install', 'run'], 'loopfuse install copilot'],
  ['claude-code', ['run'], 'loopfuse run -- claude'],
  ['aider', ['install', 'run'], 'loopfuse run -- aider'],
  ['my-own-agent', ['install', 'run'], 'loopfuse watch --notify'],
  ['claude-code', [], 'loopfuse watch --notify'],
])('a loop of %s, with the commands %j, is broken by "%s"', (agent, commands, line) => {
  expect(prevention(agent, new Set(commands))).toBe(line);
});

test('every kind of loop has a remedy, and no line is wider than the terminal', () => {
  for (const kind of Object.keys(loopKinds) as LoopKind[]) {
    const text = costliest([rowOf('x', 9, { kind })], fakeTerminal({ columns: 60 }), options);
    expect(text).toContain(remedies[kind].slice(0, 20));
    for (const line of text.split('\n')) if (!line.startsWith('1.')) expect(widthOf(line)).toBeLessThanOrEqual(60);
  }
});

test.each([
  [0, '0.0 min'],
  [0.01, '<0.1 min'],
  [5.64, '5.6 min'],
  [59.4, '59 min'],
  [90, '1.5 h'],
  [47 * 60, '47 h'],
  [3 * 24 * 60, '3.0 days'],
])('%d minutes are %s', (minutes, words) => {
  expect(inTime(minutes)).toBe(words);
});
