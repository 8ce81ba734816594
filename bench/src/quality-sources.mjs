import { summarise } from './score.mjs';

/**
 * The same scores by source: a pooled figure hides a source on which the rules see nothing.
 *
 * @typedef {import('./quality-report.mjs').Result} Result
 * @typedef {import('./score.mjs').Judged} Judged
 */

/**
 * One row a source: loops caught, clean sessions alarmed, F1, caught by `decidable`, everyday sessions alarmed.
 *
 * @param {Result} result
 * @param {readonly string[]} heldOut sources that were not looked at while the rules were made
 * @returns {string[][]}
 */
export function sourceRows({ judged, everyday }, heldOut) {
  const rows = [['source', 'loops caught', 'clean alarmed', 'F1', 'by decidable', 'everyday alarmed']];
  const sources = new Set([...judged.map(sourceOf), ...(everyday?.files ?? [])]);
  for (const source of [...sources].toSorted())
    rows.push(
      row(
        heldOut.includes(source) ? `${source} (held out)` : source,
        judged.filter((one) => sourceOf(one) === source),
        everyday?.bySource.get(source),
      ),
    );
  const isHeldOut = (/** @type {Judged} */ one) => heldOut.includes(sourceOf(one));
  if (heldOut.length > 0) {
    rows.push(
      row(
        'all that were looked at',
        judged.filter((one) => !isHeldOut(one)),
        undefined,
      ),
    );
    rows.push(row('all held out', judged.filter(isHeldOut), undefined));
  }
  return rows;
}

/**
 * A trace file is a source, or the folder that holds it where there are folders.
 *
 * @param {Judged} one
 */
function sourceOf({ label }) {
  return label.file.split('/', 1)[0];
}

/**
 * @param {string} name
 * @param {readonly Judged[]} judged
 * @param {{ sessions: number, alarmed: number } | undefined} everyday
 */
function row(name, judged, everyday) {
  const score = summarise(judged);
  return [
    name,
    score.loopSessions === 0 ? '–' : `${score.caught} of ${score.loopSessions}`,
    score.cleanSessions === 0 ? '–' : `${score.cleanAlarmed} of ${score.cleanSessions}`,
    score.loopSessions === 0 ? '–' : score.f1.toFixed(2),
    score.caughtByDecidable === null ? '–' : `${Math.round(100 * score.caughtByDecidable)} %`,
    everyday ? `${everyday.alarmed} of ${everyday.sessions}` : '–',
  ];
}

/**
 * How often alarms of a stated confidence are right: inside a labelled loop, on the labelled sessions.
 *
 * @param {Result} result
 * @returns {string[][]}
 */
export function calibrationRows({ judged }) {
  const bands = [0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.01];
  const rows = [['confidence', 'alarms', 'right', 'share']];
  for (let k = 0; k + 1 < bands.length; k++) {
    let right = 0;
    let all = 0;
    for (const { label, alarms, judgement } of judged) {
      if (label.verdict === 'borderline') continue;
      for (const alarm of alarms) {
        const { confidence } = alarm;
        if (confidence === undefined || confidence < bands[k] || confidence >= bands[k + 1]) continue;
        all++;
        if (!judgement.falseAlarms.includes(alarm)) right++;
      }
    }
    if (all > 0)
      rows.push([
        `${bands[k].toFixed(2)} to ${Math.min(1, bands[k + 1]).toFixed(2)}`,
        String(all),
        String(right),
        `${Math.round((100 * right) / all)} %`,
      ]);
  }
  return rows;
}
