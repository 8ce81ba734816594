/**
 * @typedef {import('./score.mjs').Score} Score
 * @typedef {import('./score.mjs').Judged} Judged
 * @typedef {{
 *   sessions: number, files: readonly string[], bySource: Map<string, { sessions: number, alarmed: number }>,
 *   alarmed: { file: string, id: string, alarms: import('./score.mjs').Alarm[] }[],
 * }} Everyday
 * @typedef {{ sessions: number, noticed: number, unnoticed: string[] }} Degenerate
 * @typedef {{ name: string, score: Score, judged: Judged[], everyday?: Everyday, degenerate?: Degenerate }} Result
 */

/** @param {readonly Result[]} results @returns {string} the scores as a table */
export function scoreTable(results) {
  const head = ['rules', 'recall', 'precision', 'F1', 'clean alarmed', 'per 1,000 calls', 'by decidable', 'delay'];
  const rows = results.map(({ name, score }) => [
    name,
    `${score.caught}/${score.loopSessions} ${percent(score.recall)}`,
    percent(score.precision),
    score.f1.toFixed(2),
    `${score.cleanAlarmed} of ${score.cleanSessions}`,
    decimal(score.alarmsPer1000CleanCalls),
    percent(score.caughtByDecidable),
    score.medianDelay === null ? '–' : String(score.medianDelay),
  ]);
  const everyday = results.some((result) => result.everyday);
  if (everyday) head.push('everyday alarmed');
  const degenerate = results.some((result) => result.degenerate);
  if (degenerate) head.push('degenerate noticed');
  results.forEach((result, index) => {
    if (everyday)
      rows[index].push(result.everyday ? share(result.everyday.alarmed.length, result.everyday.sessions) : '–');
    if (degenerate)
      rows[index].push(result.degenerate ? share(result.degenerate.noticed, result.degenerate.sessions) : '–');
  });
  return aligned([head, ...rows]);
}

/** @param {readonly Result[]} results @returns {string} every missed loop and false alarm, for whoever improves the rules */
export function missesText(results) {
  return results.flatMap((result) => ['', `${result.name}`, ...missLines(result)]).join('\n');
}

/** @param {Result} result @returns {string[]} */
function missLines({ judged, everyday, degenerate }) {
  const lines = [];
  for (const { label, alarms, judgement } of judged) {
    const where = `${label.file} ${label.id}`;
    if (label.verdict === 'loop' && !judgement.caught) {
      const loops = label.loops.map(({ kind, onset, decidable, end }) => `${kind} ${onset}–${decidable}–${end}`);
      lines.push(`  missed       ${where}  [${loops.join(', ')}]`, `               ${label.note}`);
    }
    if (label.verdict === 'loop' && judgement.caught && !judgement.inTime) {
      const at = alarms.map(alarmText).join(', ');
      const loops = label.loops.map(({ kind, onset, decidable, end }) => `${kind} ${onset}–${decidable}–${end}`);
      lines.push(`  late         ${where}  ${at}  [${loops.join(', ')}]`);
    }
    if (label.verdict !== 'borderline' && judgement.falseAlarms.length > 0) {
      const at = judgement.falseAlarms.map(alarmText).join(', ');
      lines.push(`  false alarm  ${where}  (${label.verdict}) ${at}`, `               ${label.note}`);
    }
  }
  for (const { file, id, alarms } of everyday?.alarmed ?? [])
    lines.push(`  everyday     ${file} ${id}  ${alarms.map(alarmText).join(', ')}`);
  for (const id of degenerate?.unnoticed ?? []) lines.push(`  unnoticed    ${id}`);
  return lines.length === 0 ? ['  nothing missed, no false alarm'] : lines;
}

/** @param {Result} result @returns {string | undefined} who raised the alarms on everyday work */
export function everydayText({ name, everyday }) {
  if (!everyday || everyday.alarmed.length === 0) return undefined;
  /** @type {Map<string, number>} */
  const sessions = new Map();
  for (const { alarms } of everyday.alarmed)
    for (const detector of new Set(alarms.map((alarm) => alarm.detector)))
      sessions.set(detector, (sessions.get(detector) ?? 0) + 1);
  return `everyday sessions alarmed by ${name}: ${[...sessions].map(([detector, count]) => `${detector} ${count}`).join(', ')}`;
}

/** @param {import('./score.mjs').Alarm} alarm */
function alarmText({ seq, detector, onset }) {
  return `${detector} at ${seq}${onset === undefined ? '' : ` (from ${onset})`}`;
}

/** @param {readonly (readonly string[])[]} rows the first is the head; the first column is left-aligned */
export function aligned(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  '),
    )
    .join('\n');
}

/** @param {number | null} value */
function percent(value) {
  return value === null ? '–' : `${Math.round(100 * value)} %`;
}

/** @param {number | null} value */
function decimal(value) {
  return value === null ? '–' : value.toFixed(2);
}

/** @param {number} part @param {number} whole */
function share(part, whole) {
  return `${part} of ${whole}`;
}
