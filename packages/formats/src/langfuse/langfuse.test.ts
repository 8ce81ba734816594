import { describe, expect, it } from 'vitest';
import { exportedStory, plainStory } from '../testing/exported-story.js';
import { fixture } from '../testing/fixtures.js';
import { retell, retellBytes, storyOf } from '../testing/retell.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('langfuse', import.meta.url, { prefix: false });

describe('langfuse', () => {
  it.each([
    ['observations.json', '3f8a1c5e7b9d40213f8a1c5e7b9d4021'],
    ['observations.csv', '3f8a1c5e7b9d40213f8a1c5e7b9d4021'],
    ['trace.json', 'chat-77'],
    ['blob.jsonl', 'chat-77'],
  ])('tells the same story however it was exported: %s', async (file, id) => {
    const { sessions, faults, summary } = await retell(fixture(import.meta.url, file));
    expect(faults).toEqual([]);
    expect(sessions).toHaveLength(1);
    expect(sessions[0]!.session).toMatchObject({ id, agent: 'support-agent', model: 'gpt-5-mini' });
    expect(plainStory(sessions[0]!.events)).toEqual(exportedStory);
    expect(summary.skipped).toMatchObject({ 'span of another kind': 1 });
  });

  it('reads times without a zone as UTC, costs as the export says, and what came from the cache', async () => {
    const { sessions } = await retell(fixture(import.meta.url, 'blob.jsonl'));
    expect(sessions[0]!.session.startedAt).toBe(Date.UTC(2026, 3, 5, 10, 0, 0, 100));
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
    const { sessions } = await retellBytes([Buffer.from(JSON.stringify(rows))]);
    expect(storyOf(sessions[0]!.events).filter((line) => !line.startsWith('turn'))).toEqual([
      'text: I look.',
      'call toolu_1: grep {"q":"x"}',
      'result toolu_1: none',
      'text: Nothing.',
    ]);
  });
});
