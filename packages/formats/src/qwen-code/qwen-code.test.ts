import { describe, expect, it } from 'vitest';
import { readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('qwen-code', import.meta.url, { repeats: true });

describe('qwen-code', () => {
  it('takes the pieces of an answer under one id, and objects glued to one line', async () => {
    expect(await readFixture(import.meta.url, 'pieces-0.21.jsonl')).toMatchObject([
      {
        id: '9d000000-0000-4000-8000-000000000001',
        model: 'qwen3-coder',
        title: 'A file read',
        version: '0.21.0',
        lines: [
          'prompt: Read the file',
          'turn-start',
          'retry',
          'reasoning: Reading.',
          'call c1: read_file {"path":"x.txt"}',
          'usage 50 (20 cached) + 9',
          'turn-end',
          'result c1 failed: File not found: x.txt',
          'compaction',
          'prompt: Thanks {"really"}',
          'turn-start',
          'text: Gladly.',
          'turn-end',
        ],
      },
    ]);
  });
});
