import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { block, loadWords, readBlock, saveWords, startWords, textBetween, type Words } from './words.js';

const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom('the ', 'File', '007', '12', ' ', '```', '(', '\n<', '</', '汉', 'é', '→', '🎉', '\ud83c'),
      fc.string({ unit: 'binary', maxLength: 20 }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Reads pieces of at most a block each, and gives the words that ended, with where and how. */
function read(words: Words, pieces: readonly string[]): unknown[] {
  const seen: unknown[] = [];
  for (const piece of pieces) {
    readBlock(words, piece);
    for (let k = 0; k < words.count; k++)
      seen.push([
        block.shapes[k],
        block.hashes[k],
        words.begun + block.ends[k]!,
        words.offset + block.offsets[k]!,
        block.letters[k],
        block.coded[k],
      ]);
  }
  return seen;
}

/** Pieces of so many characters, none of which ends within a pair of surrogates. */
function cut(text: string, size: number): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = from + size;
    while (text.charCodeAt(to - 1) >= 0xd800 && text.charCodeAt(to - 1) < 0xdc00) to++;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

describe('the words of a message', () => {
  const shapesOf = (text: string) =>
    read(startWords('text'), cut(`${text} `, 100)).map((word) => (word as number[])[0]);
  const hashesOf = (text: string) =>
    read(startWords('text'), cut(`${text} `, 100)).map((word) => (word as number[])[1]);

  test('are the same in capitals; their shapes are the same whatever their digits are', () => {
    expect(hashesOf('The File')).toEqual(hashesOf('the file'));
    expect(shapesOf('step12 of 300')).toEqual(shapesOf('step7 of 4'));
    expect(hashesOf('step12')).not.toEqual(hashesOf('step7'));
    expect(hashesOf('007')).not.toEqual(hashesOf('7'));
    expect(shapesOf('ab')).not.toEqual(shapesOf('ba'));
  });

  test('end where they end, in bytes and in characters', () => {
    const words = read(startWords('text'), ['Où 汉字 🎉! ok ']) as number[][];
    expect(words.map(([, , end]) => end)).toEqual([3, 7, 10, 15, 19]);
    expect(words.map(([, , , offset]) => offset)).toEqual([2, 4, 5, 8, 12]);
    expect(words.map(([, , , , letters]) => letters)).toEqual([2, 2, 2, 1, 2]);
  });

  test('are code between fences and behind marks', () => {
    const coded = (read(startWords('text'), ['a (b) c\n```\nd\n```\ne f ']) as number[][]).map((word) => word[5]);
    expect(coded).toEqual([0, 1, 1, 1, 1, 0]);
  });

  test('are code within tags on lines of their own, unless these hold thoughts', () => {
    const codedOf = (text: string) => (read(startWords('text'), [text]) as number[][]).map((word) => word[5]);
    expect(codedOf('a\n<write>\nb c\n</write>\nd e ')).toEqual([0, 1, 1, 1, 1, 1, 0]);
    expect(codedOf('<think>\nb c d\n</think>\ne f ')).toEqual([1, 1, 0, 0, 1, 1, 0]);
    expect(codedOf('a <b c d ')).toEqual([0, 1, 0, 0]);
  });

  test('do not depend on how the message is cut', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, size) => {
        const whole = startWords('text');
        const parts = startWords('text');
        expect(read(parts, cut(text, size))).toEqual(read(whole, cut(text, 100)));
        expect(saveWords(parts)).toEqual(saveWords(whole));
        expect(textBetween(parts, 0, parts.size)).toBe(decoder.decode(new TextEncoder().encode(text)));
        expect(parts.length).toBe(text.length);
      }),
    );
  });

  test('go on from what was saved', () => {
    fc.assert(
      fc.property(texts, texts, fc.nat(150), (before, after, times) => {
        const live = startWords('text');
        read(live, cut(before.repeat(times), 100));
        const resumed = loadWords('text', JSON.parse(JSON.stringify(saveWords(live))));
        expect(read(resumed, cut(after, 100))).toEqual(read(live, cut(after, 100)));
        expect(saveWords(resumed)).toEqual(saveWords(live));
      }),
      { numRuns: 40 },
    );
  });

  test('refuse what they did not save', () => {
    const saved = saveWords(startWords('text')) as Record<string, unknown>;
    for (const wrong of [null, 'words', {}, { ...saved, kept: 'q' }, { ...saved, size: 5 }, { ...saved, word: 'x' }])
      expect(() => loadWords('text', wrong as never), JSON.stringify(wrong)).toThrow(TypeError);
  });
});
