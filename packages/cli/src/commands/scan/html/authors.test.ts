import { expect, test } from 'vitest';
import { authorsOf } from './authors.js';

test('sessions that were gathered from several people are distinguished by their home folders', () => {
  expect(
    authorsOf([
      { file: '/srv/logs/home/ada/.codex/sessions/a.jsonl' },
      { file: '/Users/bob/.claude/projects/b.jsonl' },
      { file: 'runs/c.jsonl', project: 'C:\\Users\\Eve\\shop' },
      { file: 'runs/d.jsonl' },
    ]),
  ).toEqual(['ada', 'bob', 'Eve', undefined]);
});

test('a report about one person names nobody', () => {
  expect(authorsOf([{ file: '/home/ada/a.jsonl' }, { file: '/home/ada/b.jsonl' }, { file: 'c.jsonl' }])).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
