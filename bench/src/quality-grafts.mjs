import { grafted, grafts } from '../../packages/testkit/dist/metamorphic/grafts.js';
import { alarmsOf, stream } from './quality-measure.mjs';

const rounds = 10;
/** What comes before the round counts for little once it is this long. */
const longestBefore = 300;

/**
 * Everyday work that goes round from some step on, in as many ways as there are grafts: how often each of the rules sees it,
 * and in which round, where it has not stopped the work before.
 *
 * @typedef {ReturnType<typeof import('./quality-corpus.mjs').openCorpus>} Corpus
 * @typedef {import('./quality-rules.mjs').Rules} Rules
 *
 * @param {Corpus} corpus
 * @param {readonly Rules[]} rules
 * @param {readonly string[]} files
 * @returns {Promise<string[][]>}
 */
export async function graftRows(corpus, rules, files) {
  const tallies = grafts.map(() => rules.map(() => ({ all: 0, seen: 0, rounds: 0 })));
  const choose = choices(1);
  for (const file of files)
    for await (const { events } of corpus.sessions(file))
      for (const [k, graft] of grafts.entries()) {
        const round = grafted(events.slice(0, longestBefore), graft, rounds, choose);
        if (round === undefined) continue;
        const streamed = stream(round.events);
        for (const [index, one] of rules.entries()) {
          const [first] = alarmsOf(one, streamed);
          if (first !== undefined && first.seq < round.from) continue;
          const tally = tallies[k][index];
          tally.all++;
          if (first === undefined) continue;
          tally.seen++;
          tally.rounds += 1 + Math.floor((first.seq - round.from) / round.length);
        }
      }
  return [
    ['what goes round', ...rules.map(({ name }) => name)],
    ...grafts.map(({ name }, k) => [
      name,
      ...tallies[k].map(({ all, seen, rounds: sum }) =>
        seen === 0 ? `0 of ${all}` : `${seen} of ${all}, after ${(sum / seen).toFixed(1)}`,
      ),
    ]),
  ];
}

/** The same choices in every run. @param {number} seed */
function choices(seed) {
  let state = seed;
  return (/** @type {number} */ count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}
