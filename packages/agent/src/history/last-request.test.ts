import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyHistory } from '../testing/histories.js';
import { withoutLastRequest } from './last-request.js';
import type { Message } from './message.js';
import { repaired } from './repair.js';

const user = (text: string, more: object = {}): Message => ({ role: 'user', from: 'user', text, ...more });
const says = (text: string): Message => ({ role: 'assistant', parts: [{ type: 'text', text }] });

test('the last message of the user is removed with everything after it, and is returned complete', () => {
  const attachments = [{ path: 'a', text: 'x' }];
  const history: Message[] = [user('One'), says('1'), user('Two', { attachments }), says('2')];
  expect(withoutLastRequest(history)).toEqual({
    history: history.slice(0, 2),
    request: { text: 'Two', attachments },
  });
});

test('notes of the guard and of the agent are not messages of the user', () => {
  const history: Message[] = [
    user('One'),
    says('1'),
    { role: 'user', from: 'agent', text: 'Please go on.' },
    says('2'),
  ];
  expect(withoutLastRequest(history)).toEqual({ history: [], request: { text: 'One' } });
  expect(withoutLastRequest(history.slice(1))).toBeUndefined();
});

test('what is left of a valid history is valid', () => {
  fc.assert(
    fc.property(anyHistory, (history) => {
      const taken = withoutLastRequest(repaired(history));
      if (taken !== undefined) expect(repaired(taken.history)).toEqual(taken.history);
    }),
  );
});
