import { describe, expect, test } from 'vitest';
import { actionIn } from './told-action.js';

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
    ['I list them.\n\n```text\nall of them\n```', 'action', '```text\nall of them\n```', false],
    ['{"plan": "look", "commands": [{"keystrokes": "ls\\n"}]}', 'action', [{ keystrokes: 'ls\n' }], true],
    ['{"plan": "look", "commands": [{"keystrokes": "ls', 'action', '"commands": [{"keystrokes": "ls', true],
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

  test.each([
    [
      'a tag for each argument',
      '<edit>\n<path>a.ts</path>\n<text>\nlet a = 1;\n</text>\n</edit>',
      'edit',
      { path: 'a.ts', text: 'let a = 1;' },
    ],
    [
      'a thought in tags before it',
      '<thinking>\nHm.\n</thinking>\n\n<read_file>\n<path>a.ts</path>\n</read_file>',
      'read_file',
      { path: 'a.ts' },
    ],
    [
      'its end cut off',
      'Now this.\n<write_file>\n<path>a.ts</path>\n<content>\nlet a',
      'write_file',
      { path: 'a.ts', content: 'let a' },
    ],
    [
      'JSON in tags',
      '<tool_call>\n{"tool_name": "query", "arguments": {"sql": "select 1"}}\n</tool_call>',
      'query',
      { sql: 'select 1' },
    ],
    ['a command in tags', '<bash>\nls -la\n</bash>', 'bash', 'ls -la'],
    [
      'a line of code',
      'I look.\n```python\nsearch(query="a \\"b\\"", page=2)\n```',
      'search',
      { query: 'a "b"', page: 2 },
    ],
    ['a block for a shell', 'I list them.\n\n```bash\nls -la\n```', 'bash', { command: 'ls -la' }],
    [
      'JSON in a block',
      '```json\n{"action": "search", "action_input": {"query": "piers"}}\n```',
      'search',
      { query: 'piers' },
    ],
    [
      'JSON behind "Action:"',
      'Action:\n```json\n{"action": "look", "action_input": {"at": 1}}\n```',
      'look',
      { at: 1 },
    ],
    [
      'JSON and nothing else',
      '{"thoughts": {}, "command": {"name": "read_file", "args": {"path": "a"}}}',
      'read_file',
      { path: 'a' },
    ],
    [
      'a name as JSON in tags',
      '<tool_call>\n{"name": "look", "arguments": {"at": 1}}\n</tool_call>',
      'look',
      { at: 1 },
    ],
    [
      'tags with an equals sign',
      '<function=edit>\n<parameter=path>a.ts</parameter>\n</function>',
      'edit',
      { path: 'a.ts' },
    ],
    [
      'tags with names',
      '<invoke name="edit">\n<parameter name="path">a.ts</parameter>\n</invoke>',
      'edit',
      { path: 'a.ts' },
    ],
    ['a line of code without names', '```js\nclick(12)\n```', 'click', '12'],
  ])('is a call: %s', (_, message, tool, input) => {
    expect(actionIn(message)).toEqual({ tool, input, marked: true });
  });

  test.each([
    ['words behind the tags', '<example>\n<path>a.ts</path>\n</example>\nThat is how it is called.'],
    ['an answer in tags', '<answer>\nThe harbour has two piers.\n</answer>'],
    ['tags within a line', 'Use <b>bold</b> words.'],
    ['a program', '```python\nimport os\nos.remove("a")\n```'],
  ])('is not marked: %s', (_, message) => {
    expect(actionIn(message).marked).toBe(false);
  });
});
