import { describe, expect, it } from 'vitest';
import { readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('copilot-cli', import.meta.url, { repeats: true });

describe('copilot-cli', () => {
  it('tells a sub-agent as a lane, a call that is asked for and begun as one, and no usage where it is told in part', async () => {
    expect(await readFixture(import.meta.url, 'sub-agent-1.0.jsonl')).toMatchObject([
      {
        id: 'bb000000-0000-4000-8000-000000000001',
        model: 'claude-sonnet-4.6',
        project: '/home/ada/sample',
        version: '1.0.12',
        lines: [
          'prompt: Tidy up',
          'turn-start',
          'reasoning: A helper can do it.',
          'call tu1: task {"prompt":"tidy"}',
          '[tu1] turn-start',
          '[tu1] text: On it.',
          '[tu1] call tu2: bash {"command":"rm x"}',
          '[tu1] turn-end',
          '[tu1] result tu2 failed: rm: x: not found',
          'turn-end',
          'result tu1 fine: Nothing to do.',
          'compaction',
          'turn-end: interrupted',
        ],
      },
    ]);
  });
});
