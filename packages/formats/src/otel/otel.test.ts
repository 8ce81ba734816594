import { describe, expect, it } from 'vitest';
import { readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('otel', import.meta.url, { prefix: false });

const lines = [
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
];

describe('otel', () => {
  it('puts spans in order, and sub-agents in lanes', async () => {
    expect(await readFixture(import.meta.url, 'agent.json')).toMatchObject([
      { id: 'conv-1', agent: 'seeker', model: 'gpt-5', lines },
    ]);
  });

  it('reads one request per line', async () => {
    expect(await readFixture(import.meta.url, 'collector.jsonl')).toMatchObject([{ id: 'conv-1', lines }]);
  });

  it('reports no argument and no result that is not shown', async () => {
    expect(await readFixture(import.meta.url, 'without-contents.json')).toMatchObject([
      {
        lines: [
          'call c1: Read null',
          'call c2: Read null',
          'result c2 failed: ',
          'call c3: Edit null',
          'call c4: Bash null',
        ],
      },
    ]);
  });
});
