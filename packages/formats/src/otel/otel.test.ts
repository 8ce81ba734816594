import { describe, expect, it } from 'vitest';
import { fixture } from '../testing/fixtures.js';
import { retell, storyOf } from '../testing/retell.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('otel', import.meta.url, { prefix: false });

describe('otel', () => {
  it('puts spans in order, and sub-agents in lanes', async () => {
    const { sessions, faults } = await retell(fixture(import.meta.url, 'agent.json'));
    expect(faults).toEqual([]);
    expect(sessions[0]?.session).toMatchObject({ id: 'conv-1', agent: 'seeker', model: 'gpt-5' });
    expect(storyOf(sessions[0]?.events)).toEqual([
      'prompt: Find x',
      'turn-start',
      'reasoning: Look it up.',
      'call c1: lookup {"q":"x"}',
      'usage 100 + 12',
      'turn-end: tool_call',
      'result c1 failed: not found',
      '[helper s4] turn-start',
      '[helper s4] text: Nothing here.',
      '[helper s4] turn-end',
      'call c2: save {"v":1}',
      'result c2: "ok"',
    ]);
  });

  it('reads a request a line', async () => {
    const { sessions, faults } = await retell(fixture(import.meta.url, 'collector.jsonl'));
    expect(faults).toEqual([]);
    expect(sessions[0]?.session).toMatchObject({ id: 'conv-1' });
    expect(storyOf(sessions[0]?.events)).toEqual([
      'prompt: Find x',
      'turn-start',
      'reasoning: Look it up.',
      'call c1: lookup {"q":"x"}',
      'usage 100 + 12',
      'turn-end: tool_call',
      'result c1 failed: not found',
      '[helper s4] turn-start',
      '[helper s4] text: Nothing here.',
      '[helper s4] turn-end',
      'call c2: save {"v":1}',
      'result c2: "ok"',
    ]);
  });
});
