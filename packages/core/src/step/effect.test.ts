import { describe, expect, test } from 'vitest';
import { commandEffect } from './command.js';
import { effectOf } from './effect.js';

describe('what a call does', () => {
  test.each([
    ['Read', { file_path: 'a' }, 'read'],
    ['read_file', { path: 'a' }, 'read'],
    ['search_file_content', { pattern: 'x' }, 'read'],
    ['get_reservation_details', { id: '4WQ150' }, 'read'],
    ['mcp__linear-server__list_issues', {}, 'read'],
    ['Edit', { file_path: 'a' }, 'write'],
    ['apply_patch', { input: '*** Begin' }, 'write'],
    ['memory__add_observations', {}, 'write'],
    ['mcp__linear-server__create_issue', {}, 'write'],
    ['str_replace_editor', { command: 'view', path: 'a' }, 'read'],
    ['str_replace_editor', { command: 'create', path: 'a' }, 'write'],
    ['str_replace_editor', '{"command":"view","path":"a"}', 'read'],
    ['write_stdin', { session_id: 1, chars: '' }, 'poll'],
    ['write_stdin', { session_id: 1, chars: 'y\n' }, 'run'],
    ['TaskOutput', { task_id: 'a', block: true }, 'poll'],
    ['TodoWrite', { todos: [] }, 'note'],
    ['think', { thought: 'hm' }, 'note'],
    ['scroll_down', {}, 'act'],
    ['click', { index: 3 }, 'act'],
    ['execute_bash', { command: '' }, 'poll'],
    ['execute', { sql: 'INSERT INTO a VALUES (1)' }, 'write'],
    ['Bash', { command: 'kubectl get pods' }, 'read'],
    ['some_tool_nobody_knows', {}, 'run'],
    ['fn3', { path: 'a.ts', content: 'export {};' }, 'write'],
    ['fn3', { file: 'a.ts', old_string: 'a', new_string: 'b' }, 'write'],
    ['fn3', { content: 'what do you think?' }, 'run'],
    ['bash', { command: 'read_file a.ts' }, 'read'],
    ['bash', { command: 'mcp__github__add_issue_comment 7 thanks' }, 'write'],
    ['bash', { command: 'Write /repo/a.json {\n  "root": true\n}' }, 'write'],
    ['bash', { command: 'Bash gh run watch 7' }, 'poll'],
    ['bash', { command: 'move_forward 3' }, 'act'],
    ['sql', { cmd: 'SELECT 1' }, 'read'],
    ['sql', { cmd: 'UPDATE a SET b = 1' }, 'write'],
    ['Bash', { command: 'git status' }, 'read'],
    ['shell', { command: ['bash', '-lc', 'rm -rf build'] }, 'run'],
    ['exec_command', { cmd: 'sleep 30 && tail log' }, 'poll'],
  ] as const)('%s %j is a %s', (tool, input, effect) => {
    expect(effectOf(tool, input)).toBe(effect);
  });

  test.each([
    ['ls -la', 'read'],
    ['cd src && cat a.ts | head -20', 'read'],
    ['git diff HEAD~1 -- a', 'read'],
    ['git commit -m "x"', 'write'],
    ['git grep total src', 'read'],
    ['git cat-file -p HEAD', 'read'],
    ['set -euo pipefail; npm test', 'run'],
    ["python3 - <<'E'\ndef f(x):\n  return x\nprint(f(1))\nE", 'run'],
    ['echo hello > a.txt', 'write'],
    ['echo hello 2>&1', 'read'],
    ['ls > /dev/null', 'read'],
    ["sed -n '1,20p' a", 'read'],
    ["sed -i 's/a/b/' a", 'write'],
    ['grep -n wait src/a.ts', 'read'],
    ['docker logs web', 'read'],
    ['gh pr create --fill', 'run'],
    ['go test ./...', 'run'],
    ['./bench-start.sh', 'run'],
    ['npm test', 'run'],
    ['npm install left-pad', 'write'],
    ['FOO=1 timeout 30 pytest -q', 'run'],
    ['sleep 60', 'poll'],
    ['mkdir -p out && python gen.py', 'write'],
    ['', 'read'],
  ] as const)('the command %j is a %s', (command, effect) => {
    expect(commandEffect(command)).toBe(effect);
  });
});
