import { detectorLaws, session } from '@loopfuse/testkit';
import { createWatch } from 'loopfuse';
import { expect, test } from 'vitest';
import { staleRounds } from './stale-rounds.js';

const there = { file_path: 'a.ts', old_string: 'retries: 3', new_string: 'retries: 5' };
const back = { file_path: 'a.ts', old_string: 'retries: 5', new_string: 'retries: 3' };
const updated = 'The file a.ts has been updated.';

const byEdits = session().repeat(3, (s) => s.call('Edit', there).result(updated).call('Edit', back).result(updated));
const wholeFiles = session().repeat(3, (s) =>
  s
    .call('write_file', { path: 'a', content: 'one' })
    .result('saved')
    .call('write_file', { path: 'a', content: 'two' })
    .result('saved'),
);

detectorLaws(() => staleRounds(), {
  loops: {
    'there and back by edits': byEdits,
    'there, and back by git': session().repeat(3, (s) =>
      s
        .call('Edit', there)
        .result(updated)
        .call('Bash', { command: 'git checkout a.ts' })
        .result('Updated 1 path from the index'),
    ),
    'two versions of a whole file': wholeFiles,
  },
  work: {
    'undone once and done differently': session()
      .call('Edit', there)
      .result(updated)
      .call('Edit', back)
      .result(updated)
      .call('Edit', { ...there, new_string: 'retries: 4' })
      .result(updated),
    'the same text written once to many files': session().repeat(10, (s, k) =>
      s.call('write_file', { path: `${k}`, content: 'MIT' }).result('saved'),
    ),
    'a switch turned on and off to measure both': session().repeat(3, (s, k) =>
      s
        .call('Edit', there)
        .result(updated)
        .call('Bash', { command: './bench' })
        .result(`${900 + k} requests a second`)
        .call('Edit', back)
        .result(updated)
        .call('Bash', { command: './bench' })
        .result(`${700 + k} requests a second`),
    ),
    'back and forth at the word of the user': session().repeat(4, (s) =>
      s.prompt('try 5').call('Edit', there).result(updated).prompt('no, 3').call('Edit', back).result(updated),
    ),
  },
  stateBytes: 12_000,
});

test('a change that is made and taken back is told in its own words', () => {
  const watch = createWatch({ detectors: [staleRounds()] });
  const last = ({ events }: typeof byEdits) => {
    const verdict = events.map((event) => watch.observe(event)).at(-1)!;
    return verdict.status === 'clear' ? undefined : verdict.findings[0];
  };
  for (const loop of [byEdits, wholeFiles]) {
    watch.forget();
    expect(last(loop)).toMatchObject({ kind: 'oscillation', status: 'looping' });
  }
  watch.forget();
  expect(watch.explain(last(byEdits)!)).toBe(
    'The same change of a.ts was made 3 times with Edit, and undone in between.',
  );
  watch.forget();
  const rejected = session().repeat(3, (s) => s.call('Edit', there).fails('String to replace not found in file.'));
  expect(last(rejected)).toMatchObject({ kind: 'repeated-failure' });
  watch.forget();
  const twoFiles = session().repeat(3, (s) =>
    s.repeat(2, (t, k) => t.call('write_file', { path: `${'ab'[k]}.ts`, content: 'one' }).result('saved')),
  );
  expect(last(twoFiles)).toMatchObject({ kind: 'cycle' });
});
