import { describe, expect, it } from 'vitest';
import { readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('droid', import.meta.url, { repeats: true });

describe('droid', () => {
  it('reads the store', async () => {
    expect(await readFixture(import.meta.url, 'store-0.81.jsonl')).toMatchObject([
      {
        id: 'droid-1',
        title: 'Files',
        project: '/home/ada/sample',
        lines: [
          'prompt: List files',
          'turn-start',
          'text: I list.',
          'call tu1: Execute {"command":"ls"}',
          'turn-end',
          'result tu1 failed: Error: denied',
          'turn-start',
          'reasoning: Hm.',
          'text: Denied.',
          'turn-end',
        ],
      },
    ]);
  });

  it('reads what the command line tool prints', async () => {
    expect(await readFixture(import.meta.url, 'stream-json.jsonl')).toMatchObject([
      {
        id: 'droid-2',
        model: 'glm-5',
        lines: [
          'prompt: List files',
          'turn-start',
          'call call_1: Execute {"command":"ls"}',
          'turn-end',
          'result call_1 fine: a.txt\n',
          'turn-start',
          'text: One file.',
          'usage 13 (3 cached) + 5',
          'turn-end',
        ],
      },
    ]);
  });
});
