import { describe, expect, it } from 'vitest';
import { fixture } from '../testing/fixtures.js';
import { retell, storyOf } from '../testing/retell.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('opencode', import.meta.url);

describe('opencode', () => {
  it('reads sessions that are interleaved in the database', async () => {
    const { sessions, faults } = await retell(fixture(import.meta.url, 'opencode.db'));
    expect(faults).toEqual([]);
    expect(sessions[0]?.session).toMatchObject({
      id: 'ses_a',
      model: 'kimi-k2',
      title: 'Title of ses_a',
      version: '1.18.33',
    });
    expect(storyOf(sessions[0]?.events)).toEqual([
      'prompt: Ask a helper',
      'turn-start',
      'call call_1: task {"prompt":"help"}',
      'retry',
      'usage 16 (4 cached) + 6 for $0.5',
      'turn-end: stop',
    ]);
    expect(sessions[1]?.session).toMatchObject({
      id: 'ses_b',
      parent: 'ses_a',
      model: 'kimi-k2',
      title: 'Title of ses_b',
      version: '1.18.33',
    });
    expect(storyOf(sessions[1]?.events).map((line) => line.slice(0, 60))).toEqual([
      'compaction',
      'turn-start',
      'reasoning: Long. Long. Long. Long. Long. Long. Long. Long. L',
      'call call_2: read {"filePath":"a.txt"}',
      'turn-end',
      'result call_2 fine: same',
      'call call_3: read {"filePath":"a.txt"}',
      'result call_3 fine: same',
      'call call_4: read {"filePath":"a.txt"}',
      'result call_4 fine: same',
      'call call_5: read {"filePath":"a.txt"}',
      'result call_5 fine: same',
      'call call_6: read {"filePath":"a.txt"}',
      'result call_6 fine: same',
      'call call_7: read {"filePath":"a.txt"}',
      'result call_7 failed: same',
    ]);
    expect(sessions.length).toBe(2);
  });

  it('reads the store of files', async () => {
    const { sessions, faults } = await retell(fixture(import.meta.url, 'storage', 'session', 'proj', 'ses_2f.json'));
    expect(faults).toEqual([]);
    expect(sessions[0]?.session).toMatchObject({
      id: 'ses_2f',
      parent: 'ses_1f',
      model: 'glm-5',
      project: '/home/ada/sample',
    });
    expect(storyOf(sessions[0]?.events)).toEqual([
      'prompt: Build it',
      'turn-start',
      'call call_1: bash {"command":"make"}',
      'turn-end',
      'result call_1 failed: make: *** no rule',
      'usage 130 (30 cached) + 7 for $0.002',
      'turn-end: interrupted',
    ]);
  });
});
