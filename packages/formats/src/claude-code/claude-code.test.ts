import { describe, expect, it } from 'vitest';
import type { RecordedUsage } from '../format.js';
import { readBytes, readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('claude-code', import.meta.url, { repeats: true });

describe('claude-code', () => {
  it('reads the model of every answer, also if it changes and in a sub-agent', async () => {
    const line = (id: string, model: string, agentId?: string) => ({
      ...{ type: 'assistant', sessionId: 's', uuid: id, timestamp: '2026-01-01T00:00:00Z', agentId },
      message: { id, model, content: [{ type: 'text', text: id }], usage: { input_tokens: 5, output_tokens: 1 } },
    });
    const lines = [line('a', 'claude-opus-5'), line('b', 'claude-haiku-4-5', 'x'), line('c', 'claude-sonnet-5')];
    const log = lines.map((one) => `${JSON.stringify(one)}\n`).join('');
    const { sessions } = await readBytes([Buffer.from(log)]);
    const models = sessions[0]?.events.flatMap((event) =>
      event.type === 'usage' ? [[event.lane, (event as RecordedUsage).model]] : [],
    );
    expect(models).toEqual([
      [undefined, 'claude-opus-5'],
      [undefined, 'claude-sonnet-5'],
      ['x', 'claude-haiku-4-5'],
    ]);
    expect(sessions[0]?.session.model).toBe('claude-sonnet-5');
  });

  it('reads cache writes and how long they are kept, once although the lines of an answer repeat them', async () => {
    const usage = { input_tokens: 3, cache_read_input_tokens: 40, cache_creation_input_tokens: 500, output_tokens: 7 };
    const cached = { ...usage, cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 400 } };
    const line = (text: string) => ({
      ...{ type: 'assistant', sessionId: 's', uuid: text },
      message: { id: 'm', content: [{ type: 'text', text }], usage: cached },
    });
    const log = ['one', 'two'].map((text) => `${JSON.stringify(line(text))}\n`).join('');
    const { sessions } = await readBytes([Buffer.from(log)]);
    expect(sessions[0]?.events.filter(({ type }) => type === 'usage')).toMatchObject([
      { inputTokens: 543, outputTokens: 7, cachedTokens: 40, cacheWriteTokens: 500, longCacheWriteTokens: 400 },
    ]);
  });

  it('reads lanes, retries, interrupts and compaction, and each thing once', async () => {
    expect(await readFixture(import.meta.url, 'lanes-2.1.40.jsonl')).toMatchObject([
      {
        id: '5f0c2d1e-0000-4000-8000-000000000001',
        model: 'claude-opus-4-6',
        project: '/home/ada/sample',
        version: '2.1.40',
        title: 'Word count',
        lines: [
          'prompt: Count the words in notes.txt',
          'turn-start',
          'retry',
          'reasoning: Two looks at once.',
          'call toolu_1: Read {"file_path":"notes.txt"}',
          'usage 130 (100 cached) + 30',
          'turn-end',
          'result toolu_1: one two three',
          'call toolu_2: Bash {"command":"wc -w notes.tx"}',
          'usage 0 + 22',
          'result toolu_2 failed: wc: notes.tx: No such file or directory',
          'turn-start',
          'text: I ask a helper.',
          'call toolu_3: Task {"description":"count","prompt":"Count the words"}',
          '[x1] prompt: Count the words',
          '[x1] turn-start',
          '[x1] call toolu_4: Bash {"command":"wc -w notes.txt"}',
          '[x1] usage 10 + 5',
          '[x1] turn-end: tool_use',
          '[x1] result toolu_4 fine: 3 notes.txt',
          '[a77] prompt: Count again',
          '[a77] turn-start',
          '[a77] text: Three.',
          'usage 10 + 5',
          'turn-end: tool_use',
          'result toolu_3: Three words.',
          'turn-end: interrupted',
          'prompt: Go on',
          'compaction',
          'turn-start',
          'text: Three words in all.',
          'usage 143 (140 cached) + 9',
          'turn-end: end_turn',
          '[a77] usage 10 + 5',
          '[a77] turn-end: end_turn',
        ],
      },
    ]);
  });

  it('reads a sub-agent from a file of its own as a session with a parent', async () => {
    expect(await readFixture(import.meta.url, 'agent-a99.jsonl')).toMatchObject([
      {
        id: '5f0c2d1e-0000-4000-8000-000000000001/a99',
        parent: '5f0c2d1e-0000-4000-8000-000000000001',
        lines: [
          '[a99] prompt: Look for TODO',
          '[a99] turn-start',
          '[a99] call toolu_9: Grep {"pattern":"TODO"}',
          '[a99] usage 10 + 5',
          '[a99] turn-end: tool_use',
          '[a99] result toolu_9: No matches found',
        ],
      },
    ]);
  });

  it('reads what the command line tool prints', async () => {
    expect(await readFixture(import.meta.url, 'stream-json.jsonl')).toMatchObject([
      {
        id: 's-1',
        model: 'claude-opus-4-6',
        lines: [
          'turn-start',
          'text: I look.',
          'call toolu_1: Read {"file_path":"a.txt"}',
          'usage 10 + 5',
          'turn-end',
          'result toolu_1: <file>',
        ],
      },
    ]);
  });
});
