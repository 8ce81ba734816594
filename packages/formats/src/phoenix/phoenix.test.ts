import { describe, expect, it } from 'vitest';
import { exportedStory, plainStory } from '../testing/exported-story.js';
import { fixture } from '../testing/fixtures.js';
import { retell } from '../testing/retell.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('phoenix', import.meta.url, { prefix: false });

describe('phoenix', () => {
  it.each(['records.jsonl', 'columns.json', 'api.json', 'nested.json'])(
    'tells the same story however it was exported: %s',
    async (file) => {
      const { sessions, faults } = await retell(fixture(import.meta.url, file));
      expect(faults).toEqual([]);
      expect(sessions).toHaveLength(1);
      const { session, events } = sessions[0]!;
      expect(session).toMatchObject({ id: 'chat-77', agent: 'support-agent', model: 'gpt-5-mini' });
      expect(session.startedAt).toBe(Date.UTC(2026, 3, 5, 10, 0, 0, 100));
      expect(plainStory(events)).toEqual(exportedStory);
    },
  );
});
