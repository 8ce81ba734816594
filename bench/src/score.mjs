/**
 * How well alarms fit labels. A loop is caught when an alarm comes in [onset, end + 2] of a labelled loop; an alarm
 * outside every labelled loop is a false alarm; both are counted over sessions. Borderline sessions are left out.
 *
 * @typedef {{ seq: number, detector: string, onset?: number, confidence?: number, lane?: string }} Alarm
 * @typedef {{ kind: string, onset: number, decidable: number, end: number }} LabelledLoop
 * @typedef {{
 *   file: string, id: string, verdict: 'loop' | 'clean' | 'borderline', loops: LabelledLoop[],
 *   hard_negative: string | null, note: string,
 * }} Label
 * @typedef {{
 *   caught: Alarm | undefined, inTime: boolean, delay: number | undefined, loopsCaught: number, falseAlarms: Alarm[],
 * }} Judgement
 * @typedef {{ label: Label, calls: number, alarms: Alarm[], judgement: Judgement }} Judged
 */

/** An alarm may come this many events after the loop's last event: with the result of its last call, or just after. */
const grace = 2;

/**
 * @param {Label} label
 * @param {readonly Alarm[]} alarms in the order in which they came
 * @returns {Judgement}
 */
export function judge(label, alarms) {
  const covers = (/** @type {LabelledLoop} */ loop, /** @type {Alarm} */ alarm) =>
    alarm.seq >= loop.onset && alarm.seq <= loop.end + grace;
  const caught = alarms.find((alarm) => label.loops.some((loop) => covers(loop, alarm)));
  const loop = caught && label.loops.find((candidate) => covers(candidate, caught));
  return {
    caught,
    inTime: label.loops.some((one) => alarms.some((alarm) => covers(one, alarm) && alarm.seq <= one.decidable)),
    delay: caught && loop ? caught.seq - loop.onset : undefined,
    loopsCaught: label.loops.filter((one) => alarms.some((alarm) => covers(one, alarm))).length,
    falseAlarms: alarms.filter((alarm) => !label.loops.some((one) => covers(one, alarm))),
  };
}

/**
 * The score of one rule set over all its judged sessions.
 *
 * @param {readonly Judged[]} judged
 */
export function summarise(judged) {
  const looping = judged.filter(({ label }) => label.verdict === 'loop');
  const clean = judged.filter(({ label }) => label.verdict === 'clean');
  const caught = looping.filter(({ judgement }) => judgement.caught);
  const mistaken = [...looping, ...clean].filter(({ judgement }) => judgement.falseAlarms.length > 0);
  const cleanAlarmed = clean.filter(({ judgement }) => judgement.falseAlarms.length > 0);
  const precision = ratio(caught.length, caught.length + mistaken.length);
  const recall = ratio(caught.length, looping.length);
  return {
    loopSessions: looping.length,
    caught: caught.length,
    recall,
    precision,
    f1: precision === null || recall === null || precision + recall === 0 ? 0 : f1(precision, recall),
    cleanSessions: clean.length,
    cleanAlarmed: cleanAlarmed.length,
    loopSessionsWithFalseAlarms: mistaken.length - cleanAlarmed.length,
    alarmsPer1000CleanCalls: ratio(
      1000 * total(clean, ({ judgement }) => judgement.falseAlarms.length),
      total(clean, ({ calls }) => calls),
    ),
    caughtByDecidable: ratio(looping.filter(({ judgement }) => judgement.inTime).length, looping.length),
    medianDelay: median(caught.map(({ judgement }) => judgement.delay ?? 0)),
    loops: total(looping, ({ label }) => label.loops.length),
    loopsCaught: total(looping, ({ judgement }) => judgement.loopsCaught),
  };
}

/** @typedef {ReturnType<typeof summarise>} Score */

/** @param {number} precision @param {number} recall */
function f1(precision, recall) {
  return (2 * precision * recall) / (precision + recall);
}

/** @param {number} part @param {number} whole @returns {number | null} null where there is nothing to count */
function ratio(part, whole) {
  return whole === 0 ? null : part / whole;
}

/**
 * @template Item
 * @param {readonly Item[]} items
 * @param {(item: Item) => number} of
 */
function total(items, of) {
  return items.reduce((sum, item) => sum + of(item), 0);
}

/** @param {readonly number[]} numbers @returns {number | null} */
function median(numbers) {
  if (numbers.length === 0) return null;
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
