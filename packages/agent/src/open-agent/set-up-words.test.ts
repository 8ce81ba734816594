import { expect, test } from 'vitest';
import type { SetUpProblem } from './set-up-error.js';
import { environmentPlaces, setUpInWords } from './set-up-words.js';

const problems: { readonly [Type in SetUpProblem['type']]: readonly Extract<SetUpProblem, { type: Type }>[] } = {
  provider: [{ type: 'provider' }, { type: 'provider', given: 'acme' }],
  model: [
    { type: 'model', provider: 'openai-compatible' },
    { type: 'model', provider: 'google', suggested: 'gemini-x' },
  ],
  address: [{ type: 'address' }, { type: 'address', given: 'file:///etc' }],
  key: [{ type: 'key', provider: 'openai', variables: ['A', 'B'] }],
  'key-address': [{ type: 'key-address', variable: 'A', address: 'http://a/v1', keptFor: [] }],
  settings: [{ type: 'settings', problems: [{ key: 'maxTurns', message: 'must be a number, got "x"' }] }],
  folder: [{ type: 'folder' }, { type: 'folder', path: '/x' }],
  session: [
    { type: 'session', wanted: 'a', root: '/w', matches: 0, found: [] },
    { type: 'session', wanted: 'a', root: '/w', matches: 2, found: [{ id: 'a1', title: 'one' }] },
  ],
  other: [{ type: 'other', message: 'as it came' }],
};

test('every problem has its own message, which names the places of the user interface', () => {
  const words = Object.values(problems).flatMap((all: readonly SetUpProblem[]) => all.map((one) => setUpInWords(one)));
  expect(new Set(words).size).toBe(words.length);
  const places = { ...environmentPlaces, model: 'HERE', key: () => 'THERE.', overrides: 'MINE' };
  expect(problems.model.map((problem) => setUpInWords(problem, places))).toEqual([
    'No model is set for openai-compatible. Name one with HERE.',
    'No model is set for google. Name one with HERE, for example gemini-x.',
  ]);
  expect(setUpInWords(problems.key[0]!, places)).toBe('No key for openai. THERE.');
  expect(setUpInWords(problems.settings[0]!, places)).toBe('MINE: "maxTurns" must be a number, got "x"');
});
