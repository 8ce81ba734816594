import { describe, expect, it } from 'vitest';
import { readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('opencode', import.meta.url);

describe('opencode', () => {
  it('reads sessions that are interleaved in the database', async () => {
    const [first, second, ...others] = await readFixture(import.meta.url, 'opencode.db');
    expect(first).toMatchObject({ id: 'ses_a', model: 'kimi-k2', title: 'Title of ses_a', version: '1.18.33' });
    expect(first?.lines).toEqual([
      'prompt: Ask a helper',
      'turn-start',
      'call call_1: task {"prompt":"help"}',
      'retry',
      'usage 16 (4 cached) + 6 for $0.5',
      'turn-end: stop',
    ]);
    expect(second).toMatchObject({ id: 'ses_b', parent: 'ses_a', model: 'kimi-k2', title: 'Title of ses_b' });
    expect(second?.lines.map((line) => line.slice(0, 60))).toEqual([
      'compaction',
      'turn-start',
      'reasoning: Long. Long. Long. Long. Long. Long. Long. Long. L',
      // Of one step: the model made them together, though each is written down with its result.
      ...[2, 3, 4, 5, 6, 7].map((call) => `call call_${call}: read {"filePath":"a.txt"}`),
      'turn-end',
      ...[2, 3, 4, 5, 6].map((call) => `result call_${call} fine: same`),
      'result call_7 failed: same',
    ]);
    expect(others).toEqual([]);
  });

  it('reads the store of files', async () => {
    expect(await readFixture(import.meta.url, 'storage', 'session', 'proj', 'ses_2f.json')).toMatchObject([
      {
        id: 'ses_2f',
        parent: 'ses_1f',
        model: 'glm-5',
        project: '/home/ada/sample',
        lines: [
          'prompt: Build it',
          'turn-start',
          'call call_1: bash {"command":"make"}',
          'turn-end',
          'result call_1 failed: make: *** no rule',
          'usage 130 (30 cached) + 7 for $0.002',
          'turn-end: interrupted',
        ],
      },
    ]);
  });
});
