import { detectorLaws, session } from '@loopfuse/testkit';
import { createWatch } from 'loopfuse';
import { describe, expect, test } from 'vitest';
import { repeatedCall } from './repeated-call.js';

const booking = { flight: 'HAT030', payment: 833 };
const refusal = 'Error: payment amount does not add up, total price is 1203, but paid 833';
const contents = 'export function start() { return listen(8080); } // and so on';
const elsewhere = (k: number) => `an honest look at something else, number ${k}, of some length`;

const failsBetweenThoughts = session().repeat(3, (s, k) =>
  s
    .call('book_reservation', booking)
    .fails(refusal)
    .call('calculate', { expression: `1203 - ${k}` })
    .result(`${1203 - k}.0 and a few more words for length`),
);
const readsAgain = session().repeat(4, (s, k) =>
  s
    .call('read_file', { path: 'a.ts' })
    .result(contents)
    .call('ls', { path: `d${k}` })
    .result(elsewhere(k)),
);

detectorLaws(() => repeatedCall(), {
  loops: {
    'the same comment posted again and again': session().repeat(4, (s, k) =>
      s.call('create_comment', { issue: 7, body: 'Fixed.' }).result({ id: 1000 + k, created: true }),
    ),
    'the same refusal between thoughts': failsBetweenThoughts,
    'the same file again and again': readsAgain,
  },
  work: {
    'a file read again after each change': session().repeat(6, (s, k) =>
      s
        .call('read_file', { path: 'a.ts' })
        .result(contents)
        .call('replace', { path: 'a.ts', old: `${k}`, new: `${k + 1}` })
        .result('done'),
    ),
    'a file read again much later': session().repeat(4, (s, j) =>
      s
        .call('read_file', { path: 'a.ts' })
        .result(contents)
        .repeat(12, (inner, k) => inner.call('read_file', { path: `${j}-${k}` }).result(elsewhere(j * 12 + k))),
    ),
    'a file read again after the history was summarised': session().repeat(5, (s, k) =>
      s
        .call('read_file', { path: 'a.ts' })
        .result(contents)
        .compaction()
        .call('ls', { path: `${k}` })
        .result(elsewhere(k)),
    ),
    'a look after each wait': session().repeat(8, (s) =>
      s
        .call('bash', { command: 'sleep 60' })
        .result('')
        .call('bash', { command: 'gh pr checks' })
        .result('build: no verdict so far, nor for the other eleven'),
    ),
    'a bisection': session().repeat(6, (s, k) =>
      s
        .call('bash', { command: 'npm test' })
        .fails('Error: 1 test failed')
        .call('bash', { command: 'git bisect bad' })
        .result(`Bisecting: ${64 >> k} revisions left to test`),
    ),
    'a map explored room by room': session().repeat(5, (s, k) =>
      s
        .call('go', { direction: 'north' })
        .result(`You are in room number ${k} of the castle.`)
        .call('go', { direction: 'north' })
        .result("You can't go that way."),
    ),
    'a plan the person keeps refusing': session().repeat(6, (s) =>
      s.call('run', { plan: 'A' }).fails("The user doesn't want to proceed with this tool use."),
    ),
  },
  stateBytes: 4000,
});

describe('repeated-call', () => {
  test('counts a repeat against the user only where the user did not speak in between', () => {
    const rounds = (between: boolean) => {
      const watch = createWatch({ detectors: [repeatedCall()] });
      for (let k = 1; k <= 10; k++) {
        if (between) watch.observe({ type: 'prompt', text: 'no, the other one' });
        watch.observe({ type: 'tool-call', id: `${k}`, tool: 'update', input: booking });
        if (watch.observe({ type: 'tool-result', id: `${k}`, output: refusal }).status !== 'clear') return k;
      }
      return undefined;
    };
    expect(rounds(false)).toBe(3);
    expect(rounds(true)).toBe(5);
  });

  test('an identical change that succeeds is no progress', () => {
    const watch = createWatch({ detectors: [repeatedCall()] });
    const seen = session()
      .repeat(5, (s, k) =>
        s
          .call('write_file', { path: 'a', content: 'x' })
          .result('saved')
          .call('think', { thought: `${k}` })
          .result(''),
      )
      .events.map((event) => watch.observe(event).status);
    expect(seen).toContain('looping');
  });
});
