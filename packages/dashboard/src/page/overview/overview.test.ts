import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LoopSummary, LoopWaste, SessionSummary } from '../../report.js';
import { barsOf, columnsOf } from './bars.js';
import { causesOf, filtersOf } from './causes.js';
import { csvOf, jsonOf } from './downloads.js';
import { type Facet, type Filters, isNarrowed, noFilters, toggled, wanted } from './filters.js';
import { measured } from './measure.js';
import { rowOf } from './row.js';
import { sorted } from './sort.js';
import { linesOf, tellingGroup } from './team-lines.js';
import { basisOf, shareInWords, shareOf, totalsOf } from './totals.js';
import { trendOf } from './trend.js';

const at = Date.UTC(2026, 0, 31, 12);
const waste: fc.Arbitrary<LoopWaste> = fc.record(
  {
    calls: fc.nat({ max: 99 }),
    characters: fc.nat({ max: 99 }),
    tokens: fc.nat({ max: 99 }),
    cost: fc.nat({ max: 99 }),
    minutes: fc.nat({ max: 99 }),
  },
  { requiredKeys: ['calls', 'characters'] },
);
const loop: fc.Arbitrary<LoopSummary> = fc.record({
  kind: fc.constantFrom('cycle', 'chanting'),
  status: fc.constantFrom('suspect' as const, 'looping' as const),
  detector: fc.constant('d'),
  onset: fc.constant(1),
  seq: fc.constant(2),
  until: fc.constant(3),
  tools: fc.subarray(['read', 'bash']),
  confidence: fc.constant(0.9),
  message: fc.constantFrom('It went round.', 'Again and again.'),
  waste,
});
const summary: fc.Arbitrary<SessionSummary> = fc.record(
  {
    id: fc.string(),
    agent: fc.constantFrom('codex', 'pi'),
    file: fc.constant('a.jsonl'),
    model: fc.constantFrom('small', 'large'),
    project: fc.constantFrom('/a', '/b'),
    startedAt: fc.oneof(
      fc.nat({ max: 40 }).map((days) => at + days * 86_400_000),
      fc.integer({ min: -9e15, max: 9e15 }),
    ),
    events: fc.nat(),
    calls: fc.nat({ max: 999 }),
    used: fc.record({ tokens: fc.nat({ max: 9999 }), cost: fc.nat({ max: 9999 }) }, { requiredKeys: [] }),
    author: fc.constantFrom('ada', 'bob'),
    loops: fc.array(loop, { maxLength: 3 }),
  },
  { requiredKeys: ['id', 'agent', 'file', 'events', 'calls', 'used', 'loops'] },
);
const rows = fc.array(summary).map((summaries) => summaries.map(rowOf));
const filters: fc.Arbitrary<Filters> = fc.record({
  agent: fc.subarray(['codex', 'pi', 'none']),
  project: fc.subarray(['/a', 'unknown']),
  author: fc.subarray(['ada']),
  model: fc.subarray(['small', 'large']),
  tool: fc.subarray(['read', 'bash']),
  kind: fc.subarray(['cycle', 'chanting']),
  words: fc.constantFrom('', 'round', 'AGAIN and'),
  from: fc.constantFrom(undefined, '2026-02-02'),
  to: fc.constantFrom(undefined, '2026-02-20'),
  only: fc.constantFrom('everything' as const, 'loops' as const, 'suspicions' as const),
  minCalls: fc.constantFrom(0, 5),
});
const facets: readonly Facet[] = ['agent', 'project', 'author', 'model', 'tool', 'kind'];

test('a filter lets through what it lets through alone, and taking one away lets no less through', () => {
  fc.assert(
    fc.property(rows, filters, fc.constantFrom(...facets), (all, chosen, facet) => {
      const found = wanted(all, chosen);
      expect(found).toEqual(all.filter((row) => wanted([row], chosen).length === 1));
      expect(wanted(all, chosen, facet)).toEqual(wanted(all, { ...chosen, [facet]: [] }));
      expect(wanted(all, chosen, facet)).toEqual(expect.arrayContaining([...found]));
    }),
  );
});

test('no filter selects all rows; adding and removing a value changes nothing', () => {
  fc.assert(
    fc.property(rows, filters, (all, chosen) => {
      expect(wanted(all, noFilters)).toBe(all);
      expect(isNarrowed(noFilters)).toBe(false);
      expect(toggled(toggled(chosen, 'agent', 'new'), 'agent', 'new')).toEqual(chosen);
      expect(isNarrowed(toggled(noFilters, 'tool', 'read'))).toBe(true);
    }),
  );
});

test('the bars of agents add up to the total, and say where a part is unknown', () => {
  fc.assert(
    fc.property(rows, fc.constantFrom('sessions' as const, 'loops' as const, 'cost' as const), (all, measure) => {
      const bars = barsOf(all, 'agent', measure);
      const amounts = all.map((row) => measured(row, measure));
      expect(bars.reduce((sum, { amount }) => sum + amount, 0)).toBe(
        amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0),
      );
      expect(bars.some(({ atLeast }) => atLeast)).toBe(amounts.includes(undefined));
    }),
  );
});

test('columns have no gaps, are limited in number, and contain every session of a known day', () => {
  fc.assert(
    fc.property(rows, (all) => {
      const columns = columnsOf(all, 'sessions');
      expect(columns.length).toBeLessThanOrEqual(62);
      expect(columns.reduce((sum, { sessions }) => sum + sessions, 0)).toBe(
        all.filter(({ day }) => day !== undefined).length,
      );
      for (const [k, { from }] of columns.entries())
        if (k > 0) expect(Date.parse(from) - Date.parse(columns[k - 1]!.to)).toBe(86_400_000);
    }),
  );
});

test('sorting loses nothing, and unknown values come last in both directions', () => {
  fc.assert(
    fc.property(rows, fc.boolean(), fc.constantFrom('cost' as const, 'when' as const), (all, descending, by) => {
      const order = sorted(all, { by, descending });
      expect(new Set(order)).toEqual(new Set(all));
      const values = order.map(({ waste, at }) => (by === 'cost' ? waste.cost : at));
      const known = values.filter((value) => value !== undefined);
      expect(values.slice(0, known.length)).toEqual([...known].sort((a, b) => (descending ? b - a : a - b)));
    }),
  );
});

test('totals exclude suspicions, and a cost that no loop has is unknown, not zero', () => {
  fc.assert(
    fc.property(rows, (all) => {
      const { loops, suspicions, waste, withoutCost } = totalsOf(all);
      expect(loops + suspicions).toBe(all.reduce((sum, { session }) => sum + session.loops.length, 0));
      expect(waste.cost === undefined).toBe(withoutCost === loops);
    }),
  );
});

test('every loop has one cause, the causes add up to all loops, and a cause selects its sessions', () => {
  fc.assert(
    fc.property(rows, (all) => {
      const totals = totalsOf(all);
      const { loops, waste } = totals;
      const basis = basisOf(totals);
      const causes = causesOf(all, basis);
      expect(causes.reduce((sum, cause) => sum + cause.loops, 0)).toBe(loops);
      expect(causes.reduce((sum, cause) => sum + cause.calls, 0)).toBe(waste.calls);
      expect(causes.reduce((sum, { cost }) => sum + (cost ?? 0), 0)).toBe(waste.cost ?? 0);
      for (const cause of causes) {
        const led = wanted(all, filtersOf(cause));
        expect(led.length).toBeGreaterThanOrEqual(cause.sessions);
        expect(led.flatMap(({ looping }) => looping)).toContain(cause.example);
      }
      for (const [k, cause] of causes.entries())
        if (k > 0) expect(cause[basis] ?? 0).toBeLessThanOrEqual(causes[k - 1]![basis] ?? 0);
    }),
  );
});

test('the lines for a team add up to all sessions, however they are grouped', () => {
  fc.assert(
    fc.property(
      rows,
      fc.constantFrom('project' as const, 'model' as const, 'agent' as const, 'author' as const),
      (all, group) => {
        const lines = linesOf(all, group);
        expect(lines.reduce((sum, { totals }) => sum + totals.sessions, 0)).toBe(all.length);
        expect(lines.reduce((sum, { totals }) => sum + totals.waste.calls, 0)).toBe(totalsOf(all).waste.calls);
      },
    ),
  );
});

test('a share is at most 1, and undefined without loops', () => {
  fc.assert(
    fc.property(rows, (all) => {
      const totals = totalsOf(all);
      const share = shareOf(totals);
      if (totals.loops === 0) expect(share).toBeUndefined();
      if (share !== undefined) expect(share.part >= 0 && share.part <= 1).toBe(true);
    }),
  );
});

test('a share is one of cost only if the cost of half of the loops is known', () => {
  const [priced, other] = spent([4, 4]);
  const unpriced = (row: typeof other) => {
    const { waste, ...loop } = row!.session.loops[0]!;
    return rowOf({ ...row!.session, used: {}, loops: [{ ...loop, waste: { calls: 3, characters: 0 } }] }, 1);
  };
  expect(shareOf(totalsOf([priced!, unpriced(other)]))).toEqual({ part: 0.4, of: 'spend' });
  const many = totalsOf([priced!, unpriced(other), unpriced(other)]);
  expect(shareOf(many)).toEqual({ part: 9 / 27, of: 'calls' });
});

test('a share is unknown, not zero, if there are loops and no recorded usage', () => {
  const [looping, clean] = spent([4, 0]).map(({ session }) => session);
  const [loop] = looping!.loops;
  const unknown = { ...looping!, used: {}, calls: 0, loops: [{ ...loop!, waste: { calls: 0, characters: 900 } }] };
  const words = (session: SessionSummary) => shareInWords(totalsOf([rowOf(session, 0)]));
  expect([looping!, clean!, unknown].map(words)).toEqual(['40 % of spend', '0 %', 'unknown']);
});

test('the table for teams starts with a group that differs', () => {
  const [one, two] = spent([1, 2]).map(({ session }) => session);
  const groupOf = (...sessions: SessionSummary[]) => tellingGroup(sessions.map(rowOf));
  expect(groupOf({ ...one!, project: '/a' }, { ...two!, model: 'large' })).toBe('project');
  expect(groupOf({ ...one!, model: 'small' }, { ...two!, model: 'large' })).toBe('model');
  expect(groupOf(one!, { ...two!, agent: 'codex' })).toBe('agent');
  expect(groupOf(one!, two!)).toBe('project');
});

/** Sessions on consecutive days that each used 10 dollars, with the given part of it in a loop. */
function spent(wasted: readonly number[]) {
  return wasted.map((cost, k) =>
    rowOf(
      {
        ...{ id: `s${k}`, agent: 'pi', file: 'a.jsonl', events: 9, calls: 9, startedAt: at + k * 86_400_000 },
        used: { cost: 10 },
        loops:
          cost === 0
            ? []
            : [
                {
                  ...{ kind: 'cycle', status: 'looping', detector: 'd', onset: 1, seq: 2, until: 3, tools: ['bash'] },
                  ...{ confidence: 1, message: '=HYPERLINK("x"), it said', waste: { calls: 3, characters: 0, cost } },
                },
              ],
      },
      k,
    ),
  );
}

test.each([
  ['better', [4, 4, 4, 4, 1, 1, 1, 1]],
  ['better', [4, 4, 4, 4, 0, 0, 0, 0]],
  ['worse', [0, 0, 0, 0, 4, 4, 4, 4]],
  ['same', [2, 2, 2, 2, 2, 2, 2, 2]],
])('the trend is %s if %j of 10 dollars went into loops, day by day', (direction, wasted) => {
  expect(trendOf(spent(wasted))).toMatchObject({ direction, of: 'spend' });
});

test('a few sessions, or a single day, show no trend', () => {
  expect(trendOf(spent([4, 4, 1]))).toBeUndefined();
  expect(trendOf(spent([4, 4, 4, 4, 1, 1, 1, 1]).map((row) => ({ ...row, day: '2026-01-31' })))).toBeUndefined();
});

test('downloads: JSON parses to the data; in CSV every loop is a line and no text is a formula', () => {
  fc.assert(
    fc.property(rows, (all) => {
      expect(JSON.parse(jsonOf(all))).toEqual(JSON.parse(JSON.stringify(all.map(({ session }) => session))));
    }),
  );
  const csv = csvOf(spent([4, 0]));
  const [head, looping, innocent, ...rest] = csv.split('\r\n');
  expect(head).toMatch(/^session,title,agent/);
  expect(looping).toContain(`"'=HYPERLINK(""x""), it said"`);
  expect(innocent).toMatch(/^s1,,pi,/);
  expect(rest).toEqual(['']);
});
