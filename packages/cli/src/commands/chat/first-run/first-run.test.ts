import { providerFacts } from '@loopfuse/agent';
import { expect, test } from 'vitest';
import { fakeTerminal } from '../../../../testing/terminal.js';
import type { Key } from '../../../terminal/keys/key.js';
import { widthOf } from '../../../terminal/width.js';
import { pageOf } from '../view/page.js';
import { type Choice, type FirstRun, type KnownBefore, pressInFirstRun, startFirstRun } from './first-run.js';
import { firstRunLines } from './first-run-lines.js';

type Press = Key['type'] | `type ${string}`;

function press(run: FirstRun, ...keys: readonly Press[]): FirstRun | Choice | 'leave' {
  let at: FirstRun | Choice | 'leave' = run;
  for (const key of keys) {
    if (at === 'leave' || !('step' in at)) throw new Error('it had ended already');
    at = pressInFirstRun(at, key.startsWith('type ') ? { type: 'text', text: key.slice(5) } : ({ type: key } as Key));
  }
  return at;
}

function asking(known: Partial<KnownBefore> = {}, ...keys: readonly Press[]): FirstRun {
  const at = press(startFirstRun({ hasKey: () => false, ...known }), ...keys);
  if (at === 'leave' || !('step' in at)) throw new Error('it has ended');
  return at;
}

test('provider, model, key: Enter takes what is offered, the key is typed', () => {
  const { defaultModel: model } = providerFacts.anthropic;
  expect(press(asking(), 'enter', 'enter', 'type sk-1', 'enter', 'enter')).toEqual({
    provider: 'anthropic',
    model,
    key: 'sk-1',
    save: true,
  });
  expect(press(asking(), 'type 3', 'delete-to-start', 'type gemini-x', 'enter', 'type k', 'enter', 'type 2')).toEqual({
    provider: 'google',
    model: 'gemini-x',
    key: 'k',
    save: false,
  });
});

test('where the environment has a key, its provider is offered first and no key is asked for', () => {
  const known = { likely: 'openai', hasKey: (name: string) => name === 'openai' } as const;
  const { defaultModel: model } = providerFacts.openai;
  expect(press(asking(known), 'enter', 'enter', 'enter')).toEqual({ provider: 'openai', model, save: true });
  expect(asking(known, 'up', 'enter', 'enter').step).toBe('key');
});

test('a server of one’s own has an address, no default model, and a key only if it wants one', () => {
  const keys = ['type 4', 'type http://127.0.0.1:1/v1', 'enter', 'type local', 'enter', 'enter', 'enter'] as const;
  expect(press(asking(), ...keys)).toEqual({
    provider: 'openai-compatible',
    baseURL: 'http://127.0.0.1:1/v1',
    model: 'local',
    save: true,
  });
});

test('what is known already is not asked', () => {
  expect(asking({ provider: 'google' }).step).toBe('model');
  expect(asking({ provider: 'google', model: 'm' }).step).toBe('key');
  expect(asking({ provider: 'openai-compatible', model: 'm' }).step).toBe('address');
  expect(asking({ provider: 'openai-compatible', baseURL: 'http://a/v1' }).step).toBe('model');
});

test('what cannot be right is not taken, and what was expected is told', () => {
  expect(asking({}, 'type 4', 'type localhost', 'enter')).toMatchObject({
    step: 'address',
    problem: expect.any(String),
  });
  expect(asking({}, 'type 4', 'enter').problem).toContain('http://127.0.0.1:8080/v1');
  expect(asking({}, 'enter', 'enter', 'enter').problem).toBe('Expected a key.');
  expect(asking({}, 'enter', 'enter', 'type a b', 'enter').problem).toContain('one word');
  expect(asking({}, 'enter', 'delete-to-start', 'enter').problem).toContain('name of a model');
  expect(asking({}, 'enter', 'enter', 'enter', 'type x')).not.toHaveProperty('problem');
});

test('Escape goes back, with what was answered; at the beginning it leaves, as Ctrl-C does anywhere', () => {
  expect(asking({}, 'down', 'enter', 'escape')).toMatchObject({ step: 'provider', chosen: 1 });
  expect(asking({}, 'enter', 'delete-to-start', 'type m', 'enter', 'escape').line.text).toBe('m');
  expect(press(asking(), 'escape')).toBe('leave');
  expect(press(asking({}, 'enter', 'enter', 'type sk'), 'interrupt')).toBe('leave');
});

test('another provider forgets the model and the key of the first', () => {
  const at = asking({}, 'enter', 'enter', 'type sk', 'enter', 'escape', 'escape', 'escape', 'type 2');
  expect(at.answers).toEqual({ provider: 'openai' });
  expect(at.line.text).toBe(providerFacts.openai.defaultModel);
});

test.each([
  [40, true],
  [40, false],
  [100, true],
])('at %i columns (Unicode: %s) every line fits, and the key is nowhere', (columns, utf8) => {
  const page = pageOf({ out: fakeTerminal({ utf8 }) }, { columns, rows: 24 });
  const keys: readonly Press[] = ['type 4', 'type http://127.0.0.1:8080/v1', 'enter', 'type local-model', 'enter'];
  for (let k = 0; k <= keys.length; k++) {
    const lines = firstRunLines(asking({}, ...keys.slice(0, k)), page).map((line) =>
      line.map(({ text }) => text).join(''),
    );
    expect(lines.filter((line) => widthOf(line) > columns - 4)).toEqual([]);
    if (!utf8) expect(lines.join('\n')).toMatch(/^[\x20-\x7e\n\u00a0]*$/);
  }
  const typed = asking({}, ...keys, 'type sk-very-secret-key');
  for (const run of [typed, asking({}, ...keys, 'type sk-very-secret-key', 'enter')]) {
    const shown = JSON.stringify(firstRunLines(run, page));
    expect(shown).not.toMatch(/secret|sk-/);
    expect(shown).toContain('kept for this run only');
  }
});
