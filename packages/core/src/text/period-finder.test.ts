import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  advance,
  endMessage,
  exactRepeat,
  lastEntries,
  loadPeriodFinder,
  type PeriodFinder,
  savePeriodFinder,
  startPeriodFinder,
  tell,
} from './period-finder.js';

/** Reads a text and looks at every run that is due, the first time and each time it has doubled. */
function read(
  finder: PeriodFinder,
  text: string,
  seq = 0,
  onLook: (finder: PeriodFinder) => void = () => {},
): string[] {
  const looks: string[] = [];
  for (let k = 0; k < text.length; ) {
    k = advance(finder, text, k, seq);
    if (k >= 0) continue;
    k = ~k;
    const { offset, period, run, exact, from, since } = finder;
    looks.push(
      JSON.stringify({ offset, period, run, exact, from, since, unit: [...lastEntries(finder, period)].join('') }),
    );
    finder.next = run * 2;
    onLook(finder);
  }
  return looks;
}

const units = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
  fc.stringMatching(/^[a-z ]{1,300}$/),
);
const texts = fc
  .array(fc.tuple(units, fc.integer({ min: 1, max: 60 })), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([unit, times]) => unit.repeat(times)).join(''));

describe('the period finder', () => {
  test('finds every period from one character to four thousand, and no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4080 }), fc.nat(), (period, seed) => {
        const unit = noise(period, seed);
        const finder = startPeriodFinder();
        read(finder, unit.repeat(2 + Math.ceil(40 / period)));
        const found = finder.period;
        expect(found).toBeGreaterThan(0);
        expect(unit.repeat(2).indexOf(unit, found)).toBe(found);
      }),
      { numRuns: 60 },
    );
  });

  test('sees nothing in text that does not repeat itself', () => {
    const text = noise(20_000, 1);
    expect(read(startPeriodFinder(), text)).toEqual([]);
  });

  test('counts a run that differs in its digits, and remembers where', () => {
    const finder = startPeriodFinder();
    read(finder, Array.from({ length: 30 }, (_, k) => `Attempt ${k} failed; `).join(''));
    expect([...lastEntries(finder, finder.period)].join('').replace(/\d+/, '#')).toHaveLength(
      'Attempt # failed; '.length,
    );
    expect(finder.exact).toBeGreaterThan(finder.run - finder.period);
  });

  test('tells 7 from 007 and one long number from another', () => {
    for (const [a, b] of [
      ['7', '007'],
      ['1234', '1235'],
      ['123456789012', '123456789013'],
    ]) {
      const finder = startPeriodFinder();
      const line = 'the value of the field was ';
      read(finder, `${`${line}${a} `.repeat(8)}${line}${b} `);
      expect(finder.exact, `${a} and ${b}`).toBeGreaterThan(0);
      const same = startPeriodFinder();
      read(same, `${line}${a} `.repeat(9));
      expect(same.exact).toBe(0);
    }
  });

  test('finds the longer period of numbers that go round', () => {
    const finder = startPeriodFinder();
    read(finder, '10, 20, 30, 45, '.repeat(60));
    const { period } = exactRepeat(finder);
    expect([...lastEntries(finder, period)]).toHaveLength('#, #, #, #, '.length);
  });

  test('does not care how the text is cut', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(40), { minLength: 1 }), (text, lengths) => {
        const finder = startPeriodFinder();
        const looks: string[] = [];
        for (let k = 0, piece = 0; k < text.length; piece++) {
          const next = k + lengths[piece % lengths.length]! + (piece % 2);
          looks.push(...read(finder, text.slice(k, next)));
          k = next;
        }
        expect(looks).toEqual(read(startPeriodFinder(), text));
      }),
    );
  });

  test('knows where a chant that stumbles stood, however the text is cut', () => {
    const text = `${'I will try it once more. '.repeat(12)}Wait. ${'I will try it once more. '.repeat(3)}`;
    const chant = (pieces: readonly string[]) => {
      const finder = startPeriodFinder();
      for (const piece of pieces) read(finder, piece, 0, tell);
      return savePeriodFinder(finder);
    };
    expect(chant([text.slice(0, 200), text.slice(200)])).toEqual(chant([text.slice(0, 200), ...text.slice(200)]));
  });

  test('goes on from what was saved at any character', () => {
    fc.assert(
      fc.property(texts, texts, fc.nat(), (before, text, cut) => {
        const [left, right] = [text.slice(0, cut % text.length), text.slice(cut % text.length)];
        const live = startPeriodFinder();
        read(live, before.repeat(1 + (cut % 4)));
        if (cut % 3 === 0) endMessage(live);
        read(live, left);
        const resumed = loadPeriodFinder(JSON.parse(JSON.stringify(savePeriodFinder(live))));
        expect(read(resumed, right)).toEqual(read(live, right));
      }),
    );
  });

  test('compares nothing with the message before', () => {
    const finder = startPeriodFinder();
    const sentence = 'Now let me look at the file once more. ';
    for (let k = 0; k < 50; k++) {
      expect(read(finder, sentence)).toEqual([]);
      endMessage(finder);
    }
  });

  test('a chant that stumbles keeps its onset', () => {
    const finder = startPeriodFinder();
    const chant = 'I should check the file again. '.repeat(20);
    read(finder, chant, 3);
    expect(tell(finder)).toBe(3);
    read(finder, `Hm, no, wait a little. ${chant}`, 4);
    expect(tell(finder)).toBe(3);
    read(finder, `${noise(600, 2)}${chant}`, 5);
    expect(tell(finder)).toBe(5);
  });

  test('refuses what it did not save', () => {
    const saved = savePeriodFinder(startPeriodFinder()) as Record<string, unknown>;
    for (const wrong of [null, 'finder', {}, { ...saved, kept: 'q' }, { ...saved, size: 5 }, { ...saved, run: 'x' }])
      expect(() => loadPeriodFinder(wrong as never), JSON.stringify(wrong)).toThrow(TypeError);
  });
});

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
