import { counted, dollars, grouped, short } from 'loopfuse/words';
import { afterEach, expect, test, vi } from 'vitest';
import { exactText, outputText, withoutEndLines } from './visible-text.js';
import { moment, when } from './when.js';

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1.0k'],
  [41_234, '41.2k'],
  [999_400, '999k'],
  [999_900, '1.0M'],
  [2_500_000_000, '2.5G'],
  [Number.NaN, 'NaN'],
])('%d in short is %s', (value, text) => {
  expect(short(value)).toBe(text);
});

test('numbers are grouped, counted and priced', () => {
  expect(grouped(1_234_567)).toBe('1,234,567');
  expect(counted(1, 'call')).toBe('1 call');
  expect(counted(2, 'entry', 'entries')).toBe('2 entries');
  expect(dollars(0.0042)).toBe('$0.0042');
  expect(dollars(1.274)).toBe('$1.27');
});

test('terminal output becomes plain text', () => {
  expect(outputText('\u001b[31mred\u001b[0m and \u001b]8;;http://x\u0007link\u001b]8;;\u0007')).toBe('red and link');
  expect(outputText('10%\r50%\r100%\r\ndone\u0007')).toBe('100%\ndone␇');
  expect(outputText('plain\ttext\n')).toBe('plain\ttext\n');
});

test('invisible characters are shown in what people approve', () => {
  expect(exactText('a\u202eb\u200bc\u0000d\u001b[8m\u00ade\r')).toBe('a‹U+202E›b‹U+200B›c␀d␛[8m‹U+00AD›e␍');
  expect(exactText('tab\tline\n äöü 漢字 ⚠️')).toBe('tab\tline\n äöü 漢字 ⚠️');
  // Tags encode ASCII, and fillers are letters; both are invisible.
  expect(exactText('ls\u{e0041}\u{e0100} \u3164\uffa0')).toBe('ls‹U+E0041›‹U+E0100› ‹U+3164›‹U+FFA0›');
  const hiding = [0x61c, 0x200b, 0x200c, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2069, 0xfeff, 0x85];
  for (const code of hiding) expect(exactText(String.fromCodePoint(code))).toMatch(/^‹U\+[\dA-F]{4}›$/);
});

const now = Date.parse('2026-11-15T12:00:00Z');
test.each([
  ['2026-11-15T11:59:40Z', 'just now'],
  ['2026-11-15T12:05:00Z', 'just now'],
  ['2026-11-15T11:59:00Z', '1 minute ago'],
  ['2026-11-15T09:10:00Z', '2 hours ago'],
  ['2026-11-14T11:00:00Z', 'yesterday'],
  ['2026-11-10T11:00:00Z', '5 days ago'],
  ['2026-10-01T11:00:00Z', '2026-10-01'],
  ['no date', 'no date'],
])('%s is shown as %s', (iso, words) => {
  expect(when(iso, now)).toBe(words);
});

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['Asia/Tokyo', '2026-10-02 08:30'],
  ['America/Los_Angeles', '2026-10-01 16:30'],
])('in %s a session is from %s', (zone, there) => {
  vi.stubEnv('TZ', zone);
  expect(moment('2026-10-01T23:30:00Z')).toBe(there);
  expect(when('2026-10-01T23:30:00Z', now)).toBe(there.slice(0, 10));
});

test('no output takes long to show, whatever it repeats', () => {
  for (const unit of ['\r', '\r \r', '\u001b]8;', '\n']) expect(outputText(`${unit.repeat(300_000)}x`)).toMatch(/x$/);
  expect(withoutEndLines(`${'\n'.repeat(300_000)}x\n\n`)).toMatch(/x$/);
});
