import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createJudge } from '@loopfuse/judge';
import { createWatch } from 'loopfuse';
import { balanced } from 'loopfuse/presets';
import { openCorpus } from './quality-corpus.mjs';
import { everydayFiles } from './quality-measure.mjs';

/** As in the score: a loop is over this many events after its last. */
const grace = 2;

/**
 * How often the judge is asked, and how early a loop is judged, with our schedule and with the ancestors'. In place of
 * a model sits a judge who knows the labels: sure of a loop from the event on at which a careful person would be, and
 * of none elsewhere. Nobody acts on what is found, so sessions go on as they were recorded. Our schedule asks nothing
 * about loops that the engine has found by itself; so it is shown a second time without the engine ("alone").
 *
 * @typedef {import('loopfuse').AgentEvent} AgentEvent
 * @typedef {import('./score.mjs').Label} Label
 * @typedef {import('@loopfuse/judge').ScheduleName} ScheduleName
 * @typedef {{ name: string, schedule: ScheduleName, engine: boolean }} Setting
 * @typedef {{ event: AgentEvent, from: number }} Played an event, and the index of the recorded one that it is or precedes
 * @typedef {{
 *   label: Label | undefined, turns: number, asked: number, failures: number,
 *   judged: number | undefined, engine: number | undefined,
 * }} Run what came of a session; the last two are delays in events from a loop's onset
 */

const usage = `usage: judge [PATH] [options]
  PATH            a folder with labels.jsonl and traces (default: this repository's corpus)
  --everyday A,B  trace files of everyday work, in which almost nothing is a loop
  --labels-only   leave everyday work out
  --json          print the numbers as JSON`;

/** Measured wherever they exist. */
/** @type {readonly Setting[]} */
const settings = [
  { name: 'evidence', schedule: 'evidence', engine: true },
  { name: 'evidence, alone', schedule: 'evidence', engine: false },
  { name: 'ancestors', schedule: 'ancestors', engine: true },
];
const confidence = { loop: 0.95, work: 0.1 };

try {
  await run(options());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function options() {
  return parseArgs({
    allowPositionals: true,
    options: {
      everyday: { type: 'string' },
      'labels-only': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
}

/** @param {ReturnType<typeof options>} given */
async function run({ values, positionals }) {
  if (values.help) return console.log(usage);
  const folder = positionals[0] ?? fileURLToPath(new URL('../../corpus', import.meta.url));
  const corpus = openCorpus(folder);
  /** @type {Map<string, Run[]>} by setting and group */
  const runs = new Map();
  const play = async (/** @type {readonly AgentEvent[]} */ events, /** @type {Label | undefined} */ label) => {
    const played = withTurns(events);
    for (const setting of settings) {
      const key = `${setting.name} ${label === undefined ? 'everyday' : label.verdict}`;
      runs.set(key, [...(runs.get(key) ?? []), await judged(played, label, setting)]);
    }
  };
  for (const file of new Set(corpus.labels.map((label) => label.file))) {
    const labels = new Map(corpus.labels.filter((label) => label.file === file).map((label) => [label.id, label]));
    for await (const { id, events } of corpus.sessions(file, new Set(labels.keys())))
      await play(events, labels.get(id));
  }
  const known = new Set(corpus.labels.map(({ file, id }) => `${file} ${id}`));
  const everyday = (values.everyday?.split(',') ?? everydayFiles).filter((name) => corpus.has(name));
  if (!values['labels-only'])
    for (const file of everyday)
      for await (const { id, events } of corpus.sessions(file))
        if (!known.has(`${file} ${id}`)) await play(events, undefined);

  const rows = ['loop', 'clean', 'everyday'].flatMap((group) =>
    settings.flatMap(({ name }) => {
      const found = runs.get(`${name} ${group}`);
      return found === undefined ? [] : [{ group, schedule: name, ...summary(found) }];
    }),
  );
  console.log(values.json ? JSON.stringify({ folder, rows }, undefined, 2) : table(rows));
}

/**
 * One session with the engine and the judge beside it, as a host runs them.
 *
 * @param {readonly Played[]} played
 * @param {Label | undefined} label
 * @param {Setting} setting
 * @returns {Promise<Run>}
 */
async function judged(played, label, { schedule, engine }) {
  const loops = label?.loops ?? [];
  /** @type {Run} */
  const run = { label, turns: 0, asked: 0, failures: 0, judged: undefined, engine: undefined };
  let now = 0;
  const watch = createWatch({ detectors: balanced() });
  const judge = createJudge({
    schedule,
    // Before a turn, everything up to the event before it has been seen.
    ask: async () => {
      const loop = loops.find(({ decidable, end }) => now > decidable && now <= end + grace);
      if (loop) run.judged ??= now - loop.onset;
      return { analysis: 'as labelled', confidence: loop ? confidence.loop : confidence.work };
    },
  });
  const show = (/** @type {AgentEvent} */ event) => {
    const verdict = watch.observe(event);
    judge.observe(event, engine ? verdict : undefined);
    if (verdict.status !== 'looping' || !verdict.findings.some(isOwn)) return;
    const loop = loops.find(({ onset, end }) => now >= onset && now <= end + grace);
    if (loop) run.engine ??= now - loop.onset;
  };
  for (const { event, from } of played) {
    now = from;
    show(event);
    if (event.type !== 'turn-start' || event.lane !== undefined) continue;
    run.turns++;
    const opinion = await judge.consult();
    if (opinion) show(opinion);
  }
  run.asked = judge.spending.consultations;
  run.failures = judge.spending.failures;
  return run;
}

/** @param {import('loopfuse').Finding} finding */
function isOwn({ kind, status }) {
  return status === 'looping' && kind !== 'judged';
}

/**
 * Recorded events with a turn before each stretch in which the model speaks, in lanes that have no turns of their own.
 *
 * @param {readonly AgentEvent[]} events
 * @returns {Played[]}
 */
function withTurns(events) {
  const lanes = new Set(events.flatMap(({ type, lane = '' }) => (type === 'turn-start' ? [lane] : [])));
  /** @type {Map<string, 'speaks' | 'calls'>} what the model is doing, by lane */
  const doing = new Map();
  return events.flatMap((event, from) => {
    const name = event.lane ?? '';
    const words = event.type === 'text' || event.type === 'reasoning';
    const speaks = words || event.type === 'tool-call';
    // Where no result is logged, whoever speaks after a call was asked again.
    const again = !doing.has(name) || (words && doing.get(name) === 'calls');
    const begins = speaks && !lanes.has(name) && again;
    if (speaks) doing.set(name, words ? 'speaks' : 'calls');
    else if (event.type === 'tool-result' || event.type === 'prompt' || event.type === 'steer') doing.delete(name);
    /** @type {AgentEvent} */
    const turn = { type: 'turn-start', ...(event.lane === undefined ? {} : { lane: event.lane }) };
    return [...(begins ? [{ event: turn, from }] : []), { event, from }];
  });
}

/** @param {readonly Run[]} runs */
function summary(runs) {
  const turns = total(runs.map((one) => one.turns));
  const asked = total(runs.map((one) => one.asked));
  const either = runs.flatMap(({ judged: one, engine: other }) =>
    one === undefined && other === undefined ? [] : [Math.min(one ?? Infinity, other ?? Infinity)],
  );
  return {
    sessions: runs.length,
    turns,
    asked,
    per100Turns: turns === 0 ? 0 : (100 * asked) / turns,
    sessionsAsked: runs.filter((one) => one.asked > 0).length,
    failures: total(runs.map((one) => one.failures)),
    judged: runs.filter((one) => one.judged !== undefined).length,
    judgedDelay: median(runs.flatMap((one) => one.judged ?? [])),
    engine: runs.filter((one) => one.engine !== undefined).length,
    either: either.length,
    eitherDelay: median(either),
  };
}

/** @param {readonly ({ group: string, schedule: string } & ReturnType<typeof summary>)[]} rows */
function table(rows) {
  const head = ['sessions', 'schedule', 'count', 'turns', 'asked', 'per 100 turns', 'asked in', 'judged', 'delay'];
  head.push('engine', 'engine or judge', 'delay');
  const cells = rows.map((row) => {
    const loops = row.group === 'loop';
    return [
      row.group,
      row.schedule,
      String(row.sessions),
      String(row.turns),
      String(row.asked),
      row.per100Turns.toFixed(2),
      String(row.sessionsAsked),
      ...(loops ? [String(row.judged), String(row.judgedDelay ?? '–'), String(row.engine)] : ['–', '–', '–']),
      ...(loops ? [String(row.either), String(row.eitherDelay ?? '–')] : ['–', '–']),
    ];
  });
  const widths = head.map((name, column) => Math.max(name.length, ...cells.map((row) => row[column].length)));
  return [head, ...cells]
    .map((row) => row.map((cell, column) => cell[column < 2 ? 'padEnd' : 'padStart'](widths[column])).join('  '))
    .join('\n');
}

/** @param {readonly number[]} numbers */
function total(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** @param {readonly number[]} numbers @returns {number | null} */
function median(numbers) {
  if (numbers.length === 0) return null;
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
