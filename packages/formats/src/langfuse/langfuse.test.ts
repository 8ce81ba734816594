import { describe, expect, it } from 'vitest';
import { expectExported } from '../testing/exported-lines.js';
import { fixture } from '../testing/fixtures.js';
import { linesOf, readAll, readBytes } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('langfuse', import.meta.url, { prefix: false });

describe('langfuse', () => {
  it.each([
    ['observations.json', '3f8a1c5e7b9d40213f8a1c5e7b9d4021'],
    ['observations.csv', '3f8a1c5e7b9d40213f8a1c5e7b9d4021'],
    ['trace.json', 'chat-77'],
    ['blob.jsonl', 'chat-77'],
  ])('reads the same events however it was exported: %s', async (file, id) => {
    const { summary } = await expectExported(import.meta.url, file, id);
    expect(summary.skipped).toMatchObject({ 'span of another kind': 1 });
  });

  it('reads costs as the export says, and what came from the cache', async () => {
    const { sessions } = await readAll(fixture(import.meta.url, 'blob.jsonl'));
    const usage = sessions[0]!.events.filter(({ type }) => type === 'usage');
    expect(usage.map((event) => 'cost' in event && [event.cachedTokens, event.cost])).toEqual([
      [undefined, expect.closeTo(0.0003, 6)],
      [100, expect.closeTo(0.00031, 6)],
      [140, expect.closeTo(0.00027, 6)],
    ]);
  });

  it('reads the blocks of Anthropic’s messages', async () => {
    const common = { traceId: 't', type: 'GENERATION', startTime: '2026-04-05T10:00:00.000Z' };
    const call = { type: 'tool_use', id: 'toolu_1', name: 'grep', input: { q: 'x' } };
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'none' };
    const rows = [
      {
        ...common,
        id: 'a',
        input: [],
        output: { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, call] },
      },
      {
        ...{ ...common, id: 'b', startTime: '2026-04-05T10:00:05.000Z' },
        input: [
          { role: 'assistant', content: [call] },
          { role: 'user', content: [result] },
        ],
        output: { role: 'assistant', content: 'Nothing.' },
      },
    ];
    const { sessions } = await readBytes([Buffer.from(JSON.stringify(rows))]);
    expect(linesOf(sessions[0]!.events).filter((line) => !line.startsWith('turn'))).toEqual([
      'text: I look.',
      'call toolu_1: grep {"q":"x"}',
      'result toolu_1: none',
      'text: Nothing.',
    ]);
  });
});
