import type { RecordedSession } from '@loopfuse/formats';
import fc from 'fast-check';
import { type AgentEvent, defineDetector, type Fault, type Sighting } from 'loopfuse';
import { expect, test } from 'vitest';
import { fakeTerminal } from '../../testing/terminal.js';
import { costliest } from '../commands/scan/costliest.js';
import { jsonLine } from '../commands/scan/json-line.js';
import { markdownSummary } from '../commands/scan/markdown-summary.js';
import { remedies } from '../commands/scan/remedies.js';
import { sarif } from '../commands/scan/sarif.js';
import { rowsOf, table } from '../commands/scan/table.js';
import { summary, totalsOf } from '../commands/scan/totals.js';
import { widthOf } from '../terminal/width.js';
import { loadPrices } from './prices.js';
import { type SessionReport, scanSession } from './session-report.js';

const prices = loadPrices();
const session: RecordedSession = { id: 's', agent: 'toy', format: 'trace', file: 'toy.jsonl', events: 0 };

/** A detector that fires at the results it is given. */
function parrot(name: string, sightings: Record<number, Partial<Sighting>>) {
  return defineDetector<'tool-result', Record<string, never>, { seq: number }>({
    name,
    reads: ['tool-result'],
    start: () => ({}),
    observe(_state, _event, seq) {
      const said = sightings[seq];
      if (said === undefined) return undefined;
      const evidence = { seq };
      return { kind: 'stall', status: 'looping', onset: 2, confidence: 0.5, tools: ['t'], ...said, evidence };
    },
    explain: ({ seq }) => `${name} at ${seq}`,
  });
}

function report(detectors: readonly ReturnType<typeof parrot>[], results = 10): SessionReport {
  const faults: Fault[] = [];
  const scan = scanSession(session, detectors, (fault) => faults.push(fault));
  for (let k = 0; k < results; k++) {
    scan.observe({ type: 'tool-call', id: `c${k}`, tool: 't', input: {} });
    scan.observe({ type: 'tool-result', id: `c${k}`, output: '' });
  }
  expect(faults).toEqual([]);
  return scan.end();
}

test('a loop that took far more calls than the rounds that its detector could count says so', () => {
  const counts = (times: number, cycle: string[]) =>
    defineDetector<'tool-result', Record<string, never>, { times: number; cycle: string[] }>({
      name: 'counts',
      reads: ['tool-result'],
      start: () => ({}),
      observe: (_state, _event, seq) => ({
        ...{ kind: 'stall', status: seq < 3 ? 'suspect' : 'looping', onset: 2, confidence: 0.5, tools: ['t'] },
        evidence: { times, cycle },
      }),
      explain: (evidence) => `It went round ${evidence.times} times.`,
    }) as unknown as ReturnType<typeof parrot>;
  const message = (times: number, cycle: string[] = []) => report([counts(times, cycle)], 12).loops.at(-1)?.message;
  expect(message(4)).toBe('It went round 4 times. In all, the loop took 11 calls.');
  expect(message(8)).toBe('It went round 8 times.');
  expect(message(4, ['a', 'b'])).toBe('It went round 4 times.');
});

test('a loop that goes on is one entry, as it was first seen, with how far it went and what it cost by then', () => {
  const { loops, events, calls } = report([
    parrot('a', { 5: {}, 7: {}, 9: { confidence: 0.9 }, 11: { confidence: 0.7 } }),
  ]);
  expect({ events, calls }).toEqual({ events: 20, calls: 10 });
  expect(loops).toHaveLength(1);
  expect(loops[0]).toMatchObject({
    finding: { seq: 5, again: 0, waste: { calls: 2 } },
    message: 'a at 11',
    confidence: 0.7,
    until: 11,
    spent: { calls: 2 },
    spentUntil: { calls: 5 },
  });
});

test('a second detector that sees the same loop continues it, with the description of the first', () => {
  const { loops } = report([parrot('a', { 7: {} }), parrot('b', { 9: { confidence: 1 } })]);
  expect(loops).toMatchObject([{ message: 'a at 7', until: 9, spentUntil: { calls: 4 } }]);
});

test('if the first detector stopped early, the description is that of the one that saw the longest stretch', () => {
  const { loops } = report([
    parrot('a', { 5: {} }),
    parrot('b', { 15: { confidence: 0.6 } }),
    parrot('c', { 17: { onset: 12 } }),
  ]);
  expect(loops).toMatchObject([{ message: 'b at 15', confidence: 0.6, until: 17, spentUntil: { calls: 8 } }]);
});

test('a loop is told as the kind that it was seen as first, though other kinds were seen in it', () => {
  const { loops } = report([
    parrot('a', {
      5: { kind: 'repeated-failure', confidence: 0.9 },
      13: { kind: 'repeated-failure', confidence: 0.95 },
      15: { kind: 'stall', confidence: 0.8 },
      17: { kind: 'repeated-failure', onset: 12 },
    }),
  ]);
  expect(loops).toMatchObject([{ kind: 'repeated-failure', message: 'a at 13', confidence: 0.95, until: 17 }]);
});

test('if another kind was seen for most of a loop, kind, detector and tools are those of the description', () => {
  const seen = report([
    parrot('a', { 3: { kind: 'same-outcome' } }),
    parrot('b', { 17: { kind: 'cycle', tools: ['t', 'u'] } }),
  ]);
  const told = { kind: 'cycle', detector: 'b', tools: ['t', 'u'], message: 'b at 17' };
  expect(seen.loops).toMatchObject([{ finding: { kind: 'same-outcome', seq: 3 }, ...told }]);
  expect(JSON.parse(jsonLine(seen, prices)).findings).toMatchObject([{ ...told, seq: 3 }]);
  const rows = rowsOf(seen, false, prices);
  expect(table(rows, fakeTerminal())).toMatch(/cycle[\s\S]*b at 17[\s\S]* b, 50 % sure/);
  expect(JSON.parse(sarif(rows, '/')).runs[0].results).toMatchObject([{ ruleId: 'cycle' }]);
  expect(markdownSummary(rows, 1)).toContain('**cycle**');
  expect(costliest(rows, fakeTerminal(), { command: 'loopfuse', commands: new Set() })).toContain(
    remedies.cycle.slice(0, 30),
  );
});

test('a loop of text beside a loop of calls is not charged with what lies in both', () => {
  const { loops } = report([parrot('a', { 9: {} }), parrot('b', { 13: { tools: [], onset: 6 } })]);
  expect(loops.map(({ spentUntil }) => spentUntil.calls)).toEqual([4, 2]);
});

test('a suspicion that becomes a loop is reported twice, and shown once', () => {
  const both = report([parrot('a', { 5: { status: 'suspect' }, 7: { status: 'looping' } })]);
  expect(both.loops.map(({ finding, confirmed }) => [finding.status, confirmed])).toEqual([
    ['suspect', true],
    ['looping', false],
  ]);
  expect(rowsOf(both, true, prices)).toHaveLength(1);
  expect(JSON.parse(jsonLine(both, prices)).findings).toHaveLength(2);
});

test('a suspicion that stays one is shown when asked for', () => {
  const doubtful = report([parrot('a', { 5: { status: 'suspect' } })]);
  expect(rowsOf(doubtful, false, prices)).toEqual([]);
  expect(table(rowsOf(doubtful, true, prices), fakeTerminal())).toContain('stall?');
  const totals = totalsOf([doubtful], prices);
  const read = { files: 1, copies: 0 };
  expect(summary(totals, read, fakeTerminal(), false, prices)).toContain('1 suspicion besides; --suspects shows it.');
  expect(summary(totals, read, fakeTerminal(), true, prices)).not.toContain('besides');
});

test('two loops, one after the other, are two entries', () => {
  const { loops } = report([parrot('a', { 5: {}, 7: {}, 15: { onset: 12 }, 17: { onset: 12 } })]);
  expect(loops.map(({ finding, until }) => [finding.onset, until])).toEqual([
    [2, 7],
    [12, 17],
  ]);
});

test('no table is wider than the terminal, whatever is in it', () => {
  const words = fc.string({ maxLength: 80 });
  fc.assert(
    fc.property(words, words, words, words, fc.integer({ min: 70, max: 120 }), (id, agent, file, message, columns) => {
      const { loops, ...rest } = report([parrot('a', { 5: {} })]);
      const rows = rowsOf(
        {
          ...rest,
          session: { ...session, id, agent, file },
          loops: loops.map((loop) => ({ ...loop, message })),
        },
        false,
        prices,
      );
      for (const line of table(rows, fakeTerminal({ columns })).split('\n'))
        expect(widthOf(line)).toBeLessThanOrEqual(columns);
    }),
    { numRuns: 50 },
  );
});

test('an event of the wrong shape is a fault, and the rest is watched', () => {
  const faults: Fault[] = [];
  const scan = scanSession(session, [], (fault) => faults.push(fault));
  scan.observe({ type: 'text' } as AgentEvent);
  scan.observe({ type: 'prompt' });
  expect(faults).toMatchObject([{ where: 'event', seq: 0 }]);
  expect(scan.end()).toMatchObject({ events: 2, loops: [] });
});
