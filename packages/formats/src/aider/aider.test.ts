import { describe, expect, it } from 'vitest';
import type { Head } from '../records/head.js';
import { readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';
import { aider } from './aider.js';

translatorLaws('aider', import.meta.url);

describe('aider', () => {
  it('reads each start of aider as a session, with its edits as calls', async () => {
    expect(await readFixture(import.meta.url, 'chat.history.md')).toMatchObject([
      {
        id: 'chat.history 2026-03-01 10:00:00',
        model: 'gemini/gemini-3-pro',
        version: '0.86.1',
        lines: [
          'prompt: rename the function\nand its test',
          'turn-start',
          'text: I rename it.\na.py\n```python\n',
          'call edit-1: edit {"path":"a.py","search":"def f():","replace":"def g():"}',
          'text: ```\nb.py\n```python\n',
          'call edit-2: edit {"path":"b.py","search":"f()","replace":"g()"}',
          'text: ```\nDone.\n',
          'usage 3200 (1100 cached) + 222 for $0.02',
          'turn-end',
          'result edit-1 fine: Applied edit to a.py',
          'result edit-2 failed: The LLM did not conform to the edit format.',
          'turn-start',
          'text: Again:\nb.py\n',
          'call edit-3: edit {"path":"b.py","search":"#### f()","replace":"> g()"}',
          'usage 4000 + 100',
          'turn-end',
          'turn-end: interrupted',
        ],
      },
      { id: 'chat.history 2026-03-02 09:30:00', lines: ['prompt: hello', 'turn-start', 'text: Hi.\n', 'turn-end'] },
    ]);
  });
});

it('reads a file name of many marks, and a head of many empty lines, at once', async () => {
  const head = '\n'.repeat(300_000);
  expect(aider.sniff({ bytes: Buffer.from(`${head}x`) } as Head)).toBe(false);
  expect(aider.sniff({ bytes: Buffer.from('\n \n# aider chat started at 2026-03-01') } as Head)).toBe(true);
});
