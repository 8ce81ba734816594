import { detectorLaws, session } from '@loopfuse/testkit';
import { stalledProgress } from './stalled-progress.js';

const kinds = ['No such file or directory', 'Permission denied', 'not a directory'];

detectorLaws(() => stalledProgress(), {
  loops: {
    'errors and results that were all seen before': session().repeat(16, (s, k) =>
      s.call('bash', { command: `cat ${k}` }).fails(`Error: ${kinds[k % 3]}`),
    ),
  },
  work: {
    'a new result now and then': session().repeat(20, (s, k) =>
      s
        .repeat(5, (inner) => inner.call('bash', { command: 'npm test' }).fails('Error: 1 test failed'))
        .call('read', { path: `${k}` })
        .result(`something new of a certain length, ${k}`),
    ),
    'a change now and then': session().repeat(20, (s, k) =>
      s
        .repeat(5, (inner) => inner.call('bash', { command: 'npm test' }).fails('Error: 1 test failed'))
        .call('edit', { path: 'a', old: `${k}`, new: 'x' })
        .result('updated'),
    ),
  },
  stateBytes: 2000,
});
