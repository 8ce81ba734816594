import { describe, expect, it } from 'vitest';
import { readBytes, readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('kimi', import.meta.url);

describe('kimi', () => {
  it('gives new ids to calls that are numbered again in every step', async () => {
    expect(await readFixture(import.meta.url, 'agents', 'main', 'wire.jsonl')).toMatchObject([
      {
        model: 'moonshot-ai/kimi-k2.7-code',
        project: '/home/ada/sample',
        lines: [
          'prompt: Count the files',
          'turn-start',
          'reasoning: Use Glob.',
          'call Glob_0: Glob {"pattern":"*"}',
          'turn-end',
          'result Glob_0: a.txt',
          'usage 151 (50 cached) + 9',
          'turn-start',
          'call Glob_0#2: Glob {"pattern":"**"}',
          'turn-end',
          'result Glob_0#2 failed: boom',
          'turn-end: interrupted',
          'compaction',
          '[agent-0] prompt: Count deeper',
        ],
      },
    ]);
  });

  it('reads a sub-agent from a file of its own as a session with a parent', async () => {
    expect(await readFixture(import.meta.url, 'agents', 'agent-0', 'wire.jsonl')).toMatchObject([
      {
        id: 'fixtures/agent-0',
        parent: 'fixtures',
        lines: ['prompt: Count deeper', 'turn-start', 'text: Seven.', 'turn-end'],
      },
    ]);
  });

  it('reads the wire of the command line tool, with arguments in parts', async () => {
    expect(await readFixture(import.meta.url, 'cli', 'wire.jsonl')).toMatchObject([
      {
        id: 'cli',
        lines: [
          'prompt: Fix the typo',
          'turn-start',
          'reasoning: Look first.',
          'call tc1: ReadFile {"path":"a.md"}',
          'turn-end',
          'result tc1 failed: `a.md` does not exist.',
          'usage 15 (5 cached) + 4',
          '[tc9] text: Sub says.',
          'compaction',
          'turn-end: interrupted',
        ],
      },
    ]);
  });

  it('keeps the output of a tool without what the agent adds to it', async () => {
    const line = (event: object) => JSON.stringify({ type: 'context.append_loop_event', event, time: 1772359200000 });
    const results = ['a', 'a\n\n<system-reminder>\nAgain?\n</system-reminder>', '<system-reminder> is a tag'];
    const lines = results.flatMap((output, k) => [
      line({ type: 'tool.call', toolCallId: `c${k}`, name: 'Read', args: {} }),
      line({ type: 'tool.result', toolCallId: `c${k}`, result: { output } }),
    ]);
    const { sessions } = await readBytes([Buffer.from(lines.join('\n'))]);
    const read = sessions[0]!.events.filter((event) => event.type === 'tool-result');
    expect(read.map(({ output }) => output)).toEqual(['a', 'a', '<system-reminder> is a tag']);
  });

  it('skips the context if there is a wire log in the same folder', async () => {
    expect(await readFixture(import.meta.url, 'cli', 'context.jsonl')).toEqual([]);
  });

  it('reads the context if there is no wire log', async () => {
    expect(await readFixture(import.meta.url, 'cli-context-only', 'context.jsonl')).toMatchObject([
      {
        id: 'cli-context-only',
        lines: [
          'prompt: Fix the typo',
          'turn-start',
          'reasoning: Look.',
          'call tc1: ReadFile {"path":"a.md"}',
          'turn-end',
          'result tc1: Teh end',
        ],
      },
    ]);
  });
});
