import { ToolMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { historyEvents } from './translate.js';

test.each([
  ['error', { failed: true }],
  ['success', { failed: false }],
  [undefined, {}],
] as const)('a result with the status %s says of its failing what is known', (status, said) => {
  const message = new ToolMessage({ content: 'Error: busy', tool_call_id: '1', ...(status ? { status } : {}) });
  expect(historyEvents([message])).toEqual([{ type: 'tool-result', id: '1', output: 'Error: busy', ...said }]);
});
