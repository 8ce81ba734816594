import fc from 'fast-check';
import type { Finding } from 'loopfuse';
import { expect, test } from 'vitest';
import { callLoop } from '../testing/loop-report.js';
import { evidenceRows } from './evidence-rows.js';

const [finding] = callLoop().findings as [Finding];
const rowsOf = (evidence: unknown, more: Partial<Finding> = {}) =>
  evidenceRows([{ ...finding, evidence: evidence as Finding['evidence'], ...more }]);

test.each<[string, unknown, readonly (readonly [what: string, times: string, where: string])[]]>([
  [
    'a cycle has a row for each call',
    {
      cycle: [
        { tool: 'read_file', about: 'a.ts' },
        { tool: 'ls', about: '' },
      ],
      times: 4,
      error: 'there is nothing to list',
      unseen: false,
    },
    [
      ['read_file a.ts', '4', 'events 7 to 15'],
      ['ls', '4', 'events 7 to 15'],
    ],
  ],
  [
    'rounds with the same outcome',
    { tool: 'run', about: 'tsc', error: 'not found', empty: false, type: 'rounds', times: 3, cycle: [] },
    [['run tsc: failed with “not found”', '3', 'events 7 to 15']],
  ],
  [
    'a search that finds nothing',
    { tool: 'search', about: 'x', error: null, empty: true, times: 6 },
    [['search x: found nothing', '6', 'events 7 to 15']],
  ],
  [
    'a change made and undone',
    { tool: 'replace', about: 'a', type: 'undone', times: 3, cycle: [{ tool: 'replace', about: 'a' }] },
    [['replace a: undone in between', '3', 'events 7 to 15']],
  ],
  [
    'words that repeat',
    { channel: 'message', unit: 'I will check. ', period: 14, times: 9, characters: 126, at: 12, drifting: false },
    [['“I will check. ”', '9', 'message, from character 12, events 7 to 15']],
  ],
  [
    'thinking that circles',
    { channel: 'reasoning', characters: 4200, stale: 3100, at: 0 },
    [
      [
        expect.stringMatching(/3.100 of 4.200 characters said before/) as never,
        '',
        'reasoning, from character 0, events 7 to 15',
      ],
    ],
  ],
  [
    'the same message',
    { message: 'Shall I go on?', times: 3, prompts: 0 },
    [['“Shall I go on?”', '3', 'events 7 to 15']],
  ],
  [
    'an opinion',
    { by: 'gpt-5-mini', analysis: 'It reads on.' },
    [['It reads on.', '', 'events 7 to 15, read by gpt-5-mini']],
  ],
  ['a budget', { measure: 'turns', cap: 40, spent: 41, repeats: 9 }, [['41 of 40 turns used', '9', 'events 7 to 15']]],
  ['what nobody knows', { colour: 'red', times: 2, deep: [1] }, [['colour: red, deep: [1]', '2', 'events 7 to 15']]],
  ['no evidence to speak of', null, [['evidence: null', '', 'events 7 to 15']]],
])('%s', (_, evidence, rows) => {
  expect(rowsOf(evidence).map(({ what, times, where }) => [what, times, where])).toEqual(rows);
});

test('each row names the detector, and long values are cut', () => {
  expect(rowsOf({ tool: 'ls', about: 'x'.repeat(900), times: 1 })[0]).toMatchObject({
    by: 'any-detector, 90% sure',
    what: expect.stringMatching(/^ls x{290,}…$/),
  });
  expect(rowsOf({ tool: 'ls' }, { onset: 15 })[0]?.where).toBe('event 15');
});

test('any evidence is accepted', () => {
  fc.assert(
    fc.property(fc.anything(), (evidence) => {
      for (const row of rowsOf(JSON.parse(JSON.stringify(evidence) ?? 'null')))
        expect(Object.values(row).every((text) => typeof text === 'string')).toBe(true);
    }),
  );
});
