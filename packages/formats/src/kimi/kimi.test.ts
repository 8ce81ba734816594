import { describe, expect, it } from 'vitest';
import { fixture } from '../testing/fixtures.js';
import { retell, retellBytes, storyOf } from '../testing/retell.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('kimi', import.meta.url);

describe('kimi', () => {
  it('names calls that are numbered afresh in every step', async () => {
    const { sessions, faults } = await retell(fixture(import.meta.url, 'agents', 'main', 'wire.jsonl'));
    expect(faults).toEqual([]);
    expect(sessions[0]?.session).toMatchObject({ model: 'moonshot-ai/kimi-k2.7-code', project: '/home/ada/sample' });
    expect(storyOf(sessions[0]?.events)).toEqual([
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
    ]);
  });

  it('reads a sub-agent from a file of its own as a session with a parent', async () => {
    const { sessions, faults } = await retell(fixture(import.meta.url, 'agents', 'agent-0', 'wire.jsonl'));
    expect(faults).toEqual([]);
    expect(sessions[0]?.session).toMatchObject({ id: 'fixtures/agent-0', parent: 'fixtures' });
    expect(storyOf(sessions[0]?.events)).toEqual(['prompt: Count deeper', 'turn-start', 'text: Seven.', 'turn-end']);
  });

  it('reads the wire of the command line tool, with arguments in parts', async () => {
    const { sessions, faults } = await retell(fixture(import.meta.url, 'cli', 'wire.jsonl'));
    expect(faults).toEqual([]);
    expect(sessions[0]?.session).toMatchObject({ id: 'cli' });
    expect(storyOf(sessions[0]?.events)).toEqual([
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
    ]);
  });

  it('tells what a tool said without what the agent wrote behind it', async () => {
    const line = (event: object) => JSON.stringify({ type: 'context.append_loop_event', event, time: 1772359200000 });
    const results = ['a', 'a\n\n<system-reminder>\nAgain?\n</system-reminder>', '<system-reminder> is a tag'];
    const lines = results.flatMap((output, k) => [
      line({ type: 'tool.call', toolCallId: `c${k}`, name: 'Read', args: {} }),
      line({ type: 'tool.result', toolCallId: `c${k}`, result: { output } }),
    ]);
    const { sessions } = await retellBytes([Buffer.from(lines.join('\n'))]);
    const told = sessions[0]!.events.filter((event) => event.type === 'tool-result');
    expect(told.map(({ output }) => output)).toEqual(['a', 'a', '<system-reminder> is a tag']);
  });

  it('leaves the context to the wire beside it', async () => {
    const { sessions, faults } = await retell(fixture(import.meta.url, 'cli', 'context.jsonl'));
    expect(faults).toEqual([]);
    expect(sessions).toEqual([]);
  });

  it('reads the context where there is no wire', async () => {
    const { sessions, faults } = await retell(fixture(import.meta.url, 'cli-context-only', 'context.jsonl'));
    expect(faults).toEqual([]);
    expect(sessions[0]?.session).toMatchObject({ id: 'cli-context-only' });
    expect(storyOf(sessions[0]?.events)).toEqual([
      'prompt: Fix the typo',
      'turn-start',
      'reasoning: Look.',
      'call tc1: ReadFile {"path":"a.md"}',
      'turn-end',
      'result tc1: Teh end',
    ]);
  });
});
