import { detectorLaws, play, session } from '@loopfuse/testkit';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../event.js';
import type { Finding } from '../../finding.js';
import { type LowNoveltyEvidence, lowNovelty } from './low-novelty.js';

const openings = [
  'Wait, let me think about this again.',
  'Actually, no.',
  'Hmm, on the other hand,',
  'But then again,',
];
const thoughts = [
  'the cache is cleared before the request is sent, so the old value cannot come from there. ',
  'the test expects the old value, which means that something must still hold it. ',
  'the value could be read from the session before the cache is cleared. ',
  'if the session held the value it would have expired by now. ',
];
/** The same few thoughts in ever new order. */
const circling = (rounds: number) =>
  Array.from(
    { length: rounds },
    (_, k) => `${openings[(k * 7) % 4]} ${thoughts[(k * k + 3 * k) % 4]}${thoughts[(k * 5 + (k >> 2)) % 4]}`,
  ).join('');
const words = (from: number, count: number) =>
  Array.from(
    { length: count },
    (_, k) =>
      `term${String.fromCharCode(97 + ((from + k) % 26), 97 + (Math.floor((from + k) / 26) % 26), 97 + Math.floor((from + k) / 676))}`,
  ).join(' ');
const longCycle = `${words(0, 900)}. `;

detectorLaws(() => lowNovelty(), {
  loops: {
    'thoughts in circles': session().turn().think(circling(60)),
    'a message in circles': session().turn().text(circling(60)),
    'a cycle longer than a chant': session().turn().text(longCycle.repeat(5)),
  },
  work: {
    'a long message': session().turn().text(words(0, 4000)),
    'the same short message in every turn': session().repeat(60, (turn) => turn.turn().text(thoughts.join(''))),
    'a block pasted twice more': session()
      .turn()
      .text(`${thoughts.join('')}\n\n`.repeat(3)),
  },
  stateBytes: 26_000,
});

function findings(...events: AgentEvent[]): Finding[] {
  return play([lowNovelty()], events).findings.flat() as Finding[];
}

describe('low-novelty', () => {
  test('suspects first and is sure later', () => {
    const found = findings({ type: 'reasoning', text: circling(80) });
    expect(found.map(({ status }) => status).slice(0, 2)).toEqual(['suspect', 'looping']);
    expect(found[1]).toMatchObject({ kind: 'circling', again: 0 });
    const { characters, stale } = found[1]!.evidence as LowNoveltyEvidence;
    expect(characters).toBeGreaterThanOrEqual(600);
    expect(stale).toBeGreaterThan(220);
  });

  test('speaks again each time it has doubled, not more', () => {
    const looping = findings({ type: 'text', text: circling(600) }).filter(({ status }) => status === 'looping');
    expect(looping.length).toBeGreaterThan(3);
    expect(looping.length).toBeLessThan(11);
  });

  test('is content as long as new things are said in between', () => {
    const mixed = Array.from({ length: 80 }, (_, k) => `${thoughts[k % 4]}${words(k * 12, 12)}. `).join('');
    expect(findings({ type: 'text', text: mixed })).toEqual([]);
  });

  test('allows a text that has said much to repeat more', () => {
    const seenAfter = (before: string) => {
      const found = findings({ type: 'text', text: before + circling(200) }).find(({ status }) => status === 'looping');
      return (found!.evidence as LowNoveltyEvidence).stale;
    };
    expect(seenAfter(words(0, 2000))).toBeGreaterThan(seenAfter('') + 300);
  });

  test('asks more of code than of sentences', () => {
    const block = 'const total = sum(items.map((item) => item.price * item.count));\n'.repeat(3);
    const code = `\`\`\`ts\n${Array.from({ length: 9 }, (_, k) => `${block}log(total, ${k});\n`).join('')}\`\`\`\n`;
    expect(findings({ type: 'text', text: code }).filter(({ status }) => status === 'looping')).toEqual([]);
    expect(findings({ type: 'text', text: code.repeat(12) }).filter(({ status }) => status === 'looping')).not.toEqual(
      [],
    );
  });

  test('waits longer when told to be patient', () => {
    const first = (patience: number) =>
      (play([lowNovelty({ patience })], [{ type: 'text', text: circling(200) }]).findings.flat() as Finding[]).find(
        ({ status }) => status === 'looping',
      )!.evidence as LowNoveltyEvidence;
    expect(first(3).stale).toBeGreaterThan(first(1).stale * 2);
    expect(() => lowNovelty({ patience: Number.NaN })).toThrow('lowNovelty: patience must be a number');
  });

  test('explains itself in a sentence', () => {
    expect(lowNovelty().explain({ channel: 'reasoning', characters: 1200, stale: 700, at: 5000 })).toBe(
      'The reasoning has gone on for 1200 characters with hardly anything new: 700 of them at least were said three times before.',
    );
  });
});
