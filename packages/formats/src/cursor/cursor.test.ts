import { describe, expect, it } from 'vitest';
import { readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('cursor', import.meta.url);

describe('cursor', () => {
  it('pairs results with calls in order, where calls have no id', async () => {
    expect(await readFixture(import.meta.url, 'transcript.jsonl')).toMatchObject([
      {
        id: 'transcript',
        agent: 'cursor',
        lines: [
          'prompt: Rename it',
          'turn-start',
          'reasoning: Easy.',
          'text: Renaming.',
          'call call-1: Shell {"command":"mv a b"}',
          'turn-end',
          'result call-1: ok',
          'turn-start',
          'call call-2: Read {"path":"b"}',
          'turn-end: success',
        ],
      },
    ]);
  });
});
