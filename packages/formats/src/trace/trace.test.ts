import { describe, expect, it } from 'vitest';
import { fixture } from '../testing/fixtures.js';
import { linesOf, readAll } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('trace', import.meta.url, { paired: false });

describe('trace', () => {
  it('holds many sessions, and reports each line that is no event', async () => {
    const { sessions, faults } = await readAll(fixture(import.meta.url, 'two-sessions.jsonl'));
    expect(sessions.map(({ session }) => session)).toMatchObject([
      { id: 'first', agent: 'demo', model: 'm-1' },
      { id: 'second', agent: 'unknown' },
    ]);
    expect(sessions.map(({ events }) => linesOf(events))).toEqual([
      ['prompt: Go', 'call c1: read {"path":"a"}', 'result c1 fine: x'],
      ['text: Hi'],
    ]);
    expect(faults.map(({ line, message }) => [line, message])).toEqual([
      [7, 'the line was skipped: "text" of a text event must be a string, and is missing'],
      [8, 'the line was skipped: unknown event type "dance"'],
      [9, expect.stringContaining('the line is not valid JSON')],
    ]);
  });

  it('reads events without a session line as a session named after the file, and says so once', async () => {
    const { sessions, faults } = await readAll(fixture(import.meta.url, 'bare-events.jsonl'));
    expect(sessions.map(({ session }) => session.id)).toEqual(['bare-events']);
    expect(faults).toMatchObject([{ line: 1, message: expect.stringContaining('before the first session line') }]);
  });
});
