import { describe, expect, test } from 'vitest';
import { addPhrase, sketchOfPhrases, startPhrases } from '../value/phrase.js';
import { createFrame, withoutFrame } from './frame.js';

function asked(command: string) {
  const phrases = startPhrases();
  addPhrase(phrases, 0, command);
  return sketchOfPhrases(phrases);
}

const commands = [
  'ls src',
  'cat notes about the harbour',
  'npm test',
  'git log --oneline',
  'pwd',
  'python run.py --fast',
];
const bodies = ['a.ts\nb.ts', 'The pier was built in 1902.', '12 passed', 'fe3a one\nc19b two', '/code', 'done'];

/** What is left of results that come one after the other, each of another call. */
function left(around: (body: string, k: number) => string, calls = commands): string[] {
  const frame = createFrame();
  return bodies.map((body, k) => withoutFrame(frame, around(body, k), asked(calls[k]!)));
}

const ids = ['7f3a', '0b91', 'c44d', '9e02', '51aa', 'd8c7'];

describe('what a host writes around every result', () => {
  test.each([
    ['an id before them', (body: string, k: number) => `[tool_call_id=call_${ids[k]}] ${body}`],
    ['an id on a line of its own', (body: string, k: number) => `Chunk ${ids[k]}:\n${body}`],
    [
      'what it has cost so far',
      (body: string, k: number) => `${body}\ncost so far: $0.0${(k * 7) % 10}, tokens: ${k * k * 131}`,
    ],
    ['both', (body: string, k: number) => `<run ${ids[k]}>\n${body}\n${k * k} kB`],
  ])('is taken off from the third different call on: %s', (_, around) => {
    const results = left(around).map((text) => text.trim());
    expect(results.slice(0, 2)).toEqual(bodies.slice(0, 2).map(around));
    expect(results.slice(2)).toEqual(bodies.slice(2));
  });

  test('stays where only the same call has brought it', () => {
    const around = (body: string, k: number) => `${body}\n${k * k + 2} tests failed`;
    expect(left(around, commands.fill('npm test'))).toEqual(bodies.map(around));
  });

  test('stays where it does not change, or does not come with all results', () => {
    const constant = (body: string) => `${body}\nexit code 1`;
    expect(left(constant)).toEqual(bodies.map(constant));
    const rare = (body: string, k: number) => (k % 2 === 0 ? body : `${body}\n${ids[k]} left`);
    expect(left(rare)).toEqual(bodies.map(rare));
  });
});
