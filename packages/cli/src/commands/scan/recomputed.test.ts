import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSessions } from '@loopfuse/formats';
import fc from 'fast-check';
import { type AgentEvent, defineDetector } from 'loopfuse';
import { afterAll, expect, test } from 'vitest';
import { input, loopingLogs, output } from '../../../testing/looping-logs/index.js';
import { naiveWastes } from '../../../testing/naive-waste.js';
import { presets } from '../../presets.js';
import { loadPrices } from '../../recorded/prices.js';
import { type SessionReport, scanSession } from '../../recorded/session-report.js';
import { isLooping, wasteOf } from '../../recorded/waste.js';
import { jsonLine } from './json-line.js';
import { rowsOf } from './table.js';

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-recomputed-'));
afterAll(() => rmSync(folder, { recursive: true }));
const prices = loadPrices();

async function scanned(file: string): Promise<{ report: SessionReport; events: readonly AgentEvent[] }[]> {
  const all = new Map<object, { scan: ReturnType<typeof scanSession>; events: AgentEvent[] }>();
  await readSessions(file, {
    onEvent(event, session) {
      let one = all.get(session);
      if (one === undefined) {
        one = { scan: scanSession(session, presets[0]!.detectorsFor(session), () => {}), events: [] };
        all.set(session, one);
      }
      one.events.push(event);
      one.scan.observe(event);
    },
  });
  return [...all.values()].map(({ scan, events }) => ({ report: scan.end(), events }));
}

/** Every figure that is reported of the loops of a session, held against the events themselves. */
function expectRecomputed({ report, events }: { report: SessionReport; events: readonly AgentEvent[] }): void {
  const loops = report.loops.filter(isLooping).sort((a, b) => a.finding.onset - b.finding.onset);
  const spans = loops.map(({ finding: { onset, lane }, until }) => ({ onset, until, lane }));
  const naive = naiveWastes(events, spans);
  loops.forEach(({ spentUntil }, k) => {
    const { calls, characters, inputTokens, outputTokens, minutes } = spentUntil;
    const reported = { calls, characters, tokens: inputTokens + outputTokens, minutes };
    expect({ loop: k, ...reported }).toEqual({ loop: k, ...naive[k] });
  });
  const sum = (key: 'calls' | 'tokens') => naive.reduce((total, one) => total + one[key], 0);
  const waste = wasteOf(report, prices);
  expect([waste?.calls ?? 0, waste?.tokens ?? 0]).toEqual([sum('calls'), sum('tokens')]);
  expect(waste?.calls ?? 0).toBeLessThanOrEqual(report.calls);
  const json = JSON.parse(jsonLine(report, prices)) as { findings: { status: string; wasteUntil: object }[] };
  const inJson = json.findings.filter(({ status }) => status === 'looping').map(({ wasteUntil }) => wasteUntil);
  expect(rowsOf(report, false, prices).map((row) => row.waste)).toEqual(inJson);
}

const rounds = 9;

test.each(loopingLogs(rounds))(
  'the loop of a session in $format costs what its span holds',
  async ({ format, name, text }) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    const [session, ...others] = await scanned(file);
    expect(others).toEqual([]);
    expectRecomputed(session!);
    const { report } = session!;
    expect(report.session.format).toBe(format);
    expect(report.calls).toBe(rounds);
    // The first call was work; each of the others is a request of its own, whose tokens are reported before or after it.
    const repeats = rounds - 1;
    const waste = wasteOf(report, prices);
    expect(waste).toMatchObject({ calls: repeats, tokens: repeats * (input + output), minutes: repeats - 1 });
    expect(waste?.cost).toBeCloseTo((repeats * (input * 2 + output * 8)) / 1e6, 6);
    const [loop] = report.loops.filter(isLooping);
    expect(loop?.rounds).toBe(rounds);
    expect(loop?.message).toContain(`${rounds} times`);
  },
);

test('the loops of every fixture cost what their spans hold', async () => {
  const fixtures = fileURLToPath(new URL('../../../../formats/src/', import.meta.url));
  let loops = 0;
  for (const entry of readdirSync(fixtures, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.parentPath.includes('fixtures')) continue;
    for (const session of await scanned(join(entry.parentPath, entry.name))) {
      expectRecomputed(session);
      loops += session.report.loops.length;
    }
  }
  expect(loops).toBeGreaterThan(0);
});

test('whatever detectors say of whatever happens, loops cost what their spans hold, and nothing twice', () => {
  const kinds = ['turn-start', 'text', 'tool-call', 'tool-result', 'usage', 'turn-end', 'prompt'] as const;
  const step = fc.record({
    kind: fc.constantFrom(...kinds),
    lane: fc.constantFrom(undefined, undefined, 'sub'),
    size: fc.integer({ min: 1, max: 9 }),
    sees: fc.option(fc.record({ back: fc.nat(12), isText: fc.boolean(), suspects: fc.boolean() }), { freq: 3 }),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const prophet = defineDetector({
        name: 'prophet',
        reads: [...kinds],
        start: () => null,
        observe(_state, _event, seq) {
          const sees = steps[seq]?.sees;
          if (!sees) return undefined;
          const onset = steps.findIndex(({ lane }, k) => k >= seq - sees.back && lane === steps[seq]!.lane);
          return {
            ...{ kind: 'stall' as const, onset, confidence: 0.5, evidence: null },
            status: sees.suspects ? ('suspect' as const) : ('looping' as const),
            tools: sees.isText ? [] : ['t'],
          };
        },
        explain: () => '',
      });
      const events = steps.map(({ kind, lane, size }, seq) => eventOf(kind, size, seq, lane));
      const session = { id: 's', agent: 'toy', format: 'trace', file: 's', events: 0, model: 'gpt-4.1' };
      const scan = scanSession(session, [prophet], () => {});
      for (const event of events) scan.observe(event);
      expectRecomputed({ report: scan.end(), events });
    }),
  );
});

function eventOf(kind: AgentEvent['type'], size: number, seq: number, lane: string | undefined): AgentEvent {
  const stamp = { at: seq * 60_000, ...(lane === undefined ? {} : { lane }) };
  switch (kind) {
    case 'text':
      return { type: 'text', text: 'x'.repeat(size), ...stamp };
    case 'tool-call':
      return { type: 'tool-call', id: `c${seq}`, tool: 't', input: {}, ...stamp };
    case 'tool-result':
      return { type: 'tool-result', id: `c${seq - 1}`, output: '', ...stamp };
    case 'usage':
      return { type: 'usage', inputTokens: 10 * size, outputTokens: size, ...stamp };
    case 'prompt':
      return { type: 'prompt', text: 'Go on.', ...stamp };
    default:
      return { type: kind as 'turn-start' | 'turn-end', ...stamp };
  }
}
