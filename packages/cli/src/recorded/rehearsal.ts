import { type AgentEvent, createWatch, type Detector, type Json } from 'loopfuse';

/** Bytes to read in one thread from which a rehearsal saves more time than it costs. */
export const worthARehearsal = 16 * 1024 * 1024;

/**
 * Runs detectors on a short made-up session with events of many kinds, and discards the findings.
 *
 * The JavaScript engine compiles what runs often for what it has met so far, and throws that away when it meets
 * something else: a colour in a result, a first failure, a name beyond ASCII. In logs such things come one by one, and
 * the largest functions are compiled six times over before the last of them has come. A rehearsal shows them all
 * at once, before anything is compiled. What is found does not depend on it.
 */
export function rehearse(detectors: readonly Detector[]): void {
  for (let round = 0; round < rounds; round++) {
    const watch = createWatch({ detectors });
    // As from a log: to the engine, parsed strings are of another kind than those of a program.
    for (const event of JSON.parse(JSON.stringify(scene(round))) as AgentEvent[]) watch.observe(event);
  }
}

/** The engine records types only after a function has run a few times. */
const rounds = 2;

function scene(round: number): AgentEvent[] {
  const events: AgentEvent[] = [];
  let calls = 0;

  function call(tool: string, input: Json, output?: Json, failed?: boolean): void {
    const id = `call-${calls++}`;
    events.push({ type: 'turn-start', at: calls }, { type: 'tool-call', id, tool, input, at: calls });
    events.push({ type: 'usage', inputTokens: 900 + calls, outputTokens: 30, cachedTokens: 800, at: calls });
    events.push({ type: 'turn-end', at: calls });
    if (output !== undefined)
      events.push({ type: 'tool-result', id, output, ...(failed === undefined ? {} : { failed }), at: calls });
  }

  events.push({ type: 'prompt', text: 'Please mend the build of this project, which has failed since Monday.' });
  for (const channel of ['text', 'reasoning'] as const) {
    events.push({ type: channel, text: `${prose} ${prose}` });
    events.push({ type: 'turn-end' }, { type: channel, text: chant }, { type: 'turn-end' });
  }
  for (const [k, part] of everything.entries()) {
    const path = `/home/ada/src/part-${k}.ts`;
    events.push({ type: 'text', text: `Let me look at ${path} next.` });
    call('Read', { file_path: path, offset: 10 * k, limit: 50, whole: true }, `${part}\n${k} ${path}`, false);
    call('Bash', { command: `cd /home/ada && npx vitest run ${path} | tail -${k}`, description: 'Run it' }, part);
    call('functions.exec_command', `{"cmd":["grep","-rn","${k}","src"],"workdir":"/home/ada"}`, { output: part });
    call('Edit', { file_path: path, old_string: `a${k}`, new_string: `b${k}` }, `The file ${path} has been updated.`);
  }
  for (let k = 0; k < 4; k++) {
    call('Bash', { command: 'npm run build' }, `${everything[0]} at ${k} ms`, true);
    call('Bash', { command: `grep -n "total ${k}" a.ts b.ts # once more` }, 'Exit code 1', true);
    call('mcp__tickets__search_tickets', { query: `open ${k}`, tags: ['a', null, 1.5] }, [{ type: 'text', text: '' }]);
    call('write_stdin', { session_id: 7, chars: '' }, 'Process running with session ID 7');
    call('TodoWrite', { todos: [{ content: 'Mend it', status: 'pending' }] }, 'Todos have been modified');
  }
  call('Read', { file_path: 'long.txt' }, `${everything.join('\n')}\n`.repeat(20), false);
  for (let k = 0; k < 3; k++) call('report_progress_to_user', { percent: 10 * k });
  for (let k = 0; k < 3; k++) events.push({ type: 'text', text: prose }, { type: 'prompt', text: nudge });
  events.push({ type: 'retry' }, { type: 'compaction' }, { type: 'prompt', text: `Go on, ${round}.` });
  return events;
}

const nudge = 'No tool call was found in your answer. Every answer has to contain one tool call.';
const chant = 'I will try once more, 17 times if need be. '.repeat(24);
const prose =
  'The 12 tests of the parser fail since the lexer returns 3 tokens where it returned 2; that is `next()` in `lexer.ts`. ' +
  'Größe, 漢字 and 😀 are counted in units. First I read the code, then I change it:\n```ts\nconst a = [1, 2];\n```\n' +
  'After that the tests have to pass, all of them, and nothing else may break on the way there.';

/** What is found in results: numbers of all kinds, ids, times, colours, errors, words of other scripts, tables, code. */
const everything: readonly string[] = [
  "TypeError: Cannot read properties of undefined (reading 'total')\n    at sum (/home/ada/src/sum.ts:41:17)\nnpm ERR! code 1",
  'bash: line 41: cd: nowhere: No such file or directory\nProcess exited with code 1\nWall time: 0.25 seconds\nOutput:\n',
  '\u001b[31m✗\u001b[0m src/a.test.ts (12 tests | 1 failed) 345ms\n\u001b[32m✓\u001b[0m 3 passed in 1.25s, 0 errors\u00a0',
  'Chunk ID: 3fa2b1c9\nError: (none)\nResult: null\npid 4711, attempt 3 took 12 ms at 2026-11-16T03:45:22.123Z 11:22:33',
  'commit 9f8e7d6c5b4a39281706f5e4d3c2b1a009182736\nAuthor: Ada <ada@example.com>\n  550e8400-e29b-41d4-a716-446655440000',
  '     1\timport { größe } from "./maße.js";\n     2\t\n     3\texport const x1y2z3w4v5 = 0x1f2e + 1_000 * 3.75; // 漢字 😀\n',
  '{"status": "running", "exit_code": 0, "items": [1, 2, 3.5], "error": null, "id": "abc12345def", "path": "C:\\\\a"}',
  'web-7d9f   0/1   ContainerCreating   0   2m\nThe job is still in progress: 17 % of 1,234,567 rows, v1.2.3, 10.0.0.1\n',
  'HTTP 503 Service Unavailable: the server is overloaded, try again in 30s',
  'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nValueError: invalid literal for int(): \'x\'',
  "The user doesn't want to proceed with this tool use. The tool use was rejected.",
  'ok',
  '',
];
