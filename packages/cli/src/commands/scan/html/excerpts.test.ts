import fc from 'fast-check';
import type { Json } from 'loopfuse';
import { expect, test } from 'vitest';
import { createMask } from '../../../recorded/mask.js';
import { createExcerpts } from './excerpts.js';

const secret = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789';
const excerpts = () => createExcerpts(createMask());

test('an excerpt is never much longer than it may be, holds no half character, and nothing throws', () => {
  const value = fc.jsonValue({ maxDepth: 12 }) as fc.Arbitrary<Json>;
  const text = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes));
  fc.assert(
    fc.property(fc.oneof(value, text), fc.integer({ min: 10, max: 900 }), (one, most) => {
      const excerpt = excerpts().value(one, most);
      expect(excerpt.length).toBeLessThanOrEqual(most + 40);
      expect(excerpt).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
    }),
  );
});

test('a secret is masked wherever a text is cut', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 3000 }),
      fc.nat({ max: 3000 }),
      fc.integer({ min: 20, max: 1200 }),
      (before, after, most) => {
        const text = `${'word '.repeat(before / 5)}${secret}${' word'.repeat(after / 5)}`;
        expect(excerpts().text(text, most)).not.toContain(secret.slice(0, 12));
        expect(excerpts().value({ command: text, list: [text] }, most)).not.toContain(secret.slice(0, 12));
      },
    ),
  );
});

test('a private key is masked however long it is and wherever it is', () => {
  const lines = Array.from(
    { length: 40 },
    (_, k) => `MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj${String(k).padStart(4, '0')}`,
  );
  const key = `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----`;
  for (const text of [key, `${'x '.repeat(900)}${key}`, `${key}${' x'.repeat(900)}`, `a ${key} b`])
    for (const most of [160, 700, 1500]) {
      expect(excerpts().text(text, most)).not.toContain('MIIEvQ');
      expect(excerpts().value({ file: text }, most)).not.toContain('MIIEvQ');
    }
  const token = `eyJ${'a1'.repeat(800)}.${'b2'.repeat(800)}.${'c3'.repeat(300)}`;
  expect(excerpts().text(`${'x '.repeat(2000)}${token}`, 1000)).not.toMatch(/(?:a1|b2|c3){4}/);
});

test('of a long text both ends are shown, and how much lies between', () => {
  const text = `begin${' of it'.repeat(900)} end`;
  const excerpt = excerpts().text(text, 1000);
  expect(excerpt).toMatch(/^begin/);
  expect(excerpt).toMatch(/end$/);
  expect(excerpt).toContain('… 4409 characters …');
});

test('a call reads as lines of what it was given, a result as its text', () => {
  expect(excerpts().value({ path: 'a.ts', lines: [1, 2], nested: { deep: true } }, 200)).toBe(
    'path: a.ts\nlines: [1,2]\nnested: {"deep":true}',
  );
  expect(
    excerpts().value(
      [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
      200,
    ),
  ).toBe('one\ntwo');
  expect(excerpts().value({ api_key: 'hunter2hunter2' }, 200)).toBe('api_key: [secret-1]');
});

test('what is huge is made small before anything else is done with it', () => {
  const huge = { list: Array.from({ length: 100_000 }, (_, k) => ({ k, text: 'y'.repeat(100) })) };
  const excerpt = excerpts().value(huge, 1000);
  expect(excerpt.length).toBeLessThan(1100);
  expect(excerpt).toContain('99960 more');
});

test('a long word at the cut does not take long', () => {
  const word = '+/'.repeat(150_000);
  expect(excerpts().text(`start ${word} ${word} end`, 200_000).length).toBeLessThan(200_100);
});
