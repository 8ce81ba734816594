import { describe, expect, it } from 'vitest';
import { fixture } from '../testing/fixtures.js';
import { retell, storyOf } from '../testing/retell.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('cursor', import.meta.url);

describe('cursor', () => {
  it('pairs results with calls in order, where calls have no id', async () => {
    const { sessions, faults } = await retell(fixture(import.meta.url, 'transcript.jsonl'));
    expect(faults).toEqual([]);
    expect(sessions[0]?.session).toMatchObject({ id: 'transcript', agent: 'cursor' });
    expect(storyOf(sessions[0]?.events)).toEqual([
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
    ]);
  });
});
