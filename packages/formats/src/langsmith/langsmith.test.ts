import { describe, expect, it } from 'vitest';
import { exportedStory, plainStory } from '../testing/exported-story.js';
import { fixture } from '../testing/fixtures.js';
import { retell } from '../testing/retell.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('langsmith', import.meta.url, { prefix: false });

describe('langsmith', () => {
  it.each(['runs.jsonl', 'tree.json', 'query.json'])(
    'tells the same story however it was exported: %s',
    async (file) => {
      const { sessions, faults } = await retell(fixture(import.meta.url, file));
      expect(faults).toEqual([]);
      expect(sessions).toHaveLength(1);
      const { session, events } = sessions[0]!;
      expect(session).toMatchObject({ id: 'thread-9', agent: 'support-agent', model: 'gpt-5-mini' });
      expect(session.startedAt).toBe(Date.UTC(2026, 3, 5, 10, 0, 0, 100)); // no zone is UTC
      expect(plainStory(events)).toEqual(exportedStory);
    },
  );

  it('takes the cost of a run from the export', async () => {
    const { sessions } = await retell(fixture(import.meta.url, 'runs.jsonl'));
    const costs = sessions[0]!.events.flatMap((event) => (event.type === 'usage' ? [event.cost] : []));
    expect(costs).toEqual([0.000156, 0.000182, 0.000206]);
  });
});
