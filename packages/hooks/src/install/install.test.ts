import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../../scripts/bundle.mjs';
import { type AgentName, agentNames, agents, type Scope } from './agents.js';
import { applyInstall, applyUninstall } from './apply.js';
import { copyOfHook } from './command.js';
import { fileOf, type InstallOptions, planInstall, planUninstall } from './plan.js';
import { statusOf } from './status.js';

let root: string;
beforeAll(async () => {
  await bundle();
  root = mkdtempSync(join(tmpdir(), 'loopfuse-install-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let homes = 0;
function newHome(): Omit<InstallOptions, 'agent' | 'scope'> {
  const home = join(root, String(++homes));
  const project = join(home, 'project');
  mkdirSync(project, { recursive: true });
  return { env: { HOME: home }, project };
}

function install(options: InstallOptions): void {
  applyInstall(planInstall(options), options.env);
}
function uninstall(options: InstallOptions): void {
  applyUninstall(planUninstall(options), options.env);
}

/** Every file and folder below, with what is in it. */
function treeOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, entry.isFile() ? readFileSync(path, 'utf8') : 'folder'];
    }),
  );
}

const everywhere = agentNames.flatMap((agent) =>
  (['user', 'project'] as const).map((scope) => [agent, scope] as const),
);
describe.each(everywhere)('%s, %s', (agent, scope) => {
  test('installed, installed again and uninstalled, the home is as it was', () => {
    const options = { ...newHome(), agent, scope };
    const before = treeOf(options.env.HOME!);
    install(options);
    const installed = treeOf(options.env.HOME!);
    expect(installed[fileOf(options)]).toMatch(/loopfuse/i);
    install(options);
    expect(treeOf(options.env.HOME!)).toEqual(installed);
    uninstall(options);
    expect(treeOf(options.env.HOME!)).toEqual(before);
  });

  test('is shown by status, with its policy and what is wrong with it', () => {
    const options = { ...newHome(), agent, scope };
    const find = () => statusOf(options).find((one) => one.agent === agent && one.scope === scope);
    expect(find()).toMatchObject({ state: 'absent' });
    install({ ...options, policy: 'interactive' });
    expect(find()).toMatchObject({ state: 'installed', policy: 'interactive', file: fileOf(options) });
    if (scope === 'user' && agent !== 'opencode') {
      const other = join(options.env.HOME!, "another node's", 'node');
      mkdirSync(dirname(other));
      writeFileSync(other, '');
      install({ ...options, node: other });
      expect(find()).toMatchObject({ state: 'installed' });
      rmSync(other);
      expect(find()).toMatchObject({ state: 'outdated', problem: `${other} is missing; install it again` });
      install(options);
      rmSync(copyOfHook(options.env));
      expect(find()).toMatchObject({ state: 'outdated', problem: expect.stringContaining('is missing') });
    }
  });
});

describe.each(everywhere.filter(([agent]) => agents[agent].place.type === 'settings'))(
  '%s, %s, beside settings that are there',
  (agent, scope) => {
    const text = '{\n\t"theme": "dark", // mine\n\t"list": [1, 2],\n}';
    const put = () => {
      const options = { ...newHome(), agent, scope };
      mkdirSync(dirname(fileOf(options)), { recursive: true });
      writeFileSync(fileOf(options), text, { mode: 0o640 });
      return options;
    };

    test('comes and goes, and they come back to the byte', () => {
      const options = put();
      const before = treeOf(options.env.HOME!);
      install(options);
      install({ ...options, policy: 'ask' });
      expect(statSync(fileOf(options)).mode & 0o777).toBe(0o640);
      expect(readFileSync(fileOf(options), 'utf8')).toContain('"theme": "dark", // mine');
      uninstall(options);
      expect(treeOf(options.env.HOME!)).toEqual(before);
    });

    test('goes alone where somebody changed the file since', () => {
      const options = put();
      install(options);
      writeFileSync(fileOf(options), readFileSync(fileOf(options), 'utf8').replace('dark', 'light'));
      uninstall(options);
      expect(readFileSync(fileOf(options), 'utf8')).toBe(text.replace('dark', 'light'));
    });

    test.each(['{}', ''])('a file that held %j stays, though nothing is left in it', (held) => {
      const options = put();
      writeFileSync(fileOf(options), held);
      install(options);
      writeFileSync(fileOf(options), `${readFileSync(fileOf(options), 'utf8')}\n`);
      uninstall(options);
      expect(JSON.parse(readFileSync(fileOf(options), 'utf8'))).toEqual({});
    });

    test('a file that was made for it goes, though somebody has saved it anew since', () => {
      const options = { ...newHome(), agent, scope };
      install(options);
      writeFileSync(fileOf(options), `${readFileSync(fileOf(options), 'utf8')}\n`);
      uninstall(options);
      expect(existsSync(fileOf(options))).toBe(false);
    });
  },
);

describe('several agents', () => {
  test('share one copy of the command, which goes with the last', () => {
    const options = newHome();
    const one = (agent: AgentName, scope: Scope = 'user') => ({ ...options, agent, scope });
    install(one('claude-code'));
    install(one('copilot'));
    uninstall(one('claude-code'));
    expect(existsSync(copyOfHook(options.env))).toBe(true);
    uninstall(one('copilot'));
    expect(existsSync(join(options.env.HOME!, '.loopfuse'))).toBe(false);
  });

  test('what Loopfuse itself keeps in its folder stays', () => {
    const options = { ...newHome(), agent: 'codex', scope: 'user' } as const;
    mkdirSync(join(options.env.HOME!, '.loopfuse'), { recursive: true });
    writeFileSync(join(options.env.HOME!, '.loopfuse', 'settings.json'), '{}');
    install(options);
    uninstall(options);
    expect(readdirSync(join(options.env.HOME!, '.loopfuse'))).toEqual(['settings.json']);
  });
});

describe('what cannot be added to is refused, and nothing is changed', () => {
  test.each([
    ['broken JSON', '{ "a": ', /settings\.json, line 1, column \d+: .*Put the file right/],
    ['a list', '[]', /expected a JSON object, found array/],
    ['hooks of another shape', '{ "hooks": true }', /expected "hooks" to be an object, found boolean/],
    ['bytes that are no text', '\u{fffd}', /line 1/],
  ])('%s', (_what, content, problem) => {
    const options = { ...newHome(), agent: 'claude-code', scope: 'user' } as const;
    mkdirSync(dirname(fileOf(options)), { recursive: true });
    writeFileSync(fileOf(options), content);
    const before = treeOf(options.env.HOME!);
    expect(() => planInstall(options)).toThrow(problem);
    expect(treeOf(options.env.HOME!)).toEqual(before);
    expect(statusOf(options)[0]).toMatchObject({ state: 'unreadable' });
  });

  test('a file of the same name that is not ours', () => {
    const options = { ...newHome(), agent: 'copilot', scope: 'user' } as const;
    mkdirSync(dirname(fileOf(options)), { recursive: true });
    writeFileSync(fileOf(options), '{"version":1}');
    expect(() => planInstall(options)).toThrow('is not ours');
    expect(planUninstall(options)).toMatchObject({ before: '{"version":1}', after: '{"version":1}' });
  });
});

test('in the home folder, what is installed for the user is not shown as an outdated one of a project', () => {
  const { env } = newHome();
  const options = { agent: 'claude-code', scope: 'user', env, project: env.HOME! } as const;
  install(options);
  const states = statusOf(options).filter(({ agent }) => agent === 'claude-code');
  expect(states).toMatchObject([
    { scope: 'user', state: 'installed' },
    { scope: 'project', state: 'absent' },
  ]);
});

test('a settings file behind a link stays behind it', () => {
  const options = { ...newHome(), agent: 'qwen-code', scope: 'user' } as const;
  const real = join(options.env.HOME!, 'dotfiles.json');
  const text = '{"mine": 1}';
  writeFileSync(real, text);
  mkdirSync(dirname(fileOf(options)), { recursive: true });
  symlinkSync(real, fileOf(options));
  install(options);
  expect(readFileSync(real, 'utf8')).toContain('hook.cjs');
  uninstall(options);
  expect(readFileSync(real, 'utf8')).toBe(text);
  expect(statSync(fileOf(options)).isFile()).toBe(true);
});

test('a home with spaces and quotes is quoted for the shell', () => {
  const options = {
    agent: 'claude-code',
    scope: 'user',
    project: root,
    env: { HOME: "/home/o'neill and co" },
  } as const;
  const after = planInstall({ ...options, node: '/opt/my node/bin/node' }).after!;
  const command = JSON.parse(after).hooks.PreToolUse[0].hooks[0].command;
  expect(command).toBe(
    `'/opt/my node/bin/node' '/home/o'\\''neill and co/.loopfuse/hooks/hook.cjs' claude-code || true`,
  );
});

test('in PowerShell the command of Copilot CLI is called: a quoted word alone is a text there', () => {
  const options = { agent: 'copilot', project: root, env: { HOME: '/home/me' }, node: 'C:\\node.exe' } as const;
  const lineIn = (scope: Scope) => JSON.parse(planInstall({ ...options, scope }).after!).hooks.preToolUse[0].powershell;
  expect(lineIn('user')).toMatch(/^& "C:\\node\.exe" "/);
  expect(lineIn('project')).toBe('loopfuse hook copilot preToolUse');
});
