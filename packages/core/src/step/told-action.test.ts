import { describe, expect, test } from 'vitest';
import { actionIn, hashOfAction } from './told-action.js';

describe('what a message tells to do', () => {
  test.each([
    [
      'Reason: it is near.\nAction: {"action_type": "click", "index": 9}',
      'action',
      { action_type: 'click', index: 9 },
      true,
    ],
    ['Thought: I am hungry.\nAction: open fridge', 'action', 'Action: open fridge', true],
    ['Action: go\nAction: open fridge', 'action', 'Action: open fridge', true],
    ['**ACT 3:** open fridge', 'action', '**ACT 3:** open fridge', true],
    ['I list them.\n\n```sh\nls -la\n```', 'action', '```sh\nls -la\n```', false],
    ['A thought.\n\nopen fridge', 'action', '\nopen fridge', false],
    ['open fridge', 'action', 'open fridge', false],
    ['', 'action', '', false],
  ])('%j', (message, tool, input, marked) => {
    expect(actionIn(message)).toEqual({ tool, input, marked });
  });

  test('is a call where a tool is named with its input', () => {
    expect(actionIn('Thought: look it up.\nAction: search\nAction Input: {"query": "piers"}')).toEqual({
      tool: 'search',
      input: { query: 'piers' },
      marked: true,
    });
  });

  test('has a hash where the message says so, whatever was thought', () => {
    expect(hashOfAction('Thought: one.\nAction: open fridge')).toBe(hashOfAction('Thought: two.\nAction: open fridge'));
    expect(hashOfAction('Action: open fridge')).not.toBe(hashOfAction('Action: close fridge'));
    expect(hashOfAction('I open the fridge.')).toBe(0);
  });
});
