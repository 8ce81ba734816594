import { type Choice, loopKinds } from 'loopfuse';
import { describe, expect, test } from 'vitest';
import { choiceWords, consequence, costOfLoop, loopInOneLine, offered, storyOf } from './index.js';

const loop = { findings: [{ tools: ['ls'] }, { tools: ['ls', 'grep'] }], resumes: true };
const choices: Choice[] = ['stop', 'continue', 'hint', 'exempt', 'disable'];

test('every kind of loop has its sentence, and so has an unknown kind', () => {
  const stories = Object.keys(loopKinds).map(storyOf);
  expect(new Set(stories).size).toBe(stories.length);
  for (const kind of ['constructor', 'hologram']) expect(stories).not.toContain(storyOf(kind));
});

describe('a choice', () => {
  test('has texts for a list, for a button, and for when it was made', () => {
    for (const words of [
      choices.map((one) => choiceWords(one, loop).label),
      choices.map((one) => choiceWords(one, loop).short),
      choices.map((one) => consequence(one, loop)),
    ])
      expect(new Set(words).size).toBe(choices.length);
    expect(choiceWords('exempt', loop).label).toBe('Never flag ls, grep');
    expect(choiceWords('exempt', { findings: [{ tools: ['ls'] }] }).short).toBe('Exempt ls');
    expect(choiceWords('disable', { ...loop, resumes: false }).about).toContain('send it again');
    expect(consequence('else', loop)).toBe('Chosen: else.');
  });

  test('is offered only where it exists, and one always is', () => {
    expect(offered({ choices: ['hint', 'dance'] })).toEqual(['hint']);
    expect(offered({ choices: [] })).toEqual(['stop']);
  });
});

test('a loop costs its share of what the session has cost, where that is known', () => {
  const usage = { inputTokens: 900, outputTokens: 100, cachedTokens: 0, reasoningTokens: 0 };
  expect(costOfLoop({ tokens: 250 }, usage, 2)).toBe(0.5);
  expect(costOfLoop({ tokens: 250 }, usage, undefined)).toBeUndefined();
  expect(costOfLoop({ tokens: 0 }, usage, 2)).toBeUndefined();
});

test('a loop is described in one line, with its cost', () => {
  const report = { title: 'Cycle', explanation: 'It goes round.', waste: { calls: 2, characters: 0, tokens: 0 } };
  expect(loopInOneLine(report, 0.02)).toBe('Cycle: It goes round. Spent on it: about $0.0200.');
});
