import type { AssistantPart, Message } from '@loopfuse/agent';
import { expect, test } from 'vitest';
import { isCut } from './is-cut.js';

const user: Message = { role: 'user', from: 'user', text: 'Do it' };
const says: AssistantPart = { type: 'text', text: 'Done.' };
const calls: AssistantPart = { type: 'tool-call', id: 'c', tool: 'ls', input: {} };
const answer = (...parts: AssistantPart[]): Message => ({ role: 'assistant', parts });
const results: Message = { role: 'tool', results: [{ id: 'c', tool: 'ls', output: '', status: 'ok' }] };

test.each([
  ['nothing was said', [], false],
  ['the model has had its last word', [user, answer(says)], false],
  ['the model was not heard', [user], true],
  ['the model was broken off', [user, { ...answer(says), interrupted: true } as Message], true],
  ['calls wait for their results', [user, answer(says, calls)], true],
  ['results wait for the model', [user, answer(calls), results], true],
])('%s', (_, history: Message[], cut) => {
  expect(isCut({ promptId: 'p', history })).toBe(cut);
});

test('a loop that halted it is no cut, and neither is a history that was never asked for', () => {
  expect(isCut({ promptId: 'p', history: [user], halted: {} as never })).toBe(false);
  expect(isCut({ history: [user] })).toBe(false);
});
