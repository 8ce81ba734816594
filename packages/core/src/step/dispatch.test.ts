import { expect, test } from 'vitest';
import { askedInName, askedOf } from './dispatch.js';

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

test.each([
  ['click(12)', {}, 'click', '12'],
  ['search({"query":"piers"})', null, 'search', { query: 'piers' }],
  ['browser.open("a.example")', '', 'browser.open', '"a.example"'],
])('%s calls a tool that is named with what it is given', (tool, input, name, given) => {
  expect(askedInName(tool, input)).toEqual({ tool: name, input: given });
});

test.each([
  ['click', {}],
  ['click(12)', { button: 'left' }],
  ['Say (twice)', {}],
])('%s %j is a name and no more', (tool, input) => {
  expect(askedInName(tool, input)).toBe(undefined);
});
