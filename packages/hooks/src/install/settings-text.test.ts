import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { agents } from './agents.js';
import { ourCommands, settingsProblem, withHooks, withoutHooks } from './settings-text.js';

const place = agents['claude-code'].place as Extract<(typeof agents)['claude-code']['place'], { type: 'settings' }>;
const command = '/usr/bin/node /home/ada/.loopfuse/hooks/hook.cjs claude-code || true';
const add = (text: string, own = command) => withHooks(text, place, own);

/** JSON in many layouts: indents, line ends, comments, commas at the end, all on one line. */
const layouts = fc
  .record({
    value: fc.dictionary(fc.constantFrom('model', 'env', 'permissions', 'x'), fc.jsonValue({ maxDepth: 2 }), {
      maxKeys: 3,
    }),
    hooks: fc.option(
      fc.dictionary(
        fc.constantFrom('PreToolUse', 'PostToolUse', 'Stop'),
        fc.array(fc.constant({ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo hi' }] }), {
          minLength: 1,
          maxLength: 2,
        }),
        { minKeys: 1 },
      ),
      { nil: undefined },
    ),
    indent: fc.constantFrom('', '  ', '    ', '\t'),
    eol: fc.constantFrom('\n', '\r\n'),
    comment: fc.boolean(),
    end: fc.constantFrom('', '\n'),
  })
  .map(({ value, hooks, indent, eol, comment, end }) => {
    const text = JSON.stringify(hooks === undefined ? value : { ...value, hooks }, undefined, indent);
    const lines = text
      .split('\n')
      .map((line) => (comment && indent !== '' && /[^{[]$/.test(line) ? `${line} // why` : line));
    return lines.join(eol) + end;
  });

describe('hooks in a settings file', () => {
  test('are there once for each event, in whatever layout, and everything else is as it was', () => {
    fc.assert(
      fc.property(layouts, (text) => {
        const after = add(text);
        const was = parse(text);
        const is = parse(after);
        for (const { name } of place.events) {
          const groups = is.hooks[name] as { hooks: { command: string }[] }[];
          expect(groups.filter(({ hooks }) => hooks.some((hook) => hook.command === command))).toHaveLength(1);
          expect(groups.slice(0, -1)).toEqual(was.hooks?.[name] ?? []);
        }
        expect(Object.keys(is).slice(0, Object.keys(was).length)).toEqual(Object.keys(was));
        expect(after.split('// why')).toHaveLength(text.split('// why').length);
        expect(after.includes('\r\n')).toBe(text.includes('\r\n') || (after.includes('\r\n') && text.includes('\r')));
      }),
    );
  });

  test('go without a trace', () => {
    fc.assert(
      fc.property(layouts, (text) => {
        fc.pre(/\S/.test(text.replace(/[{}]/g, ''))); // an empty object may come back in another layout
        expect(withoutHooks(add(text))).toBe(text);
      }),
    );
  });

  test('are not added twice, and are replaced where the command has changed', () => {
    fc.assert(
      fc.property(layouts, (text) => {
        const once = add(text);
        expect(add(once)).toBe(once);
        const other = add(once, `${command.replace(' ||', ' --policy ask ||')}`);
        expect(new Set(ourCommands(other))).toEqual(new Set([command.replace(' ||', ' --policy ask ||')]));
      }),
    );
  });

  test('of other tools stay, even in one group with ours', () => {
    const text = `{ "hooks": { "PreToolUse": [ { "hooks": [
      { "type": "command", "command": "echo first" },
      { "type": "command", "command": "loopfuse hook claude-code || true" },
      { "type": "command", "command": "echo last" }
    ] } ] } }`;
    expect(parse(withoutHooks(text)).hooks.PreToolUse[0].hooks).toEqual([
      { type: 'command', command: 'echo first' },
      { type: 'command', command: 'echo last' },
    ]);
  });
});

test('a file as people write them: comments, order and layout stay', () => {
  const text = `{
  // my settings
  "model": "opus", /* keep */
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "echo hi" }] }, // mine
    ],
  },
}
`;
  expect(add(text)).toBe(`{
  // my settings
  "model": "opus", /* keep */
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "echo hi" }] }, // mine
      {
        "matcher": "*",
        "hooks": [
          {
            "type": "command",
            "command": "${command}",
            "timeout": 10
          }
        ]
      },
    ],
${['UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure']
  .map(
    (event) => `    "${event}": [
      {${event === 'UserPromptSubmit' ? '' : '\n        "matcher": "*",'}
        "hooks": [
          {
            "type": "command",
            "command": "${command}",
            "timeout": 10
          }
        ]
      }
    ]`,
  )
  .join(',\n')},
  },
}
`);
  expect(withoutHooks(add(text))).toBe(text);
});

test.each([
  ['{ "a": 1', 'line 1, column 9: close brace expected'],
  ['[]', 'expected a JSON object, found array'],
  ['{ "hooks": [] }', 'line 1, column 12: expected "hooks" to be an object, found array'],
  ['{\n "hooks": { "PreToolUse": {} } }', 'line 2, column 27: expected "hooks.PreToolUse" to be a list, found object'],
])('%j is refused: %s', (text, problem) => {
  expect(settingsProblem(text)).toBe(problem);
});

test('a byte order mark, as editors on Windows write it, stays where it is', () => {
  const text = '\ufeff{\r\n  "theme": "dark"\r\n}\r\n';
  expect(settingsProblem(text)).toBeUndefined();
  const after = add(text);
  expect(after).toMatch(/^\ufeff\{\r\n {2}"theme": "dark",\r\n {2}"hooks"/);
  expect(ourCommands(after).length).toBe(place.events.length);
  expect(withoutHooks(after)).toBe(text);
});

test('what is wrong with a file is said in words', () => {
  expect(settingsProblem('{\n  "a": 1\n  "b": 2\n}')).toBe('line 3, column 3: comma expected');
});
