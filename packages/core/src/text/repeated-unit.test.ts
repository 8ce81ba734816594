import { expect, test } from 'vitest';
import { repeatedUnit } from './repeated-unit.js';

test('counts what a unit consists of', () => {
  const unit = repeatedUnit(['| ', 'a', 'b', '12', '\n', '漢', '=', '─'], 200);
  expect(unit).toMatchObject({ letters: 3, ideographs: 1, newlines: 1, marks: 2, rules: 2, length: 10 });
});

test('shows it from where a reader would say that it begins', () => {
  const sample = (text: string) => repeatedUnit(text, 40).sample;
  expect(sample('again.\n  I will try ')).toBe('I will try again.\n  ');
  expect(sample('ry. I will t')).toBe('I will try. ');
  expect(sample('rd wo')).toBe('word ');
  expect(sample('一下。我再检查')).toBe('我再检查一下。');
  expect(sample('abc')).toBe('abc');
  expect(sample('x'.repeat(100))).toHaveLength(40);
});
