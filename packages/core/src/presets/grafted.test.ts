import { readFileSync } from 'node:fs';
import { type Grafted, grafted, grafts } from '@loopfuse/testkit';
import { type AgentEvent, createWatch, defineDetector, type Step } from 'loopfuse';
import { balanced } from 'loopfuse/presets';
import { expect, test } from 'vitest';

/*
 * Honest work that begins to go round is a loop, wherever it begins; but for waits, moves and servers that are busy, which
 * may be repeated for long. Counted over the clean sessions of the corpus, at a few places each.
 */
const corpus = new URL('../../../../corpus/', import.meta.url);
const places = 4;
const rounds = 6;

const sessions = readFileSync(new URL('labels.jsonl', corpus), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { readonly file: string; readonly verdict: string })
  .filter(({ verdict }) => verdict === 'clean')
  .map(({ file }) => ({ file, events: eventsOf(file) }));

test.each(grafts.map((graft) => [graft.name, graft] as const))('balanced sees work go round: %s', (_, graft) => {
  const missed: string[] = [];
  let all = 0;
  for (const { file, events } of sessions)
    for (let place = 0; place < places; place++) {
      const round = grafted(events, graft, rounds, (count) => Math.floor(((place + 0.5) * count) / places));
      if (round === undefined || mayGoOn(round)) continue;
      const alarm = firstAlarm(round.events);
      if (alarm !== undefined && alarm < round.from) continue;
      all++;
      if (alarm === undefined) missed.push(`${file} at ${round.from}`);
    }
  expect(all).toBeGreaterThan(100);
  expect(missed.length / all, missed.join('\n')).toBeLessThan(graft.apply ? 0.1 : 0.02);
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

function firstAlarm(events: readonly AgentEvent[]): number | undefined {
  const watch = createWatch({ detectors: balanced() });
  const seq = events.findIndex((event) => watch.observe(event).status === 'looping');
  return seq < 0 ? undefined : seq;
}

function eventsOf(name: string): readonly AgentEvent[] {
  const lines = readFileSync(new URL(`${name}.jsonl`, corpus), 'utf8')
    .trim()
    .split('\n');
  return lines.slice(1).map((line) => JSON.parse(line) as AgentEvent);
}
