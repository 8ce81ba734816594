import fc from 'fast-check';
import type { AgentEvent, Json } from 'loopfuse';
import { texts } from './texts.js';

/** A call and its outcome, without an id. */
export interface Beat {
  readonly tool: string;
  readonly input: Json;
  readonly output: Json;
  readonly failed?: boolean;
}

/** Any single well-formed event, from small pools so that events repeat. */
export function agentEvents(): fc.Arbitrary<AgentEvent> {
  const id = fc.constantFrom('0', '1', '2', '3');
  return fc.oneof(
    texts().map((text): AgentEvent => ({ type: 'text', text })),
    texts().map((text): AgentEvent => ({ type: 'reasoning', text })),
    fc
      .tuple(id, beats())
      .map(([callId, { tool, input }]): AgentEvent => ({ type: 'tool-call', id: callId, tool, input })),
    fc.tuple(id, beats()).map(
      ([callId, { output, failed }]): AgentEvent => ({
        type: 'tool-result',
        id: callId,
        output,
        ...(failed === undefined ? {} : { failed }),
      }),
    ),
    marks(),
  );
}

/** The other events: turns, prompts, usage, messages of the guard, opinions of a judge. */
export function marks(): fc.Arbitrary<AgentEvent> {
  return fc.oneof(
    fc.constantFrom<AgentEvent>(
      { type: 'turn-start' },
      { type: 'turn-end' },
      { type: 'turn-end', reason: 'stop' },
      { type: 'retry' },
      { type: 'compaction' },
      { type: 'prompt' },
      { type: 'prompt', id: 'p', text: 'Please make the tests pass.' },
      { type: 'steer', text: 'You have made this call before. Try something else.' },
    ),
    fc
      .tuple(fc.nat(200_000), fc.nat(4000))
      .map(([inputTokens, outputTokens]): AgentEvent => ({ type: 'usage', inputTokens, outputTokens })),
    fc.nat(100).map(
      (percent): AgentEvent => ({
        type: 'opinion',
        by: 'judge',
        confidence: percent / 100,
        analysis: 'It reads the same file.',
      }),
    ),
  );
}

/** Calls with outcomes as coding agents make them: reads, edits, shell commands, polls, notes; fine, empty and failed. */
export function beats(): fc.Arbitrary<Beat> {
  const path = fc.constantFrom('src/a.ts', 'src/b.ts', 'README.md', '/tmp/x-81f3/out.log');
  const command = fc.constantFrom('npm test', 'npm run build', 'git status', 'ls -la src', 'cat src/a.ts', 'sleep 5');
  const calls: fc.Arbitrary<{ tool: string; input: Json }> = fc.oneof(
    path.map((file) => ({ tool: 'read_file', input: { path: file, limit: 200 } })),
    fc.tuple(path, fc.constantFrom('one', 'two')).map(([file, content]) => ({
      tool: 'write_file',
      input: { file_path: file, content },
    })),
    fc.tuple(path, fc.boolean()).map(([file, there]) => ({
      tool: 'replace',
      input: { file_path: file, old_string: there ? 'one' : 'two', new_string: there ? 'two' : 'one' },
    })),
    command.map((line) => ({ tool: 'run_shell_command', input: { command: line, description: `Runs ${line}` } })),
    path.map((file) => ({ tool: 'grep', input: { pattern: 'export', path: file, flags: { i: true, n: 1 } } })),
    fc.constantFrom(
      { tool: 'job_status', input: { job: 7 } },
      { tool: 'todo_write', input: { todos: ['look', 'fix'] } },
    ),
    fc.tuple(fc.constantFrom('mystery', 'lookup'), fc.nat(3)).map(([tool, q]) => ({ tool, input: { q } })),
  );
  const ends: fc.Arbitrary<{ output: Json; failed?: boolean }> = fc.oneof(
    fc.constantFrom<{ output: Json; failed?: boolean }>(
      { output: '' },
      { output: [] },
      { output: 'The file was updated successfully.' },
      { output: 'export const answer = 42;\n'.repeat(8) },
      { output: 'Tests: 2 failed, 14 passed, 16 total\nTime: 3.41 s' },
      { output: { status: 'running', progress: 0.5 } },
      { output: { stdout: 'nothing to commit, working tree clean', exit_code: 0 } },
      { output: "Error: ENOENT: no such file or directory, open 'src/c.ts'", failed: true },
      { output: 'old_string was not found in the file', failed: true },
      { output: '429 Too Many Requests', failed: true },
      { output: 'sh: 1: jest: not found\nCommand failed with exit code 127' },
    ),
    fc.nat(1000).map((n) => ({ output: `Result ${n}: ${n * 7} lines changed in ${n} files` })),
  );
  return fc.tuple(calls, ends).map(([call, end]) => ({ ...call, ...end }));
}
