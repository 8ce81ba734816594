import { detectorLaws, session } from '@loopfuse/testkit';
import { createWatch } from 'loopfuse';
import { describe, expect, test } from 'vitest';
import { errorStreak } from './error-streak.js';

const echo = (k: number) =>
  `Your proposed edit has introduced new syntax error(s).\n\nERRORS:\n- E999 IndentationError: unexpected indent\n\nThis is how it would have looked\n${k}:    return ${k}\n${k + 1}:\nYour changes have NOT been applied.`;
const edit = (k: number) => ({
  cmd: `edit ${40 + k}:${41 + k}\n    if value is None:\n        return default\nend_of_edit`,
});

const nearEqualEdits = session().repeat(4, (s, k) => s.call('edit', edit(k)).result(echo(k)));
const guesses = session().repeat(8, (s, k) =>
  s
    .call('sql', { query: `SELECT name FROM flights WHERE dest_${'abcdefgh'[k]} = 'AHD'` })
    .result(`Error executing query: Unknown column 'dest_${'abcdefgh'[k]}' in 'where clause'`),
);
const counters = session().repeat(4, (s, k) =>
  s
    .call('bash', { command: `cd fastjson/ && echo ${'abcd'[k]}` })
    .result(`bash: line ${41 + 4 * k}: cd: fastjson/: No such file or directory`),
);
const differentFiles = ['parser', 'lexer', 'printer', 'scanner', 'visitor', 'walker'];

detectorLaws(() => errorStreak(), {
  loops: { 'near-equal edits': nearEqualEdits, 'guesses at a column': guesses, 'a counter in the error': counters },
  work: {
    'a retry with variation that succeeds': session().repeat(5, (s, k) =>
      s
        .call('edit', edit(k))
        .result(echo(k))
        .call('edit', edit(k + 90))
        .result('[File: a.py (90 lines total)]\nFile updated.'),
    ),
    'a look at the cause after each failure': session().repeat(5, (s, k) =>
      s
        .call('edit', { path: 'a.py', old: `${k}`, new: 'x' })
        .fails('Error: old text not found')
        .call('read', { path: 'a.py', offset: k })
        .result(`the lines from ${k} on, which say what is really there`),
    ),
    'greps that find nothing': session().repeat(5, (s, k) =>
      s.call('bash', { command: `grep -n ${differentFiles[k]} a.ts` }).fails('Exit code 1'),
    ),
    'a server that is down for a while': session().repeat(4, (s) =>
      s.call('fetch', { url: 'x' }).fails('HTTP 503 Service Unavailable'),
    ),
    'different errors': session().repeat(6, (s, k) =>
      s
        .call('bash', { command: `make ${differentFiles[k]}` })
        .fails(`Error: ${differentFiles[k]} has no rule ${'#'.repeat(k)}`),
    ),
  },
  stateBytes: 6000,
});

describe('error-streak', () => {
  test('asks for more rounds the more the calls differ', () => {
    const rounds = (input: (k: number) => string) => {
      const watch = createWatch({ detectors: [errorStreak()] });
      for (let k = 0; k < 20; k++) {
        watch.observe({ type: 'tool-call', id: `${k}`, tool: 'sql', input: { query: input(k) } });
        if (
          watch.observe({ type: 'tool-result', id: `${k}`, output: "Error: Table 'shops' doesn't exist" }).status !==
          'clear'
        )
          return k + 1;
      }
      return undefined;
    };
    const words =
      'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo sierra tango'.split(
        ' ',
      );
    const verbatim = rounds(() => 'SELECT 1 FROM shops');
    const alike = rounds((k) => `SELECT name FROM shops ORDER BY ${k}`);
    const varied = rounds(
      (k) => `${words[k]} ${words[(k * 7 + 3) % 20]} ${words[(k * 3 + 5) % 20]} ${words[(k * 11) % 20]}`,
    );
    expect(verbatim).toBe(3);
    expect(alike).toBe(4);
    expect(varied).toBeGreaterThanOrEqual(5);
  });

  test('explains itself with the core of the error', () => {
    const watch = createWatch({ detectors: [errorStreak()] });
    const found = nearEqualEdits.events
      .map((event) => watch.observe(event))
      .find((verdict) => verdict.status !== 'clear');
    expect(found?.status === 'looping' && watch.explain(found.findings[0])).toBe(
      'edit has failed 4 times with the same error, “- E# IndentationError: unexpected indent”, each call a little different.',
    );
  });
});
