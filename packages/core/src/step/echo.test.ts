import { expect, test } from 'vitest';
import { addPhrase, startPhrases } from '../value/phrase.js';
import { withoutEcho } from './echo.js';

function left(text: string, command: string): string {
  const phrases = startPhrases();
  addPhrase(phrases, 0, command);
  return withoutEcho(text, [...phrases.words]);
}

test.each([
  ['$ npm test\n12 passed', 'npm test', '12 passed'],
  ['root@rig:/src# make -j4\n  CC init.o', 'make -j4\n', '  CC init.o'],
  ['(venv) me@rig % pytest -q\n3 passed', 'pytest -q', '3 passed'],
  ['harbour=> SELECT 1;\n 1\n', 'SELECT 1;', ' 1\n'],
  ['$ rm -rf dist', 'rm -rf dist', ''],
])('a terminal shows a command before its result: %j', (text, command, rest) => {
  expect(left(text, command)).toBe(rest);
});

test.each([
  ['12 passed', 'npm test'],
  ['$ npm install left-pad\nadded 1 package', 'npm test'],
  ['> a quote of somebody else\nand more', 'cat notes.md'],
  ['The price is > 12 dollars', 'look up the price of 12 dollars'],
])('anything else stays as it is: %j', (text, command) => {
  expect(left(text, command)).toBe(text);
});
