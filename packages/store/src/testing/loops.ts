import { session } from '@loopfuse/testkit';

/** Sessions that go round in circles, for the laws of the stores. */
export const loops = {
  'the same call': session()
    .prompt('read it')
    .repeat(8, (round) => round.turn().call('read', { path: 'a.txt' }).result('same')),
  'two calls in turn': session()
    .prompt('fix it')
    .repeat(8, (round) =>
      round.turn().call('edit', { path: 'a' }).fails('not found').turn().call('read', { path: 'a' }).result('x'),
    ),
};
