import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openCorpus } from './quality-corpus.mjs';
import { rulesNamed } from './quality-rules.mjs';
import { judge, summarise } from './score.mjs';

/** @typedef {import('./score.mjs').Label} Label */

/** @param {Partial<Label>} [part] @returns {Label} */
const label = (part = {}) => ({
  file: 'f',
  id: 'x',
  verdict: 'loop',
  loops: [{ kind: 'cycle', onset: 10, decidable: 14, end: 20 }],
  hard_negative: null,
  note: '',
  ...part,
});
const clean = label({ verdict: 'clean', loops: [] });
const alarm = (/** @type {number} */ seq) => ({ seq, detector: 'd' });
const judged = (/** @type {Label} */ one, /** @type {number[]} */ ...seqs) => {
  const alarms = seqs.map(alarm);
  return { label: one, calls: 50, alarms, judgement: judge(one, alarms) };
};

test('a loop is caught from its onset to two events after its end, and nowhere else', () => {
  for (let seq = 0; seq < 30; seq++) {
    const { caught, falseAlarms } = judge(label(), [alarm(seq)]);
    const inside = seq >= 10 && seq <= 22;
    assert.equal(caught !== undefined, inside, `alarm at ${seq}`);
    assert.equal(falseAlarms.length, inside ? 0 : 1, `alarm at ${seq}`);
  }
});

test('caught by decidable means no later than that event', () => {
  assert.equal(judge(label(), [alarm(14)]).inTime, true);
  assert.equal(judge(label(), [alarm(15)]).inTime, false);
  assert.equal(judge(label(), [alarm(3)]).inTime, false);
});

test('the delay is counted from the onset of the loop that the first fitting alarm is in', () => {
  const two = label({
    loops: [
      { kind: 'cycle', onset: 10, decidable: 14, end: 20 },
      { kind: 'cycle', onset: 40, decidable: 44, end: 50 },
    ],
  });
  const { delay, loopsCaught, falseAlarms } = judge(two, [alarm(2), alarm(43), alarm(45)]);
  assert.deepEqual([delay, loopsCaught, falseAlarms.length], [3, 1, 1]);
});

test('sessions are counted, not alarms, and borderline ones are left out', () => {
  const score = summarise([
    judged(label(), 12, 13),
    judged(label(), 18, 90),
    judged(label()),
    judged(clean, 5, 6, 7),
    judged(clean),
    judged(label({ verdict: 'borderline' }), 1),
  ]);
  assert.deepEqual(score, {
    loopSessions: 3,
    caught: 2,
    recall: 2 / 3,
    precision: 0.5,
    f1: (2 * 0.5 * (2 / 3)) / (0.5 + 2 / 3),
    cleanSessions: 2,
    cleanAlarmed: 1,
    loopSessionsWithFalseAlarms: 1,
    alarmsPer1000CleanCalls: 30,
    caughtByDecidable: 1 / 3,
    medianDelay: 5,
    loops: 3,
    loopsCaught: 2,
  });
});

test('nothing to count gives no number rather than a wrong one', () => {
  const { recall, precision, f1, medianDelay, alarmsPer1000CleanCalls } = summarise([]);
  assert.deepEqual([recall, precision, f1, medianDelay, alarmsPer1000CleanCalls], [null, null, 0, null, null]);
});

test('a label names a trace by its exact name or a unique beginning, gzipped or not', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'quality-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const trace = (/** @type {string} */ id) =>
    `{"loopfuse":1,"session":"${id}"}\n{"type":"text","text":"of ${id}, not a \\"session\\" line"}\n`;
  writeFileSync(join(folder, 'trail-half0.jsonl.gz'), gzipSync(trace('a') + trace('b')));
  writeFileSync(join(folder, 'plain.jsonl'), trace('c'));
  writeFileSync(join(folder, 'labels.jsonl'), `${JSON.stringify(label({ file: 'trail', id: 'b' }))}\n`);
  const corpus = openCorpus(folder);
  assert.equal(corpus.labels[0].file, 'trail-half0');
  const read = [];
  for await (const { id, events } of corpus.sessions('trail-half0', new Set(['b']))) read.push([id, events.length]);
  for await (const { id, events } of corpus.sessions('plain')) read.push([id, events.length]);
  assert.deepEqual(read, [
    ['b', 1],
    ['c', 1],
  ]);
  writeFileSync(join(folder, 'labels.jsonl'), `${JSON.stringify(label({ file: 'nowhere' }))}\n`);
  assert.throws(() => openCorpus(folder), /"nowhere" names no trace file/);
});

/** The alarms of a peer over `times` equal calls. */
function alarmsOn(/** @type {string} */ name, /** @type {number} */ times, failed = false) {
  const rules = rulesNamed(name, assert.fail);
  assert.ok(rules);
  const observe = rules.start();
  const seqs = [];
  for (let k = 0; k < times; k++) {
    const id = `c${k}`;
    const events = [
      { type: 'tool-call', id, tool: 'run', input: { command: 'make' } },
      { type: 'tool-result', id, output: failed ? 'error: no rule' : 'done', ...(failed ? { failed } : {}) },
    ];
    for (const [n, event] of events.entries())
      for (const { seq } of observe(/** @type {import('loopfuse').AgentEvent} */ (event), 2 * k + n)) seqs.push(seq);
  }
  return seqs;
}

test('the restated peers fire at the call that their documents name', () => {
  assert.deepEqual(alarmsOn('opencode', 6), [4], 'the third equal call');
  assert.deepEqual(alarmsOn('roo-code', 6), [6], 'the fourth equal call');
  assert.deepEqual(alarmsOn('openhands', 6), [7], 'the fourth equal result');
  assert.deepEqual(alarmsOn('openhands', 4, true), [5], 'the third failure');
  assert.deepEqual(alarmsOn('crush', 9), [], 'needs ten steps');
  assert.deepEqual(alarmsOn('crush', 10), [19]);
});
