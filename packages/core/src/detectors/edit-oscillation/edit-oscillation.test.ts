import { detectorLaws, session } from '@loopfuse/testkit';
import { editOscillation } from './edit-oscillation.js';

const there = { file_path: 'a.ts', old_string: 'retries: 3', new_string: 'retries: 5' };
const back = { file_path: 'a.ts', old_string: 'retries: 5', new_string: 'retries: 3' };
const updated = 'The file a.ts has been updated.';

detectorLaws(() => editOscillation(), {
  loops: {
    'there and back by edits': session().repeat(3, (s) =>
      s.call('Edit', there).result(updated).call('Edit', back).result(updated),
    ),
    'there, and back by git': session().repeat(3, (s) =>
      s
        .call('Edit', there)
        .result(updated)
        .call('Bash', { command: 'git checkout a.ts' })
        .result('Updated 1 path from the index'),
    ),
    'two versions of a whole file': session().repeat(3, (s) =>
      s
        .call('write_file', { path: 'a', content: 'one' })
        .result('saved')
        .call('write_file', { path: 'a', content: 'two' })
        .result('saved'),
    ),
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
    'an edit that is rejected': session().repeat(5, (s) =>
      s.call('Edit', there).fails('String to replace not found in file.'),
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
  stateBytes: 6000,
});
