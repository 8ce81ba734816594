import { changes, manyChanges, noisyHosts, plainerHosts } from '../../packages/testkit/dist/metamorphic/changes.js';
import { measureEveryday, scoreLabels } from './quality-measure.mjs';

/**
 * The sessions changed in ways that a reader would not care about, each way by itself and then many at once, and as hosts
 * would write them down that show less; scored again, with the alarms of the first rules in everyday work.
 *
 * @typedef {ReturnType<typeof import('./quality-corpus.mjs').openCorpus>} Corpus
 * @typedef {import('./quality-rules.mjs').Rules} Rules
 *
 * @param {Corpus} corpus
 * @param {readonly Rules[]} rules
 * @param {readonly string[]} everydayFiles
 * @returns {Promise<string[][]>}
 */
export async function changeRows(corpus, rules, everydayFiles) {
  const rows = [
    [
      'change',
      ...rules.map(({ name }) => `F1 of ${name}`),
      'loops caught',
      'clean alarmed',
      'by decidable',
      'everyday alarmed',
    ],
  ];
  for (const { name, apply } of [
    { name: 'none', apply: same },
    ...changes,
    manyChanges,
    ...noisyHosts,
    ...plainerHosts,
  ]) {
    const changed = { ...corpus, sessions: changedSessions(corpus, apply) };
    const results = await scoreLabels(changed, rules);
    await measureEveryday(changed, everydayFiles, rules.slice(0, 1), results.slice(0, 1));
    const { score, everyday } = results[0];
    rows.push([
      name,
      ...results.map((result) => result.score.f1.toFixed(3)),
      `${score.caught} of ${score.loopSessions}`,
      `${score.cleanAlarmed} of ${score.cleanSessions}`,
      `${Math.round(100 * (score.caughtByDecidable ?? 0))} %`,
      everyday?.sessions ? `${everyday.alarmed.length} of ${everyday.sessions}` : '–',
    ]);
  }
  return rows;
}

/** @template Value @param {Value} value */
const same = (value) => value;

/** @param {Corpus} corpus @param {(events: any) => any} apply @returns {Corpus['sessions']} */
function changedSessions(corpus, apply) {
  return async function* (name, ids) {
    for await (const session of corpus.sessions(name, ids)) yield { ...session, events: apply(session.events) };
  };
}
