import { describe, expect, it } from 'vitest';
import { readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('roo-code', import.meta.url);

describe('roo-code', () => {
  it('knows Roo Code by how it words the environment', async () => {
    expect(await readFixture(import.meta.url, 'task-7', 'api_conversation_history.json')).toMatchObject([
      {
        id: 'task-7',
        agent: 'roo-code',
        model: 'qwen3-max',
        project: '/home/ada/sample',
        lines: [
          'prompt: Read it',
          'turn-start',
          'call call-1: read_file {"args":"<file><path>a.ts</path></file>"}',
          'turn-end',
          'result call-1: <files>x</files>',
          'turn-start',
          'call call-2: attempt_completion {"result":"It says x."}',
          'turn-end',
        ],
      },
    ]);
  });
});
