import { judge, summarise } from './score.mjs';

/**
 * Runs rules over a corpus. Every session is read once, streamed in short deltas as a model would have, because the
 * ancestors' verdicts depend on how text is cut, and shown to all rules.
 *
 * @typedef {import('./quality-rules.mjs').Rules} Rules
 * @typedef {import('./quality-report.mjs').Result} Result
 * @typedef {import('./score.mjs').Alarm} Alarm
 * @typedef {import('loopfuse').AgentEvent} AgentEvent
 * @typedef {ReturnType<typeof import('./quality-corpus.mjs').openCorpus>} Corpus
 */

const deltaCharacters = 40;

/** Trace files of everyday work, in which every alarm is suspect: measured wherever they exist. */
export const everydayFiles =
  'entire-cli,entire-contexteval,entire-planetfall,cc-misc,everyday-opencode,everyday-bmad,everyday-leeson,everyday-claude-misc,everyday-entireio'.split(
    ',',
  );

/**
 * @param {Corpus} corpus
 * @param {readonly Rules[]} rules
 * @returns {Promise<Result[]>}
 */
export async function scoreLabels(corpus, rules) {
  const results = rules.map(({ name }) => ({ name, judged: /** @type {Result['judged']} */ ([]) }));
  for (const file of new Set(corpus.labels.map((label) => label.file))) {
    const open = new Map(corpus.labels.filter((label) => label.file === file).map((label) => [label.id, label]));
    for await (const { id, events } of corpus.sessions(file, new Set(open.keys()))) {
      const label = open.get(id);
      if (!label) continue;
      open.delete(id);
      const streamed = stream(events);
      const calls = events.filter(({ type }) => type === 'tool-call').length;
      rules.forEach((one, index) => {
        const alarms = alarmsOf(one, streamed);
        results[index].judged.push({ label, calls, alarms, judgement: judge(label, alarms) });
      });
    }
    for (const id of open.keys()) throw new Error(`labels.jsonl names session "${id}" of ${file}, which is not there`);
  }
  return results.map((result) => ({ ...result, score: summarise(result.judged) }));
}

/**
 * Alarms on work that nobody has labelled a loop.
 *
 * @param {Corpus} corpus
 * @param {readonly string[]} files
 * @param {readonly Rules[]} rules
 * @param {Result[]} results gain `everyday`
 */
export async function measureEveryday(corpus, files, rules, results) {
  const known = new Set(
    corpus.labels.filter(({ verdict }) => verdict !== 'clean').map(({ file, id }) => `${file} ${id}`),
  );
  for (const result of results) result.everyday = { sessions: 0, files, bySource: new Map(), alarmed: [] };
  for (const file of files)
    for await (const { id, events } of corpus.sessions(file)) {
      const streamed = stream(events);
      rules.forEach((one, index) => {
        const everyday = /** @type {import('./quality-report.mjs').Everyday} */ (results[index].everyday);
        const source = everyday.bySource.get(file) ?? { sessions: 0, alarmed: 0 };
        everyday.bySource.set(file, source);
        everyday.sessions++;
        source.sessions++;
        if (known.has(`${file} ${id}`)) return;
        const alarms = alarmsOf(one, streamed);
        if (alarms.length === 0) return;
        source.alarmed++;
        everyday.alarmed.push({ file, id, alarms });
      });
    }
}

/**
 * Model outputs that degenerate into repetition: how many are noticed at all.
 *
 * @param {Corpus} corpus
 * @param {readonly string[]} files
 * @param {readonly Rules[]} rules
 * @param {Result[]} results gain `degenerate`
 */
export async function measureDegenerate(corpus, files, rules, results) {
  for (const result of results) result.degenerate = { sessions: 0, noticed: 0, unnoticed: [] };
  for (const file of files)
    for await (const { id, events } of corpus.sessions(file)) {
      const streamed = stream(events);
      rules.forEach((one, index) => {
        const degenerate = /** @type {import('./quality-report.mjs').Degenerate} */ (results[index].degenerate);
        degenerate.sessions++;
        if (alarmsOf(one, streamed).length > 0) degenerate.noticed++;
        else degenerate.unnoticed.push(`${file} ${id}`);
      });
    }
}

/**
 * The events as a model would have streamed them, each with the index of the recorded event that it comes from.
 *
 * @typedef {{ events: AgentEvent[], from: number[] }} Streamed
 * @param {readonly AgentEvent[]} recorded
 * @returns {Streamed}
 */
export function stream(recorded) {
  /** @type {Streamed} */
  const streamed = { events: [], from: [] };
  for (const [index, event] of recorded.entries())
    for (const delta of inDeltas(event)) {
      streamed.events.push(delta);
      streamed.from.push(index);
    }
  return streamed;
}

/** @param {AgentEvent} event @returns {AgentEvent[]} */
function inDeltas(event) {
  if ((event.type !== 'text' && event.type !== 'reasoning') || event.text.length <= deltaCharacters) return [event];
  const deltas = [];
  for (let from = 0; from < event.text.length; from += deltaCharacters)
    deltas.push({ ...event, text: event.text.slice(from, from + deltaCharacters) });
  return deltas;
}

/** @param {Rules} rules @param {Streamed} streamed @returns {Alarm[]} in terms of the recorded events */
export function alarmsOf(rules, { events, from }) {
  const observe = rules.start();
  return events.flatMap((event, seq) =>
    observe(event, seq).map((alarm) => ({
      ...alarm,
      seq: from[alarm.seq] ?? alarm.seq,
      ...(alarm.onset === undefined ? {} : { onset: from[alarm.onset] ?? alarm.onset }),
    })),
  );
}
