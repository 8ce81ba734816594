import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  advanceMeter,
  endMeteredMessage,
  loadNoveltyMeter,
  type NoveltyMeter,
  saveNoveltyMeter,
  startNoveltyMeter,
} from './novelty-meter.js';
import { loadWords, readBlock, saveWords, startWords, type Words } from './words.js';

/** A meter with the message that it reads. */
interface Reading {
  meter: NoveltyMeter;
  words: Words;
}

function start(): Reading {
  return { meter: startNoveltyMeter(), words: startWords('text') };
}

/** Reads a text and notes every score that is due, the first time and each time it has grown by half. */
function read({ meter, words }: Reading, text: string): string[] {
  const looks: string[] = [];
  for (let at = 0; at < text.length; at += 100) {
    readBlock(words, text.slice(at, at + 100));
    for (let k = advanceMeter(meter, words, 0); k < 0; k = advanceMeter(meter, words, ~k)) {
      const { offset, score, from } = meter;
      looks.push(`${offset} ${score} ${from}`);
      meter.next = Math.ceil(score * 1.5);
    }
  }
  return looks;
}

function scoreOf(text: string): number {
  const reading = start();
  read(reading, `${text} `);
  return reading.meter.score;
}

/** A word of its own for every number. */
function word(k: number): string {
  return k < 26 ? `w${String.fromCharCode(97 + k)}` : word(Math.floor(k / 26)) + String.fromCharCode(97 + (k % 26));
}

const paragraph = Array.from({ length: 60 }, (_, k) => word(k * 37)).join(' ');
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom('the ', 'file ', 'is ', 'not ', 'here. ', '```\n', '(x) ', '汉字 ', 'é', '12 '),
      fc.string({ unit: 'binary' }),
    ),
    {
      minLength: 1,
      maxLength: 120,
    },
  )
  .map((parts) =>
    parts
      .join('')
      .replace(/[\ud800-\udfff]/g, '汉')
      .repeat(4),
  );

describe('the novelty meter', () => {
  test('stays at zero while every word is new', () => {
    expect(scoreOf(Array.from({ length: 5000 }, (_, k) => word(k)).join(' '))).toBe(0);
  });

  test('lets a passage come three times', () => {
    expect(scoreOf(`${paragraph} `.repeat(3))).toBe(0);
    expect(scoreOf(`${paragraph} `.repeat(4))).toBeGreaterThan(1000);
  });

  test('rises with sentences that come back in any order', () => {
    const sentences = Array.from(
      { length: 5 },
      (_, k) => `${Array.from({ length: 12 }, (_, i) => word(k * 100 + i)).join(' ')}. `,
    );
    const shuffled = Array.from({ length: 80 }, (_, k) => sentences[(Math.imul(k + 3, 2654435761) >>> 8) % 5]).join('');
    expect(scoreOf(shuffled)).toBeGreaterThan(10_000);
  });

  test('falls back to zero when new things are said', () => {
    expect(
      scoreOf(`${`${paragraph} `.repeat(6)}${Array.from({ length: 400 }, (_, k) => word(k + 9000)).join(' ')}`),
    ).toBe(0);
  });

  test('rises less in code, and between fences', () => {
    const open = scoreOf(`${paragraph}\n`.repeat(8));
    expect(scoreOf(`\`\`\`\n${`${paragraph}\n`.repeat(8)}`)).toBeLessThan(open / 2);
    expect(scoreOf(`${paragraph.replaceAll(' ', ' = ')};\n`.repeat(8))).toBeLessThan(open / 2);
    expect(scoreOf(`\`\`\`\nx\n\`\`\`\n${`${paragraph}\n`.repeat(8)}`)).toBe(open);
  });

  test('does not rise with figures, drawings and words that follow themselves', () => {
    expect(scoreOf('12 55 907 3 '.repeat(500))).toBe(0);
    expect(scoreOf('│ ─ ┼ '.repeat(500))).toBe(0);
    expect(scoreOf('false, '.repeat(500))).toBe(0);
  });

  test('does not care how the text is cut', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(30), { minLength: 1 }), (text, lengths) => {
        const parts = start();
        const looks: string[] = [];
        for (let k = 0, piece = 0; k < text.length; piece++) {
          const next = k + lengths[piece % lengths.length]! + (piece % 2);
          looks.push(...read(parts, text.slice(k, next)));
          k = next;
        }
        const whole = start();
        expect(looks).toEqual(read(whole, text));
        expect(saveNoveltyMeter(parts.meter)).toEqual(saveNoveltyMeter(whole.meter));
      }),
    );
  });

  test('goes on from what was saved at any character', () => {
    fc.assert(
      fc.property(texts, fc.nat(), (text, cut) => {
        const [left, right] = [text.slice(0, cut % text.length), text.slice(cut % text.length)];
        const live = start();
        read(live, left);
        const resumed = {
          meter: loadNoveltyMeter(JSON.parse(JSON.stringify(saveNoveltyMeter(live.meter)))),
          words: loadWords('text', JSON.parse(JSON.stringify(saveWords(live.words)))),
        };
        expect(read(resumed, right)).toEqual(read(live, right));
      }),
    );
  });

  test('begins every message anew', () => {
    const meter = startNoveltyMeter();
    for (let k = 0; k < 20; k++) {
      expect(read({ meter, words: startWords('text') }, paragraph)).toEqual([]);
      endMeteredMessage(meter);
    }
    expect(saveNoveltyMeter(meter)).toEqual(saveNoveltyMeter(startNoveltyMeter()));
  });

  test('refuses what it did not save', () => {
    const saved = saveNoveltyMeter(startNoveltyMeter()) as Record<string, unknown>;
    for (const wrong of [null, {}, { ...saved, triples: 'tabc' }, { ...saved, words: 7 }, { ...saved, score: null }])
      expect(() => loadNoveltyMeter(wrong as never), JSON.stringify(wrong)).toThrow(TypeError);
  });
});
