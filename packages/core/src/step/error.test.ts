import { describe, expect, test } from 'vitest';
import { readError, refusedByPerson } from './error.js';

describe('the error in a result', () => {
  test('is the exception at the end of a traceback', () => {
    const text =
      'Traceback (most recent call last):\n  File "a.py", line 8, in <module>\n    django.setup()\nModuleNotFoundError: No module named \'app\'\n';
    expect(readError(text, undefined, 'run')?.core).toBe("ModuleNotFoundError: No module named 'app'");
  });

  test('is the line that names it, not the echo of the file around it', () => {
    const echo = (k: number) =>
      `Your proposed edit has introduced new syntax error(s).\n\nERRORS:\n- E999 IndentationError: unexpected indent\n\n${k}:raise ValueError("x")\n${k + 1}:    pass\nYour changes have NOT been applied.`;
    expect(readError(echo(10), undefined, 'write')?.line).toBe(readError(echo(77), undefined, 'write')?.line);
    expect(readError(echo(10), undefined, 'write')?.core).toBe('- E# IndentationError: unexpected indent');
  });

  test('is the same line when only numbers differ', () => {
    const shell = (line: number) =>
      readError(`bash: line ${line}: cd: fastjson/: No such file or directory`, undefined, 'run')!;
    expect(shell(41).line).toBe(shell(45).line);
    const column = (name: string) => readError(`Error: unknown column '${name}'`, undefined, 'read')!;
    expect(column('a').line).not.toBe(column('b').line);
  });

  test('is how a command says that it was called wrongly, but not how a page begins that tells about it', () => {
    const usage = 'Usage: edit <start_line>:<end_line>';
    expect(readError(usage, undefined, 'write')?.core).toBe(usage);
    expect(readError(`${usage}\n${'  --option  what it does\n'.repeat(40)}`, undefined, 'run')).toBeUndefined();
    expect(readError('# Usage\n\nCall it with a file.', undefined, 'read')).toBeUndefined();
  });

  test('is how a runner of tests begins that fails, in whatever it then says', () => {
    const shown = ' FAIL  test/discount.test.ts (4.9 s)\n  ✓ gives nothing (3 ms)\n  ✕ applies the discount (8 ms)';
    expect(readError(shown, undefined, 'run')?.core).toBe('FAIL test/discount.test.ts (# s)');
    expect(
      readError(`--- FAIL: TestDescribe (0.00s)\n${'    want "at 6:00 AM"\n'.repeat(60)}`, undefined, 'run'),
    ).toBeDefined();
  });

  test('is believed when the host says so, and not when it says no', () => {
    expect(readError('something', true, 'read')).toBeDefined();
    expect(readError('Error: boom', false, 'read')).toBeUndefined();
  });

  test.each([
    [
      'a file that talks about errors',
      `${'export function a() {}\n'.repeat(40)}throw new TypeError("x");\n${'// more\n'.repeat(40)}`,
    ],
    ['a clean bill of health', 'Build finished: 0 errors, 0 warnings'],
    ['a list of matches', 'src/error.ts:12: export class ParseError extends Error {}\n'.repeat(12)],
    ['a file that is called after errors', '{"file": "docs/errors.md", "line": 44, "text": "| 44 | see the edge |"}'],
    ['an empty result', ''],
    ['a wrapper that says there is none', 'Command: ls\nOutput: a.ts\nError: (none)\nExit Code: 0\nSignal: (none)'],
    ['a function of that name', `handleError(cause);\nonException (cause) => retry(cause);\n${'// more\n'.repeat(80)}`],
    ['a document that counts none', `{"errors": [], "data": {"rows": [${'1, '.repeat(200)}1]}}`],
    ['a short document that counts none', '{"error": null, "rows": 3}'],
    ['an answer that says false', '{"failed": false, "error": ""}'],
    [
      'a page with a heading for the error of the last action',
      '## Error from previous action:\nNone\n\n# Tree\n[12] link "Home"',
    ],
    ['a checker that found nothing', '<errors path="/src/a.ts">\nNo errors found.\n</errors>'],
    ['a list of problems without one', 'Errors:\n  0 problems detected'],
    ['a code in a log', '[000018] fault E041\n[000027] link ok'],
    [
      'passing tests',
      'ok 1 - an unknown option is refused\nok 2 - failed logins are counted\n# pass 2\n# fail 0'.repeat(8),
    ],
  ])('is not seen in %s', (_name, text) => {
    expect(readError(text, undefined, 'read')).toBeUndefined();
  });

  test('is a time-out as well, also where it says that something was running', () => {
    const text = '\nEXECUTION TIMED OUT BECAUSE THE COMMAND WAS RUNNING FOR MORE THAN 2400 SECONDS.';
    expect(readError(text, undefined, 'run')).toMatchObject({ bare: false, infrastructure: false });
    expect(readError(text, undefined, 'poll')).toMatchObject({ infrastructure: true }); // it was asked too early
    expect(readError('Command timed out after 120s', undefined, 'run')).toBeDefined();
    expect(readError('All 40 tests passed; the timeout is 30 s', undefined, 'run')).toBeUndefined();
  });

  test('is what an edit says that changed nothing, and only an edit', () => {
    for (const text of ['No changes made: old and new text are equal.', '0 replacements', 'File left unchanged.']) {
      expect(readError(text, undefined, 'write'), text).toBeDefined();
      expect(readError(text, undefined, 'run'), text).toBeUndefined();
    }
    for (const text of ['2 files updated, 3 unchanged', 'service/web unchanged\ndeployment/web configured'])
      expect(readError(text, undefined, 'write'), text).toBeUndefined();
  });

  test('of the surroundings is told apart', () => {
    for (const text of [
      'Error: HTTP 429 Too Many Requests',
      'Error: connect ECONNREFUSED 127.0.0.1:80',
      'Error: request timed out after 30 s',
      'Error: connection time-out',
      'Error: service unavailable (HTTP 503).',
    ])
      expect(readError(text, true, 'run')?.infrastructure, text).toBe(true);
    expect(readError("Error: Table 'a' doesn't exist", true, 'run')?.infrastructure).toBe(false);
  });

  test('is that of npm, and a tool that is not there is none of the surroundings', () => {
    const npm = '$ npm install\nnpm ERR! code E401\nnpm ERR! Unable to authenticate';
    expect(readError(npm, undefined, 'write')?.core).toBe('npm ERR! code E#');
    const tool = "The model tried to call unavailable tool 'replace'.";
    expect(readError(tool, true, 'run')?.infrastructure).toBe(false);
    expect(readError('failed to get a successful HTTP response (502)', true, 'run')?.infrastructure).toBe(true);
  });

  test('that says nothing is bare', () => {
    for (const text of [
      'Error',
      'Exit code 1',
      'exit_code: 1',
      'returncode: 2',
      'is_error: true',
      'status: error',
      'ok: false',
      'Command exited with code 2',
      'Command failed with exit code 1',
    ])
      expect(readError(text, true, 'run')?.bare, text).toBe(true);
    expect(readError('Exit code 1\nsrc/a.ts(3,4): error TS2345: Argument of type string', true, 'run')?.bare).toBe(
      false,
    );
  });

  test('is none where a person said no', () => {
    expect(refusedByPerson("The user doesn't want to proceed with this tool use.")).toBe(true);
    expect(refusedByPerson('Request interrupted by user')).toBe(true);
    expect(refusedByPerson('Error: permission denied')).toBe(false);
    expect(refusedByPerson('Permission to use Bash has been denied.')).toBe(false); // by a rule
  });
});

describe('reading an error takes time in proportion to the text', () => {
  // Each of these took for ever, or minutes, with expressions that backtrack. A test that hangs fails.
  test.each([
    ['dots before a capital', `Build${'.'.repeat(5000)}Passed`],
    ['dotted names at the end', `pre-push hook\n${'a.'.repeat(5000)}Passed`],
    ['one line of exit codes', 'exit code '.repeat(40_000)],
    ['signs before a word', `${'-'.repeat(100_000)}x`],
    ['places without a complaint', 'a/b: '.repeat(20_000)],
    ['open quotes', `error ${'"'.repeat(50_000)}`],
    ['slashes and dots', `error ${'./'.repeat(50_000)}`],
  ])('%s', (_, text) => {
    for (const effect of ['read', 'write', 'run', 'act', 'poll', 'note'] as const)
      for (const flag of [true, undefined]) expect(() => readError(text, flag, effect)).not.toThrow();
  });
});
