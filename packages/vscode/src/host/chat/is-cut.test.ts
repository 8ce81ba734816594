import type { AssistantPart, Message } from '@loopfuse/agent';
import { expect, test } from 'vitest';
import { isCut } from './is-cut.js';

const user: Message = { role: 'user', from: 'user', text: 'Do it' };
const says: AssistantPart = { type: 'text', text: 'Done.' };
const calls: AssistantPart = { type: 'tool-call', id: 'c', tool: 'ls', input: {} };
const answer = (...parts: AssistantPart[]): Message => ({ role: 'assistant', parts });
const results: Message = { role: 'tool', results: [{ id: 'c', tool: 'ls', output: '', status: 'ok' }] };

test.each([
  ['an empty history', [], false],
  ['the model has finished', [user, answer(says)], false],
  ['the model has not answered', [user], true],
  ['the answer was interrupted', [user, { ...answer(says), interrupted: true } as Message], true],
  ['calls wait for their results', [user, answer(says, calls)], true],
  ['results wait for the model', [user, answer(calls), results], true],
])('%s', (_, history: Message[], cut) => {
  expect(isCut({ promptId: 'p', history })).toBe(cut);
});

test('a request halted by a loop is not cut, nor is a history without a request', () => {
  expect(isCut({ promptId: 'p', history: [user], halted: {} as never })).toBe(false);
  expect(isCut({ history: [user] })).toBe(false);
});
