import { agentEvents, hostileEvents, wrongShapes } from '@loopfuse/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventProblem, isEventType } from './event.js';

test('whatever is inside a well-formed event, nothing is wrong with it', () => {
  fc.assert(fc.property(fc.oneof(agentEvents(), hostileEvents()), (event) => eventProblem(event) === undefined));
});

test('of everything else it is told in words what is wrong', () => {
  fc.assert(
    fc.property(wrongShapes(), (value) => {
      expect(eventProblem(value)).toMatch(
        /^(an event must be an object|an event must have a "type"|unknown event type .+|"\w+" of a .+ must be a .+)$/,
      );
    }),
  );
});

test('the words quote the field and what was there, cut short', () => {
  expect(eventProblem({ type: 'texts' })).toBe('unknown event type "texts"');
  expect(eventProblem({ type: 'x'.repeat(50) })).toBe(`unknown event type "${'x'.repeat(40)}…"`);
  expect(eventProblem({ type: 'tool-call', id: 7, tool: 'a' })).toBe(
    '"id" of a tool-call event must be a string, not number',
  );
  expect(eventProblem({ type: 'usage', inputTokens: '7', outputTokens: 1 })).toBe(
    '"inputTokens" of a usage event must be a number, not "7"',
  );
  expect(eventProblem({ type: 'text', text: [] })).toBe('"text" of a text event must be a string, not an array');
});

test('a field that may be missing may not be something else', () => {
  expect(eventProblem({ type: 'prompt' })).toBeUndefined();
  expect(eventProblem({ type: 'prompt', text: undefined, at: undefined, lane: undefined })).toBeUndefined();
  expect(eventProblem({ type: 'prompt', text: ['Fix it.'] })).toMatch(/"text" of a prompt event must be a string/);
  expect(eventProblem({ type: 'tool-result', id: '', output: '', failed: 'no' })).toMatch(
    /"failed" .* must be a boolean/,
  );
  expect(eventProblem({ type: 'retry', at: '2026-01-01' })).toMatch(/"at" of a retry event must be a number/);
  expect(eventProblem({ type: 'retry', lane: null })).toMatch(/"lane" of a retry event must be a string, not null/);
});

test('only the names of events are event types, not those that every object inherits', () => {
  expect(isEventType('tool-call')).toBe(true);
  for (const name of ['step', 'toString', '__proto__', '', 7, undefined]) expect(isEventType(name)).toBe(false);
});
