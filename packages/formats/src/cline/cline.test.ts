import { describe, expect, it } from 'vitest';
import { readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('cline', import.meta.url);

describe('cline', () => {
  it('finds calls and results in the text of older tasks', async () => {
    expect(await readFixture(import.meta.url, '1772359200000', 'api_conversation_history.json')).toMatchObject([
      {
        id: '1772359200000',
        agent: 'cline',
        model: 'claude-sonnet-5',
        project: '/home/ada/sample',
        lines: [
          'prompt: Fix the build',
          'turn-start',
          'reasoning: \nBuild first.\n',
          'text: \nI build.',
          'call call-1: execute_command {"command":"npm run build","requires_approval":"false"}',
          'usage 900 (100 cached) + 40 for $0.01',
          'turn-end',
          'result call-1: Command executed.\nOutput:\nerror TS1005',
          'turn-start',
          'call call-2: replace_in_file {"path":"a.ts","diff":"------- SEARCH\\nx\\n=======\\ny\\n+++++++ REPLACE"}',
          'turn-end',
          'result call-2 failed: The tool execution failed with the following error:\n<error>\nno match\n</error>',
          'turn-start',
          'text: I give up.',
          'turn-end',
          'prompt: Try once more',
          'turn-start',
          'text: Reading.',
          'call toolu_1: read_file {"path":"a.ts"}',
          'turn-end',
          'result toolu_1: x',
        ],
      },
    ]);
  });

  it('skips the panel if the conversation is in the same folder', async () => {
    expect(await readFixture(import.meta.url, '1772359200000', 'ui_messages.json')).toEqual([]);
  });

  it('reads the panel if nothing else is there', async () => {
    expect(await readFixture(import.meta.url, 'panel-only', 'ui_messages.json')).toMatchObject([
      {
        id: 'panel-only',
        agent: 'cline',
        lines: [
          'prompt: Fix the build',
          'turn-start',
          'usage 1005 (100 cached) + 40 for $0.01',
          'reasoning: Build first.',
          'text: I build.',
          'call call-1: execute_command {"command":"npm run build"}',
          'turn-end',
          'result call-1: error TS1005',
          'turn-start',
          'retry',
          'call call-2: readFile {"tool":"readFile","path":"a.ts"}',
          'turn-end',
          'result call-2: x',
          'prompt: Try once more',
        ],
      },
    ]);
  });
});
