import { describe, expect, it } from 'vitest';
import { fixture } from '../testing/fixtures.js';
import { retell, storyOf } from '../testing/retell.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('codex', import.meta.url);

describe('codex', () => {
  it('takes what is told twice once, and fills in what only the interface was told', async () => {
    const { sessions, faults } = await retell(fixture(import.meta.url, 'echoes-0.106.jsonl'));
    expect(faults).toEqual([]);
    expect(sessions[0]?.session).toMatchObject({
      id: '019c0000-0000-7000-8000-000000000001',
      parent: '019c0000-0000-7000-8000-000000000000',
      model: 'gpt-5.5',
      project: '/home/ada/sample',
      version: '0.106.0',
    });
    expect(storyOf(sessions[0]?.events)).toEqual([
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
      'turn-end: interrupted',
    ]);
  });

  it('reads rollouts from before the envelope', async () => {
    const { sessions, faults } = await retell(fixture(import.meta.url, 'before-the-envelope.jsonl'));
    expect(faults).toEqual([]);
    expect(sessions[0]?.session).toMatchObject({
      id: 'cf4def41-0000-4000-8000-000000000001',
      startedAt: 1751360400000,
    });
    expect(storyOf(sessions[0]?.events)).toEqual([
      'prompt: What is here?',
      'turn-start',
      'reasoning: List it.',
      'call call_1: shell {"command":["ls"]}',
      'turn-end',
      'result call_1 fine: a.txt\n',
      'turn-start',
      'text: One file.',
      'turn-end',
    ]);
  });
});
