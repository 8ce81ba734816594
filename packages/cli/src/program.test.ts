import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runLoopfuse } from '../testing/run-loopfuse.js';
import { fakeTerminal } from '../testing/terminal.js';
import { commands } from './commands/index.js';
import { run } from './run.js';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

async function ask(args: readonly string[], terminal: Parameters<typeof fakeTerminal>[0] = {}) {
  const { stdin, stdout, stderr } = process;
  const shell = {
    out: fakeTerminal(terminal),
    err: fakeTerminal(terminal),
    env: {},
    streams: { stdin, stdout, stderr },
    command: 'loopfuse',
    exitCode: 0,
  };
  await run(args, shell);
  return { code: shell.exitCode, stdout: shell.out.written, stderr: shell.err.written };
}

test('--version prints the version and nothing else', async () => {
  expect(await runLoopfuse(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test.each([[[]], [['help']], [['--help']]])(
  '%j explains the commands, with examples, on standard output',
  async (args) => {
    const { code, stdout, stderr } = await ask(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const part of ['Commands:', 'scan', 'chat', 'demo', 'Examples:', 'Exit codes:'])
      expect(stdout).toContain(part);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  },
);

test.each(commands)('the list of commands says of $name what its own help says', async ({ name, takes = '' }) => {
  const { stdout } = await ask([name, '--help']);
  const usage = stdout.slice(0, stdout.indexOf('\n')).replace('-- ', '');
  expect(usage).toBe(`Usage: loopfuse ${name} [options] ${takes}`.trimEnd());
});

test.each([
  [['--version'], []],
  [['--help'], []],
  [['scna'], []],
  [['demo', '--help'], ['demo']],
  [['help', 'export'], ['export']],
])('%j loads of the commands only %j', async (args, expected) => {
  const loaded = await modulesOf(args);
  expect([...new Set(loaded.flatMap((url) => /\/cli\/dist\/commands\/([a-z]+)\//.exec(url)?.[1] ?? []))]).toEqual(
    expected,
  );
  if (expected.length === 0) expect(loaded.filter((url) => url.includes('/core/dist/detectors/'))).toEqual([]);
});

/** The addresses of the modules that a command line loads. */
async function modulesOf(args: readonly string[]): Promise<readonly string[]> {
  const hooks = `import { writeSync } from 'node:fs';
    export function load(url, context, next) { writeSync(2, '\\n' + url + '\\n'); return next(url, context); }`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(inUrl(hooks))});`;
  const { stderr } = await runLoopfuse(args, { nodeArgs: ['--import', inUrl(register)] });
  return stderr.split('\n').filter((line) => line.startsWith('file:'));
}

function inUrl(script: string): string {
  return `data:text/javascript,${encodeURIComponent(script)}`;
}

test.each([
  ['scan'],
  ['watch'],
  ['worker'],
  ['replay'],
  ['export'],
  ['chat'],
  ['demo'],
  ['install'],
  ['uninstall'],
  ['status'],
  ['hook'],
])('help %s has examples and fits into 80 columns', async (command) => {
  const asked = await ask(['help', command], { columns: 120 });
  expect(asked.stdout).toContain(`Examples:\n  loopfuse ${command}`);
  expect(asked.stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(await ask([command, '--help'])).toEqual(asked);
});

test.each([
  [['scna', 'x'], "unknown command 'scna'\n(Did you mean scan?)"],
  [['help', 'scna'], "unknown command 'scna'\n(Did you mean scan?)"],
  [['--nope'], "unknown option '--nope'"],
  [['scan', '--jsno', 'x'], "unknown option '--jsno'\n(Did you mean --json?)"],
  [
    ['scan', '--preset', 'strict', 'x'],
    "'strict' is invalid. Allowed choices are balanced, gemini-cli, qwen-code, deepv-code.",
  ],
  [['chat', '--policy', 'nice'], "'nice' is invalid. Allowed choices are interactive, unattended, ask, stop, shadow."],
  [['chat', '--max-turns', '0'], 'Expected a whole number of at least 1.'],
  [['chat', '--price', '3'], 'Expected dollars for a million tokens, in and out, such as 3,15'],
  [['chat', '--on-lop', 'stop'], "unknown option '--on-lop'\n(Did you mean --on-loop?)"],
  [['demo', 'x'], "too many arguments for 'demo'"],
  [['demo', '--fst'], "unknown option '--fst'\n(Did you mean --fast?)"],
])('%j is wrong usage: reported with a hint, exit code 2', async (args, message) => {
  const { code, stdout, stderr } = await ask(args);
  expect(stderr).toContain(`error: `);
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/Run "loopfuse .*--help" for /);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test.each(['install', 'uninstall'])('%s makes no project of a folder that is not there', async (command) => {
  const folder = join(tmpdir(), 'loopfuse-no-such-folder');
  const { code, stdout, stderr } = await ask([command, 'claude-code', '--yes', '--project', folder]);
  expect(stderr).toContain(`--project: there is no folder ${folder}`);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(existsSync(folder)).toBe(false);
});

test('wrong usage ends the process with 2', async () => {
  const { code, stdout, stderr } = await runLoopfuse(['scna']);
  expect(stderr).toContain('(Did you mean scan?)');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

test.each([true, false])('where colours are wanted (%s) help and errors have them', async (colours) => {
  for (const args of [['help'], ['scna'], ['scan', 'no-such-file'], ['demo']]) {
    const { stdout, stderr } = await ask(args, { colours });
    expect((stdout + stderr).includes('\u001b[')).toBe(colours);
  }
});

test('an unexpected error is one line and a hint; LOOPFUSE_DEBUG=1 prints the stack', async () => {
  const nodeArgs = ['--import', 'data:text/javascript,process.stdout.write=()=>{throw new Error("the sky fell")}'];
  const quiet = await runLoopfuse(['demo'], { nodeArgs });
  expect(quiet.stderr).toMatch(/^loopfuse: unexpected error: the sky fell\nRun it again with LOOPFUSE_DEBUG=1 .*\n$/);
  const loud = await runLoopfuse(['demo'], { nodeArgs, env: { LOOPFUSE_DEBUG: '1' } });
  expect(loud.stderr).toMatch(/Error: the sky fell\n +at /);
  expect([quiet.code, loud.code]).toEqual([1, 1]);
});

test.each(['', '--verbose', 'foo', 'claude-code --policy', '--policy stop claude-code'])(
  'hook %s ends with 0 and prints nothing: agents take other codes for a refusal',
  async (words) => {
    const env = { HOME: mkdtempSync(join(tmpdir(), 'loopfuse-hook-words-')) };
    expect(await runLoopfuse(['hook', ...words.split(' ').filter(Boolean)], { env, input: '{}' })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    rmSync(env.HOME, { recursive: true });
  },
);

// The command of the hooks is there once `npm run build` has made it.
const hookCommand = new URL('../../hooks/bundle/hook.cjs', import.meta.url);

test.skipIf(!existsSync(hookCommand))('hook takes its flags before the agent, too', async () => {
  const env = { HOME: mkdtempSync(join(tmpdir(), 'loopfuse-hook-words-')) };
  const event = (hook_event_name: string, tool_use_id: number) =>
    JSON.stringify({
      ...{ session_id: 's', hook_event_name, tool_name: 'Read', tool_use_id: String(tool_use_id) },
      ...{ tool_input: { file_path: 'a' }, tool_response: 'the same' },
    });
  const said: string[] = [];
  for (let k = 0; k < 4; k++)
    for (const name of ['PreToolUse', 'PostToolUse'])
      said.push(
        (await runLoopfuse(['hook', '--policy', 'stop', 'claude-code'], { env, input: event(name, k) })).stdout,
      );
  rmSync(env.HOME, { recursive: true });
  expect(said.join('')).toContain('"continue":false');
});
