import { readFileSync } from 'node:fs';
import { changes, type Grafted, grafted, grafts, manyChanges, mixes } from '@loopfuse/testkit';
import { type AgentEvent, createWatch, defineDetector, type Step } from 'loopfuse';
import { balanced } from 'loopfuse/presets';
import { describe, expect, test } from 'vitest';

/*
 * Changes of a session that a reader would not care about must not change what is thought of it. Verdicts are counted
 * over the whole corpus: single sessions may fall on the other side of a threshold.
 */
const corpus = new URL('../../../../corpus/', import.meta.url);

interface Label {
  readonly file: string;
  readonly verdict: 'loop' | 'clean' | 'borderline';
  readonly loops: readonly { onset: number; end: number }[];
}

const sessions = readFileSync(new URL('labels.jsonl', corpus), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Label)
  .filter(({ verdict }) => verdict !== 'borderline')
  .map((label) => ({ label, events: eventsOf(label.file) }));

describe('balanced thinks the same of a session', () => {
  const unchanged = scoreOf((events) => [...events]);

  test.each(changes.map(({ name, apply }) => [name, apply] as const))('with %s', (_, apply) => {
    expect(scoreOf(apply)).toBeGreaterThan(unchanged - 0.05);
  });

  test(`mostly, with ${manyChanges.name}: its loops are short, and each change costs a round`, () => {
    expect(scoreOf(manyChanges.apply)).toBeGreaterThan(unchanged - 0.22);
  });
});

const clean = sessions.filter(({ label, events }) => label.verdict === 'clean' && alarmsOf(events).length === 0);

/*
 * Honest work that begins to go round is a loop, wherever it begins; but for waits, moves and servers that are busy, which
 * may be repeated for long.
 */
describe('balanced sees work go round', () => {
  const places = 4;
  const rounds = 6;

  test.each(grafts.map((graft) => [graft.name, graft] as const))('%s', (_, graft) => {
    const missed: string[] = [];
    let all = 0;
    for (const { label, events } of clean)
      for (let place = 0; place < places; place++) {
        const round = grafted(events, graft, rounds, (count) => Math.floor(((place + 0.5) * count) / places));
        if (round === undefined || mayGoOn(round)) continue;
        const alarm = alarmsOf(round.events)[0];
        if (alarm !== undefined && alarm < round.from) continue;
        all++;
        if (alarm === undefined) missed.push(`${label.file} at ${round.from}`);
      }
    expect(all).toBeGreaterThan(100);
    expect(missed.length / all, missed.join('\n')).toBeLessThan(graft.apply ? 0.1 : 0.02);
  });
});

describe('balanced leaves honest work alone', () => {
  /** Sessions that were written to be nearly a loop are one when they come twice, or when nobody asked for it again. */
  const known = new Map([
    ['two sessions in turn, event by event', 2],
    ['the same session twice', 25],
    ['no prompts', 3],
  ]);

  test.each(mixes.map((one) => [one.name, one] as const))('with %s', (name, { takes, mix }) => {
    const stopped = clean.filter((_, k) => {
      const taken = Array.from({ length: takes }, (__, back) => clean.at(k - back)!.events);
      return alarmsOf(mix(taken)).length > 0;
    });
    expect(stopped.length, stopped.map(({ label }) => label.file).join('\n')).toBeLessThanOrEqual(known.get(name) ?? 0);
  });
});

/** Whether one of the steps of a round may be repeated for long. */
function mayGoOn({ events, from, length }: Grafted): boolean {
  const steps: Step[] = [];
  const list = defineDetector({
    name: 'list',
    reads: ['step'],
    start: () => ({}),
    observe(_, step) {
      steps.push(step);
      return undefined;
    },
    explain: () => '',
  });
  const watch = createWatch({ detectors: [list] });
  for (const event of events) watch.observe(event);
  return steps.some(
    ({ callSeq, effect, error }) =>
      callSeq >= from &&
      callSeq < from + length &&
      (['poll', 'act'].includes(effect) || error?.infrastructure === true),
  );
}

/** F1 over the corpus: a loop is caught within its bounds, and clean sessions have no alarm. */
function scoreOf(apply: (events: readonly AgentEvent[]) => readonly AgentEvent[]): number {
  let [caught, missed, mistaken] = [0, 0, 0];
  for (const { label, events } of sessions) {
    const alarms = alarmsOf(apply(events));
    const inside = (seq: number) => label.loops.some(({ onset, end }) => seq >= onset && seq <= end + 2);
    if (alarms.some((seq) => !inside(seq))) mistaken++;
    if (label.verdict === 'loop' && alarms.some(inside)) caught++;
    else if (label.verdict === 'loop') missed++;
  }
  return (2 * caught) / (2 * caught + missed + mistaken);
}

function alarmsOf(events: readonly AgentEvent[]): number[] {
  const watch = createWatch({ detectors: balanced() });
  return events.flatMap((event) => {
    const verdict = watch.observe(event);
    return verdict.status === 'looping' && verdict.findings.some(({ again }) => again === 0) ? [watch.seq - 1] : [];
  });
}

function eventsOf(name: string): readonly AgentEvent[] {
  const lines = readFileSync(new URL(`${name}.jsonl`, corpus), 'utf8')
    .trim()
    .split('\n');
  return lines.slice(1).map((line) => JSON.parse(line) as AgentEvent);
}
