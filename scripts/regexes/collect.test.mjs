import assert from 'node:assert/strict';
import { test } from 'node:test';
import { regexesIn } from './collect.mjs';

const sources = (text) => regexesIn('x.ts', text).map(({ source, flags, made }) => made ?? `${source} ${flags}`);
/** Code with templates in it: `@{` stands for the opening of a placeholder. */
const code = (text) => text.replaceAll('@{', '$' + '{');

test('finds literals, and no division', () => {
  assert.deepEqual(sources('const a = /a+$/gu; const b = 1 / 2 / 3; x.replace(/[/]/, "");'), ['a+$ gu', '[/] ']);
});

test('finds what RegExp makes of text that is known', () => {
  assert.deepEqual(sources("new RegExp('a+', 'g'); RegExp(`b`); new RegExp(/c/)"), ['a+ g', 'b ', 'c ']);
  assert.deepEqual(
    sources(code('const name = String.raw`[\\w]+`; new RegExp(String.raw`^@{name}\\.@{name}$` + "x");')),
    ['^[\\w]+\\.[\\w]+$x '],
  );
});

test('gives the code of what it cannot know', () => {
  const made = code('new RegExp(`^@{given}$`)');
  assert.deepEqual(sources(`function f(given: string) { return ${made}; }`), [made]);
});
