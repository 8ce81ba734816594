import { mixes } from '../../packages/testkit/dist/metamorphic/mixes.js';
import { alarmsOf, stream } from './quality-measure.mjs';

/**
 * Everyday sessions put together in ways that are no loop either: how many of those each of the rules stops. Sessions in
 * which it stops something by themselves are left out.
 *
 * @typedef {import('loopfuse').AgentEvent} AgentEvent
 * @typedef {ReturnType<typeof import('./quality-corpus.mjs').openCorpus>} Corpus
 * @typedef {import('./quality-rules.mjs').Rules} Rules
 *
 * @param {Corpus} corpus
 * @param {readonly Rules[]} rules
 * @param {readonly string[]} files
 * @returns {Promise<string[][]>}
 */
export async function mixRows(corpus, rules, files) {
  const tallies = mixes.map(() => rules.map(() => ({ all: 0, stopped: 0 })));
  for (const file of files) {
    /** @type {AgentEvent[][]} */
    const sessions = [];
    for await (const { events } of corpus.sessions(file)) sessions.push(events);
    for (const [index, one] of rules.entries()) {
      const stops = (/** @type {readonly AgentEvent[]} */ events) => alarmsOf(one, stream(events)).length > 0;
      const honest = sessions.filter((events) => !stops(events));
      for (const [k, { takes, mix }] of mixes.entries())
        for (let at = 0; at + takes <= honest.length; at += takes) {
          tallies[k][index].all++;
          if (stops(mix(honest.slice(at, at + takes)))) tallies[k][index].stopped++;
        }
    }
  }
  return [
    ['stopped where there are', ...rules.map(({ name }) => name)],
    ...mixes.map(({ name }, k) => [name, ...tallies[k].map(({ all, stopped }) => `${stopped} of ${all}`)]),
  ];
}
