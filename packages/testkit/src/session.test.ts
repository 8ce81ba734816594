import { expect, test } from 'vitest';
import { session } from './session.js';

test('a session reads as a list of what happened, with ids that join calls and results', () => {
  const { events } = session()
    .prompt('Fix it.')
    .turn()
    .think('Hm.')
    .call('read_file', { path: 'a' })
    .result('one')
    .text('Done.')
    .turn();
  expect(events).toEqual([
    { type: 'prompt', text: 'Fix it.' },
    { type: 'turn-start' },
    { type: 'reasoning', text: 'Hm.' },
    { type: 'tool-call', id: 'call-0', tool: 'read_file', input: { path: 'a' } },
    { type: 'tool-result', id: 'call-0', output: 'one' },
    { type: 'text', text: 'Done.' },
    { type: 'turn-end' },
    { type: 'turn-start' },
  ]);
});

test('results answer the oldest waiting call of their lane', () => {
  const { events } = session()
    .call('task')
    .lane('helper', (s) => s.call('read_file').fails('ENOENT'))
    .call('grep')
    .result('report')
    .result('found');
  expect(events.filter((event) => event.type === 'tool-result')).toEqual([
    { type: 'tool-result', id: 'call-1', output: 'ENOENT', failed: true, lane: 'helper' },
    { type: 'tool-result', id: 'call-0', output: 'report' },
    { type: 'tool-result', id: 'call-2', output: 'found' },
  ]);
  expect(() => session().result('nothing')).toThrow(/no call is waiting/);
});

test('a beginning can be shared: no method changes the session it is called on', () => {
  const start = session().prompt();
  expect(start.repeat(3, (s, k) => s.text(`${k}`)).events).toHaveLength(4);
  expect(start.usage(1, 2).steer('Stop.').opinion(0.9).retry().compaction().events).toHaveLength(6);
  expect(start.events).toEqual([{ type: 'prompt' }]);
});
