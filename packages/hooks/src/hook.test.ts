import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../scripts/bundle.mjs';
import { runHook } from './run-hook.js';

let root: string;
let script: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'loopfuse-hook-'));
  await bundle(root);
  script = join(root, 'hook.cjs');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let homes = 0;
const newHome = () => join(root, `home-${++homes}`);
const logOf = (home: string) => readFileSync(join(home, '.loopfuse/hooks/hook.log'), 'utf8');

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The bundled command as an agent runs it. */
function hook(
  args: readonly string[],
  input: string,
  { home = newHome(), env = {}, node = [] as string[], onStart = (_child: ChildProcess) => {} } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...node, script, ...args], { env: { HOME: home, ...env } });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text) => (stdout += text));
    child.stderr.on('data', (text) => (stderr += text));
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    onStart(child);
  });
}

const quiet: Ended = { code: 0, signal: null, stdout: '', stderr: '' };
const event = (name: string, k: number, more: object = {}) =>
  JSON.stringify({
    session_id: 's',
    hook_event_name: name,
    tool_name: 'Read',
    tool_input: { file_path: '/a' },
    tool_use_id: `call-${k}`,
    tool_response: 'the same text',
    ...more,
  });

describe('the command', () => {
  test('says nothing to work, and breaks a loop in the words of the agent', async () => {
    const home = newHome();
    const answers: string[] = [];
    for (let k = 0; k < 12 && !answers.at(-1)?.includes('"continue":false'); k++) {
      const before = await hook(['claude-code'], event('PreToolUse', k), { home });
      if (before.stdout === '') answers.push((await hook(['claude-code'], event('PostToolUse', k), { home })).stdout);
      else answers.push(before.stdout);
    }
    const acted = answers.filter((answer) => answer !== '').map((answer) => JSON.parse(answer));
    expect(acted).toEqual([
      { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: expect.stringMatching(/^Loopfuse/) } },
      { hookSpecificOutput: expect.objectContaining({ permissionDecision: 'deny' }) },
      {
        continue: false,
        stopReason: expect.stringMatching(/^Loopfuse/),
        hookSpecificOutput: expect.objectContaining({ permissionDecision: 'deny' }),
      },
    ]);
    expect(answers.slice(0, 2)).toEqual(['', '']);
    expect(logOf(home).trim().split('\n')).toHaveLength(3);
    expect(logOf(home)).not.toContain('the same text');
  });

  test.each([
    ['no JSON', ['claude-code'], 'hello'],
    ['nothing', ['claude-code'], ''],
    ['an unknown agent', ['clod'], '{}'],
    ['an unknown policy', ['codex', '--policy', 'nice'], '{}'],
    ['no agent', [], '{}'],
  ])('given %s it ends with 0, silent, with a line in the log', async (_what, args, input) => {
    const home = newHome();
    expect(await hook(args, input, { home })).toEqual(quiet);
    expect(logOf(home)).toMatch(/^\S+Z .*expected .+\n$/);
  });

  test('without a home that can be written to it ends with 0, silent', async () => {
    const file = newHome();
    writeFileSync(file, '');
    expect(await hook(['claude-code'], event('PreToolUse', 1), { home: join(file, 'x') })).toEqual(quiet);
  });

  test.skipIf(!existsSync('/proc/self'))('does not try for ever to make a home where nothing can be made', async () => {
    expect(await hook(['claude-code'], event('PreToolUse', 1), { home: '/proc/home' })).toEqual(quiet);
  });

  test('on a full disk it ends with 0, silent, with a line in the log', async () => {
    const home = newHome();
    const full = join(root, 'full.cjs');
    writeFileSync(
      full,
      `const fs = require('node:fs');
      const { openSync, writeSync } = fs;
      const inSessions = new Set();
      fs.openSync = (path, ...more) => {
        const descriptor = openSync(path, ...more);
        if (String(path).includes('sessions')) inSessions.add(descriptor);
        else inSessions.delete(descriptor);
        return descriptor;
      };
      fs.writeSync = (descriptor, ...more) => {
        if (inSessions.has(descriptor)) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
        return writeSync(descriptor, ...more);
      };`,
    );
    for (const name of ['PreToolUse', 'PostToolUse'])
      expect(await hook(['claude-code'], event(name, 1), { home, node: ['--require', full] })).toEqual(quiet);
    expect(logOf(home)).toMatch(/save: ENOSPC/);
    expect(await hook(['claude-code'], event('PreToolUse', 2), { home })).toEqual(quiet);
  });

  test('a transcript of 200 MB is read at its end, and the log says so', async () => {
    const home = newHome();
    mkdirSync(home);
    const transcript_path = join(home, 'session.jsonl');
    writeFileSync(transcript_path, '');
    expect(await hook(['claude-code'], event('PreToolUse', 1, { transcript_path }), { home })).toEqual(quiet);
    truncateSync(transcript_path, 200e6); // zeros, which take no room
    appendFileSync(transcript_path, '\n{"type":"progress"}\n');
    expect(await hook(['claude-code'], event('PostToolUse', 1, { transcript_path }), { home })).toEqual(quiet);
    expect(logOf(home)).toMatch(/bytes of the transcript were skipped/);
  });

  test('turned off it does nothing', async () => {
    const home = newHome();
    expect(await hook(['clod'], '{}', { home, env: { LOOPFUSE_HOOK: 'off' } })).toEqual(quiet);
    expect(() => logOf(home)).toThrow('ENOENT');
  });

  test('killed at any moment it leaves the session to the next', async () => {
    const home = newHome();
    for (let k = 0; k < 12; k++) {
      const onStart = (child: ChildProcess) => setTimeout(() => child.kill('SIGKILL'), 20 + 5 * k);
      await hook(['claude-code'], event('PreToolUse', k, { tool_input: { k } }), { home, onStart });
    }
    expect(await hook(['claude-code'], event('PreToolUse', 99), { home })).toEqual(quiet);
    const state = JSON.parse(readFileSync(join(home, '.loopfuse/hooks/sessions/claude-code-s.json'), 'utf8'));
    expect(state.state.version).toBe(1);
  });

  test('what V8 keeps of it is no condition: broken, it is compiled again', async () => {
    const home = newHome();
    await hook(['claude-code'], event('PreToolUse', 1), { home });
    await hook(['claude-code'], event('PostToolUse', 1), { home });
    const folder = join(home, '.loopfuse/hooks/cache');
    const { readdirSync } = await import('node:fs');
    const [name] = readdirSync(folder);
    writeFileSync(join(folder, name!), Buffer.alloc(1000));
    expect(await hook(['claude-code'], event('PreToolUse', 2), { home })).toEqual(quiet);
    expect(await hook(['clod'], '', { home })).toEqual(quiet);
  });

  test('installed for the user and for the project, it counts an event once', async () => {
    const home = newHome();
    mkdirSync(home);
    const both = async (name: string, k: number) => {
      const said = await Promise.all([1, 2].map(() => hook(['claude-code'], event(name, k), { home })));
      return said.map(({ stdout }) => stdout).join('');
    };
    const answers: string[] = [];
    for (let k = 0; k < 3; k++) answers.push(await both('PreToolUse', k), await both('PostToolUse', k));
    expect(answers.slice(0, 5).join('')).toBe('');
    expect(JSON.parse(answers[5]!).hookSpecificOutput.additionalContext).toMatch(/3 times in a row/);
    expect(logOf(home).trim().split('\n')).toHaveLength(1);
  });

  test('two sessions and two agents at once do not meet', async () => {
    const home = newHome();
    mkdirSync(home);
    const act = async (agent: string, session: string, k: number) => {
      const more = { session_id: session, tool_input: { session, agent } };
      const before = await hook([agent], event('PreToolUse', k, more), { home });
      return before.stdout + (await hook([agent], event('PostToolUse', k, more), { home })).stdout;
    };
    for (let k = 0; k < 2; k++) {
      const said = await Promise.all(
        ['claude-code', 'codex', 'qwen-code'].flatMap((agent) => ['a', 'b'].map((session) => act(agent, session, k))),
      );
      expect(said.join('')).toBe('');
    }
    expect(() => logOf(home)).toThrow('ENOENT');
  });
});

test('whatever comes in, the answer is a text, and nothing is thrown', () => {
  const home = newHome();
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.constantFrom('claude-code', 'copilot', '--policy', 'preToolUse')), {
        maxLength: 4,
      }),
      fc.oneof(fc.string(), fc.json()),
      (args, payload) => {
        expect(typeof runHook({ args, payload, env: { HOME: home } }).text).toBe('string');
      },
    ),
  );
});
