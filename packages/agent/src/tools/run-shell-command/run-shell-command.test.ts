import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { freshFolder, put } from '../../testing/folders.js';
import { runTool } from '../../testing/run-tool.js';
import { createWorkspace } from '../../workspace/workspace.js';
import { commandCovers, namesSensitivePath } from './command-covers.js';
import { cleanEnvironment } from './environment.js';
import { runShellCommand } from './run-shell-command.js';

const shell = runShellCommand();

/** Waits until a process is gone; a test that waits for ever fails by its time limit. */
async function gone(pid: number): Promise<boolean> {
  for (;;) {
    try {
      process.kill(pid, 0);
      await wait(20);
    } catch {
      return true;
    }
  }
}

async function written(file: string): Promise<string> {
  while (!existsSync(file) || readFileSync(file, 'utf8').trim() === '') await wait(10);
  return readFileSync(file, 'utf8').trim();
}

describe('run_shell_command', () => {
  test('runs in the workspace, streams, and reports the exit code', async () => {
    const root = freshFolder();
    const { output, streamed, failed } = await runTool(shell, root, { command: 'pwd; echo wrong >&2; exit 3' });
    expect(output.split('\n').sort()).toEqual([root, 'wrong', 'Exit code 3.'].sort());
    expect(streamed).toContain(root);
    expect(failed).toBe(true);
    expect(await runTool(shell, root, { command: 'true' })).toMatchObject({ output: '(no output)', failed: false });
  });

  test('does not wait for input: there is none', async () => {
    expect((await runTool(shell, freshFolder(), { command: 'cat; echo done' })).output).toBe('done');
  });

  test('ends a command that takes too long, with everything that it started', async () => {
    const root = freshFolder();
    const { output, failed } = await runTool(shell, root, {
      command: 'sleep 1000 & echo $! > pid; wait',
      timeout_seconds: 0.3,
    });
    expect(output).toBe('Ended: it was not done after 0.3 seconds.');
    expect(failed).toBe(true);
    expect(await gone(Number(readFileSync(join(root, 'pid'), 'utf8')))).toBe(true);
  });

  test('cancelling ends the whole group, also processes that ignore SIGTERM', async () => {
    const root = freshFolder();
    const controller = new AbortController();
    const running = runTool(
      shell,
      root,
      { command: `echo begun; sh -c 'trap "" TERM; echo $$ > pid; while :; do sleep 0.05; done'` },
      controller.signal,
    );
    const pid = Number(await written(join(root, 'pid')));
    controller.abort();
    expect((await running).output).toBe('begun\nCancelled by the user.');
    expect(await gone(pid)).toBe(true);
  });

  test('what a command leaves running ends with it', async () => {
    const root = freshFolder();
    expect((await runTool(shell, root, { command: 'sleep 1000 > /dev/null & echo $! > pid' })).failed).toBe(false);
    expect(await gone(Number(readFileSync(join(root, 'pid'), 'utf8')))).toBe(true);
  });

  test('keeps the beginning and the end of a long output', async () => {
    const { output } = await runTool(shell, freshFolder(), {
      command: 'echo first; yes middle | head -n 100000; echo last',
    });
    expect(output.length).toBeLessThan(41_000);
    expect(output).toMatch(/^first\n/);
    expect(output).toMatch(/last$/);
    expect(output).toMatch(/characters were cut out here/);
  });

  test('commands do not see keys and tokens', async () => {
    const environment = { PATH: process.env.PATH, OPENAI_API_KEY: 'sk-secret-1', GITHUB_TOKEN: 'x', PLAIN: 'seen' };
    const { output } = await runTool(runShellCommand({ environment }), freshFolder(), { command: 'env' });
    expect(output).toContain('PLAIN=seen');
    expect(output).not.toMatch(/secret|TOKEN/);
  });

  test('refuses an invalid time limit', () => {
    expect(() => runShellCommand({ timeoutSeconds: 0 })).toThrow(/got 0/);
  });
});

describe('a clean environment', () => {
  test('has no variable whose name or value looks like a secret', () => {
    const secrets = {
      ANTHROPIC_API_KEY: 'a',
      AWS_SECRET_ACCESS_KEY: 'a',
      NPM_TOKEN: 'a',
      PGPASSWORD: 'a',
      DB_PASS: 'a',
      SSH_AUTH_SOCK: 'a',
      GOOGLE_APPLICATION_CREDENTIALS: 'a',
      MYAPIKEY: 'a',
      INNOCENT: 'ghp_abcdefghijklmnop',
      DATABASE_URL: 'postgres://user:pass@host/db',
      BEARER: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig',
    };
    const plain = {
      PATH: '/bin',
      HOME: '/home/a',
      PWD: '/x',
      LANG: 'C',
      NODE_ENV: 'test',
      KEYBOARD: 'de',
      EDITOR: 'vi',
      MONKEY: 'x',
    };
    expect(cleanEnvironment({ ...secrets, ...plain })).toEqual(plain);
  });
});

describe('what "always" covers', () => {
  const coversIn = (command: string, root = freshFolder()) => commandCovers(command, createWorkspace(root));

  test.each([
    ['git status', ['git status']],
    ['git status -s && ls -la | grep x', ['git status', 'ls', 'grep']],
    ['git push', ['git push']],
    ['git push origin main', ['git push origin']],
    ['git push other main', ['git push other']],
    ['git push --force origin main', ['git push origin --force']],
    ['git push origin +main', ['git push origin +main']],
    ['git commit -m "fix it"', ['git commit -m']],
    [`git commit -m "${'long '.repeat(80)}"`, ['git commit -m']],
    ['git checkout -b fix', ['git checkout -b']],
    ['git stash', ['git stash']],
    ['git stash push -u', ['git stash push -u']],
    ['git stash drop', ['git stash drop']],
    ['rm -rf build', ['rm -rf']],
    ['"ls" x', ['ls']],
    [`grep 'a word' x; pwd;`, ['grep', 'pwd']],
  ])('%j covers its programs with what matters of their arguments', async (command, covers) =>
    expect(await coversIn(command)).toEqual(covers),
  );

  test.each([
    'echo $(rm x)',
    'ls > /etc/x',
    'FOO=1 ls',
    'sudo ls',
    'bash -c ls',
    'a `b`',
    "find . -exec rm {} ';'",
    'ls\nrm x',
    'npm test',
    'ls "x',
    'grep "a|b" x',
    'cp a b',
    'git checkout .',
    'git checkout -- .',
    'git checkout main',
    'git diff --no-index a b',
    ';',
    './run.sh --fast',
    'unknown-program x',
    'git -c alias.x="!touch a" x',
    'git -C .. status',
    'git config alias.x "!touch a"',
    'git bisect run sh x',
    'git rebase --exec "touch a" main',
    'git diff --ext-diff',
    'git log --output=src/a.ts',
    'git fetch --upload-pack=evil origin',
    'git fetch "--upload-pack=evil" origin',
    'git submodule foreach touch',
    'git my-alias',
    'git add *',
    'cat /proc/1/environ',
    'cat ../secret',
    'cat ~/.ssh/id_rsa',
    'grep -f../../etc/passwd x',
    'rg --pre evil x',
    'sort --compress-program=evil x',
    'tar --to-command=evil -xf x',
  ])('%j covers only itself', async (command) => expect(await coversIn(command)).toEqual([command]));

  test('nothing that leads out of the workspace by a link, which approval of another path says nothing about', async () => {
    const root = freshFolder();
    put(root, { 'src/a.ts': '', 'my file': '' });
    symlinkSync(freshFolder(), join(root, 'out'));
    symlinkSync(freshFolder(), join(root, 'far away'));
    symlinkSync('src', join(root, 'in'));
    const out = ['mv src out', 'mv src --target-directory=out', 'mv src -tout', 'rm -rf out/x', 'cat "far away/x"'];
    for (const command of [...out, 'git mv src out', 'ls; touch out/x'])
      expect(await coversIn(command, root)).toEqual([command]);
    expect(await coversIn('mv src/a.ts in/b.ts && cat "my file"', root)).toEqual(['mv', 'cat']);
  });
});

describe('a command that names what configures the agent, the editor, git or the shell', () => {
  test.each([
    'cp a.json .vscode/settings.json',
    'echo x > .git/hooks/pre-commit',
    'tee ".loopfuse/settings.json"',
    'mv a shop.code-workspace',
    'cp a --target-directory=.husky',
    'cp a ".g"it/hooks/pre-commit',
    "cp a .vs''code/tasks.json",
    `node -e 'write("./"+".git")'`,
    'git --git-dir=a:.husky status',
  ])('%j is asked about each time', (command) => expect(namesSensitivePath(command)).toBe(true));
  test.each(['git status', 'cp a b', 'cat .gitignore'])('%j is not', (command) =>
    expect(namesSensitivePath(command)).toBe(false),
  );
});
