import { describe, expect, it } from 'vitest';
import { readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('swe-agent', import.meta.url);

describe('swe-agent', () => {
  it('reads every step as a call named after its command', async () => {
    expect(await readFixture(import.meta.url, 'demo__demo-1.traj')).toMatchObject([
      {
        id: 'demo__demo-1',
        model: 'gpt-4o',
        lines: [
          'turn-start',
          'reasoning: Open it.\n',
          'call call-1: open {"cmd":"open a.py"}',
          'turn-end',
          'result call-1: [File: a.py (1 lines total)]',
          'turn-start',
          'reasoning: Edit.\n',
          'call call-2: edit {"cmd":"edit 1:1\\nx = \\nend_of_edit"}',
          'turn-end',
          'result call-2: Your proposed edit has introduced new syntax error(s).',
          'turn-start',
          'text: I do not know.',
          'turn-end',
        ],
      },
    ]);
  });
});
