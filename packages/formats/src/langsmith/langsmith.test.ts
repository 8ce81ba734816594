import { describe, expect, it } from 'vitest';
import { expectExported } from '../testing/exported-lines.js';
import { fixture } from '../testing/fixtures.js';
import { readAll } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('langsmith', import.meta.url, { prefix: false });

describe('langsmith', () => {
  it.each(['runs.jsonl', 'tree.json', 'query.json'])(
    'reads the same events however it was exported: %s',
    async (file) => void (await expectExported(import.meta.url, file, 'thread-9')),
  );

  it('takes the cost of a run from the export', async () => {
    const { sessions } = await readAll(fixture(import.meta.url, 'runs.jsonl'));
    const costs = sessions[0]!.events.flatMap((event) => (event.type === 'usage' ? [event.cost] : []));
    expect(costs).toEqual([0.000156, 0.000182, 0.000206]);
  });
});
