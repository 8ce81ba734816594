import { describe, expect, it } from 'vitest';
import { readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('codex', import.meta.url);

describe('codex', () => {
  it('reads what is logged twice once, and adds what only the events for the interface hold', async () => {
    expect(await readFixture(import.meta.url, 'echoes-0.106.jsonl')).toMatchObject([
      {
        id: '019c0000-0000-7000-8000-000000000001',
        parent: '019c0000-0000-7000-8000-000000000000',
        model: 'gpt-5.5',
        project: '/home/ada/sample',
        version: '0.106.0',
        lines: [
          'prompt: Run the tests',
          'turn-start',
          'reasoning: **Testing**',
          'text: I run them.',
          'call call_a: shell {"command":["bash","-lc","npm test"]}',
          'turn-end',
          'result call_a failed: 1 failing\n',
          'usage 1000 (800 cached) + 50',
          'turn-start',
          'call call_b: exec_command {"cmd":"npm test"}',
          'turn-end',
          'result call_b fine: Chunk ID: 3f\nWall time: 0.4 seconds\nProcess exited with code 0\nOutput:\nall good',
          'turn-start',
          'retry',
          'call call_c: apply_patch "*** Begin Patch\\n*** End Patch"',
          'turn-end',
          'result call_c: Success.',
          'turn-start',
          'call call_d: tracker__list {"page":1}',
          'turn-end',
          'result call_d fine: two issues',
          'compaction',
          'turn-start',
          'call call_e: mcp__tracker__list {"page":2}',
          'turn-end',
          'result call_e: no issues',
          'turn-start',
          'call call_f: shell__exec "ls"',
          'turn-end',
          'result call_f: a.txt',
          'turn-end: interrupted',
        ],
      },
    ]);
  });

  it('reads rollouts from before the envelope', async () => {
    expect(await readFixture(import.meta.url, 'before-the-envelope.jsonl')).toMatchObject([
      {
        id: 'cf4def41-0000-4000-8000-000000000001',
        startedAt: 1751360400000,
        lines: [
          'prompt: What is here?',
          'turn-start',
          'reasoning: List it.',
          'call call_1: shell {"command":["ls"]}',
          'turn-end',
          'result call_1 fine: a.txt\n',
          'turn-start',
          'text: One file.',
          'turn-end',
        ],
      },
    ]);
  });
});
