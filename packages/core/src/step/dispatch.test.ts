import { expect, test } from 'vitest';
import { askedOf } from './dispatch.js';

test.each([
  [
    'use_mcp_tool',
    { server_name: 'pg', tool_name: 'query', arguments: { sql: 'select 1' } },
    'query',
    { sql: 'select 1' },
  ],
  [
    'use_mcp_tool',
    { server_name: 'pg', tool_name: 'query', arguments: '{"sql":"select 1"}' },
    'query',
    { sql: 'select 1' },
  ],
  ['run', { tool: 'mail/send', args: { to: 'a' } }, 'mail/send', { to: 'a' }],
  ['run', { action_name: 'get_orders', parameters: {} }, 'get_orders', {}],
])('%s %j calls %s', (_tool, input, name, given) => {
  expect(askedOf(input)).toEqual({ tool: name, input: given });
});

test.each([
  ['bash', { command: 'ls' }],
  ['build', { tool: 'gcc', input: 'main.c' }],
  ['build', { tool: 'gcc', args: null }],
  ['note', { tool_name: 'words with blanks', arguments: {} }],
  ['list', [1, 2]],
  ['say', 'query'],
  ['say', null],
])('%s %j calls nothing else', (_tool, input) => {
  expect(askedOf(input)).toBe(undefined);
});
