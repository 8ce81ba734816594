import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  advance,
  endMessage,
  exactRepeat,
  lastText,
  loadPeriodFinder,
  type PeriodFinder,
  savePeriodFinder,
  startPeriodFinder,
  tell,
} from './period-finder.js';
import { loadWords, readBlock, saveWords, startWords, type Words } from './words.js';

/** A finder with the message that it reads. */
interface Reading {
  finder: PeriodFinder;
  words: Words;
}

function start(): Reading {
  return { finder: startPeriodFinder(), words: startWords('text') };
}

/** Reads a text and looks at every run that is due, the first time and each time it has doubled. */
function read(
  { finder, words }: Reading,
  text: string,
  seq = 0,
  onLook: (finder: PeriodFinder) => void = () => {},
): string[] {
  const looks: string[] = [];
  for (let from = 0; from < text.length; from += 100) {
    words.deltas = [words.length + 100, seq];
    readBlock(words, text.slice(from, from + 100));
    for (let k = advance(finder, words, 0); k < 0; k = advance(finder, words, ~k)) {
      const { offset, period, run, exact, from, since } = finder;
      looks.push(JSON.stringify({ offset, period, run, exact, from, since, unit: lastText(finder, words, period) }));
      finder.next = run * 2;
      onLook(finder);
    }
  }
  return looks;
}

const units = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
  fc.stringMatching(/^[a-z ]{1,300}$/),
);
const texts = fc.array(fc.tuple(units, fc.integer({ min: 1, max: 60 })), { minLength: 1, maxLength: 4 }).map((parts) =>
  parts
    .map(([unit, times]) => unit.repeat(times))
    .join('')
    .replace(/[\ud800-\udfff]/g, '汉'),
);

describe('the period finder', () => {
  /** Where no blank stands, each byte takes a place in the table, and the longest are missed once in a hundred times. */
  const longest = { words: 7100, letters: 5000 };

  test('finds every period from one character to seven thousand, and no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: longest.words }), fc.nat(), fc.boolean(), (period, seed, hasBlanks) => {
        const spaced = hasBlanks || period > longest.letters;
        const unit = spaced ? noise(period, seed).replace(/[aeiou]/g, ' ') : noise(period, seed);
        const reading = start();
        read(reading, unit.repeat(2 + Math.ceil(100 / period))); // blanks in a row count as one
        const found = reading.finder.period;
        expect(found).toBeGreaterThan(0);
        expect(unit.repeat(2).indexOf(unit, found)).toBe(found);
      }),
      { numRuns: 60, examples: [[5, 2147483637, true]] },
    );
  });

  test.each(['t  t ', 'no\n\nno\nno ', 'ha ha  '])('finds %j, one word with more and less white space', (unit) => {
    const reading = start();
    read(reading, unit.repeat(20));
    expect(reading.finder.period).toBe(unit.length);
  });

  test('sees nothing in text that does not repeat itself', () => {
    const text = noise(20_000, 1);
    expect(read(start(), text)).toEqual([]);
  });

  test('counts a run that differs in its digits, and remembers where', () => {
    const reading = start();
    read(reading, Array.from({ length: 130 }, (_, k) => `Attempt ${k} failed; `).join(''));
    const { finder, words } = reading;
    expect(finder.run).toBeGreaterThan(1900);
    expect(lastText(finder, words, finder.period).replace(/\d+/, '#')).toHaveLength('Attempt # failed; '.length);
    expect(finder.exact).toBeGreaterThan(finder.run - finder.period);
  });

  test('tells 7 from 007 and one long number from another', () => {
    for (const [a, b] of [
      ['7', '007'],
      ['1234', '1235'],
      ['123456789012', '123456789013'],
    ]) {
      const line = 'the value of the field was ';
      const differing = start();
      read(differing, `${`${line}${a} `.repeat(8)}${line}${b} `);
      expect(differing.finder.exact, `${a} and ${b}`).toBeGreaterThan(0);
      const same = start();
      read(same, `${line}${a} `.repeat(9));
      expect(same.finder.exact).toBe(0);
    }
  });

  test('finds the longer period of numbers that go round', () => {
    const reading = start();
    read(reading, '10, 200, 3, 45, '.repeat(60));
    expect(exactRepeat(reading.finder, reading.words)).toMatchObject({ period: '10, 200, 3, 45, '.length });
  });

  test('does not care how the text is cut', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(40), { minLength: 1 }), (text, lengths) => {
        const reading = start();
        const looks: string[] = [];
        for (let k = 0, piece = 0; k < text.length; piece++) {
          const next = k + lengths[piece % lengths.length]! + (piece % 2);
          looks.push(...read(reading, text.slice(k, next)));
          k = next;
        }
        expect(looks).toEqual(read(start(), text));
      }),
    );
  });

  test('knows where a chant that stumbles stood, however the text is cut', () => {
    const text = `${'I will try it once more. '.repeat(12)}Wait. ${'I will try it once more. '.repeat(3)}`;
    const chant = (pieces: readonly string[]) => {
      const reading = start();
      for (const piece of pieces) read(reading, piece, 0, tell);
      return savePeriodFinder(reading.finder);
    };
    expect(chant([text.slice(0, 200), text.slice(200)])).toEqual(chant([text.slice(0, 200), ...text.slice(200)]));
  });

  test('goes on from what was saved at any character', () => {
    fc.assert(
      fc.property(texts, texts, fc.nat(), (before, text, cut) => {
        const [left, right] = [text.slice(0, cut % text.length), text.slice(cut % text.length)];
        const live = start();
        read(live, before.repeat(1 + (cut % 4)));
        if (cut % 3 === 0) begin(live);
        read(live, left);
        const resumed = {
          finder: loadPeriodFinder(JSON.parse(JSON.stringify(savePeriodFinder(live.finder)))),
          words: loadWords('text', JSON.parse(JSON.stringify(saveWords(live.words)))),
        };
        expect(read(resumed, right)).toEqual(read(live, right));
      }),
    );
  });

  test('compares nothing with the message before', () => {
    const reading = start();
    const sentence = 'Now let me look at the file once more. ';
    for (let k = 0; k < 50; k++) {
      expect(read(reading, sentence)).toEqual([]);
      begin(reading);
    }
  });

  test('a chant that stumbles keeps its onset', () => {
    const reading = start();
    const chant = 'I should check the file again. '.repeat(20);
    read(reading, chant, 3);
    expect(tell(reading.finder)).toBe(3);
    read(reading, `Hm, no, wait a little. ${chant}`, 4);
    expect(tell(reading.finder)).toBe(3);
    read(reading, `${noise(600, 2)}${chant}`, 5);
    expect(tell(reading.finder)).toBe(5);
  });

  test('refuses what it did not save', () => {
    const saved = savePeriodFinder(startPeriodFinder()) as Record<string, unknown>;
    for (const wrong of [
      null,
      'finder',
      {},
      { ...saved, table: 'q' },
      { ...saved, table: 'z5' },
      { ...saved, period: 1e9 },
      { ...saved, run: 'x' },
    ])
      expect(() => loadPeriodFinder(wrong as never), JSON.stringify(wrong)).toThrow(TypeError);
  });
});

/** A new message in the ring of the one before. */
function begin(reading: Reading): void {
  endMessage(reading.finder);
  reading.words = startWords('text', reading.words.ring);
}

/** Letters without a pattern. */
function noise(length: number, seed: number): string {
  let state = seed >>> 0;
  let text = '';
  for (let k = 0; k < length; k++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += String.fromCharCode(97 + Math.floor((state / 2 ** 32) * 26));
  }
  return text;
}
