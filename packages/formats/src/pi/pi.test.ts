import { describe, expect, it } from 'vitest';
import { readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('pi', import.meta.url, { repeats: true });

describe('pi', () => {
  it('reads usage, cost, compaction and aborts', async () => {
    expect(await readFixture(import.meta.url, 'compaction-0.70.jsonl')).toMatchObject([
      {
        id: '019e0000-0000-7000-8000-000000000001',
        model: 'claude-opus-4-7',
        project: '/home/ada/sample',
        lines: [
          'prompt: Add a folder',
          'turn-start',
          'reasoning: Simple.',
          'call t1: bash {"command":"mkdir a"}',
          'usage 115 (100 cached) + 20 for $0.01',
          'turn-end: toolUse',
          'result t1 failed: mkdir: a: File exists',
          'compaction',
          'turn-start',
          'text: It was',
          'usage 5 + 2',
          'turn-end: interrupted',
        ],
      },
    ]);
  });
});
