import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMounts } from '../mounts.js';
import { launcherFor } from './index.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'loopfuse-launch-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, content: unknown): void {
  const file = join(home, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

function launch(command: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}, upstream?: string) {
  const mounts = createMounts();
  const mount = (base: string) => mounts.mount('http://127.0.0.1:1', base);
  const launched = launcherFor(command)({ args, env, home, cwd: home, upstream, mount });
  return {
    ...launched,
    upstreams: Object.fromEntries([...mounts.upstreams].map(([name, { origin }]) => [name, origin])),
  };
}

describe('an agent is pointed at the gateway', () => {
  it.each([
    ['claude', 'ANTHROPIC_BASE_URL', 'https://api.anthropic.com', ''],
    ['gemini', 'GOOGLE_GEMINI_BASE_URL', 'https://generativelanguage.googleapis.com', ''],
    ['qwen', 'OPENAI_BASE_URL', 'https://api.openai.com', '/v1'],
  ])('%s, by %s', (command, name, origin, path) => {
    const usual = launch(command, ['-p', 'x']);
    expect(usual).toMatchObject({
      args: ['-p', 'x'],
      env: { [name]: `http://127.0.0.1:1/m0${path}` },
      upstreams: { '/m0': origin },
    });
    const own = launch(`/usr/bin/${command}`, [], { [name]: 'http://models.example:8080/some/v1' });
    expect(own.env).toEqual({ [name]: 'http://127.0.0.1:1/m0/some/v1' });
    expect(own.upstreams).toEqual({ '/m0': 'http://models.example:8080' });
  });

  it('codex, by its settings', () => {
    expect(launch('codex', ['exec', 'x']).args).toEqual([
      '-c',
      'openai_base_url="http://127.0.0.1:1/m0/v1"',
      'exec',
      'x',
    ]);
    const given = launch('codex', [
      '-c',
      'model_providers.p={name="p",base_url="http://p.example/v1",wire_api="responses"}',
    ]);
    expect(given.args).toEqual([
      '-c',
      'model_providers.p={name="p",base_url="http://127.0.0.1:1/m0/v1",wire_api="responses"}',
    ]);
    for (const setting of ['openai_base_url="http://o.example/v1"', 'openai_base_url=http://o.example/v1'])
      for (const args of [['-c', setting], [`--config=${setting}`], [`-c${setting}`]]) {
        const proxied = launch('codex', args);
        expect(proxied.upstreams).toEqual({ '/m0': 'http://o.example' });
        expect(proxied.args).toEqual(args.map((arg) => arg.replace('http://o.example', 'http://127.0.0.1:1/m0')));
      }
    const prompt = 'set base_url="/v1" in api.py, and base_url="https://b.example" in b.py';
    expect(launch('codex', ['exec', prompt]).args.slice(2)).toEqual(['exec', prompt]);
    put(
      '.codex/config.toml',
      'model_provider = "q"\n[model_providers.other]\nbase_url = "http://no.example"\n[model_providers.q]\nname = "q"\nbase_url = "http://q.example/v1"\n',
    );
    const configured = launch('codex');
    expect(configured.args).toEqual(['-c', 'model_providers.q.base_url="http://127.0.0.1:1/m0/v1"']);
    expect(configured.upstreams).toEqual({ '/m0': 'http://q.example' });
  });

  it('opencode, with every provider of its files and its variable', () => {
    put('.config/opencode/opencode.json', { provider: { local: { options: { baseURL: 'http://local.example/v1' } } } });
    const given = {
      model: 'a/b',
      provider: { a: { npm: 'x', options: { baseURL: 'http://a.example/v1', apiKey: 'k' } } },
    };
    const { env } = launch('opencode', [], { OPENCODE_CONFIG_CONTENT: JSON.stringify(given) });
    const { model, provider } = JSON.parse(env.OPENCODE_CONFIG_CONTENT!);
    expect(model).toBe('a/b');
    expect(provider.a).toMatchObject({ npm: 'x', options: { apiKey: 'k' } });
    for (const name of ['a', 'local', 'anthropic', 'openai', 'google'])
      expect(provider[name].options.baseURL).toMatch(/^http:\/\/127\.0\.0\.1:1\/m\d\/v1/);
  });

  it('opencode, with the providers of a file that has comments', () => {
    put(
      'opencode.jsonc',
      '{\n  // ours\n  "provider": { "anthropic": { "options": { "baseURL": "http://a.example/v1", }, }, },\n}\n',
    );
    expect(Object.values(launch('opencode').upstreams)).toContain('http://a.example');
  });

  it('copilot, where it has a model of its own', () => {
    expect(launch('copilot').remark).toMatch(/not guarded/);
    expect(launch('copilot', [], { COPILOT_PROVIDER_BASE_URL: 'http://c.example/v1' }).env).toEqual({
      COPILOT_PROVIDER_BASE_URL: 'http://127.0.0.1:1/m0/v1',
    });
  });

  it('cline and pi, by a folder that looks like their own', () => {
    put('.cline/data/settings/providers.json', { providers: { p: { settings: { baseUrl: 'http://p.example/v1' } } } });
    put('.cline/data/settings/other.json', { kept: true });
    put('.cline/data/sessions/one.json', {});
    const cline = launch('cline', ['--json', 'x']);
    const folder = cline.args[1]!;
    expect(cline.args).toEqual(['--data-dir', folder, '--json', 'x']);
    expect(readFileSync(join(folder, 'settings/providers.json'), 'utf8')).toContain('http://127.0.0.1:1/m0/v1');
    expect(readFileSync(join(folder, 'settings/other.json'), 'utf8')).toContain('kept');
    expect(lstatSync(join(folder, 'sessions')).isSymbolicLink()).toBe(true);
    writeFileSync(join(folder, 'sessions/two.json'), '{}');
    mkdirSync(join(folder, 'tasks'));
    writeFileSync(join(folder, 'tasks/new.json'), '{}');
    cline.end!();
    expect(existsSync(folder)).toBe(false);
    expect(existsSync(join(home, '.cline/data/sessions/two.json'))).toBe(true);
    expect(existsSync(join(home, '.cline/data/tasks/new.json'))).toBe(true);
    expect(readFileSync(join(home, '.cline/data/settings/providers.json'), 'utf8')).toContain('http://p.example/v1');

    put('.pi/agent/models.json', { providers: { p: { baseUrl: 'http://p.example/v1', models: [] } } });
    const pi = launch('pi');
    const models = JSON.parse(readFileSync(join(pi.env.PI_CODING_AGENT_DIR!, 'models.json'), 'utf8'));
    expect(models.providers.p.baseUrl).toBe('http://127.0.0.1:1/m0/v1');
    expect(models.providers.anthropic.baseUrl).toBe('http://127.0.0.1:1/m1');
    pi.end!();
  });

  it('pi, with all that its file says of a provider that has no address of its own', () => {
    put('.pi/agent/models.json', { providers: { anthropic: { headers: { team: 'a' } } } });
    const pi = launch('pi');
    const models = JSON.parse(readFileSync(join(pi.env.PI_CODING_AGENT_DIR!, 'models.json'), 'utf8'));
    expect(models.providers.anthropic).toEqual({ baseUrl: 'http://127.0.0.1:1/m0', headers: { team: 'a' } });
    pi.end!();
    put('.pi/agent/models.json', '{ "providers": ');
    expect(() => launch('pi')).toThrow(/models\.json cannot be read: /);
  });

  it('a file of its folder that it replaces, as by renaming another one, is replaced in its own folder', () => {
    put('.pi/agent/settings.json', { theme: 'old' });
    const pi = launch('pi');
    const settings = join(pi.env.PI_CODING_AGENT_DIR!, 'settings.json');
    writeFileSync(`${settings}.new`, '{"theme":"new"}');
    renameSync(`${settings}.new`, settings);
    pi.end!();
    expect(readFileSync(join(home, '.pi/agent/settings.json'), 'utf8')).toBe('{"theme":"new"}');
  });

  it('what cannot be put into its own folder is left where it is, and that is said', () => {
    const pi = launch('pi');
    const folder = pi.env.PI_CODING_AGENT_DIR!;
    writeFileSync(join(folder, 'auth.json'), '{}');
    mkdirSync(join(home, '.pi/agent/auth.json'), { recursive: true }); // in the way
    expect(() => pi.end!()).toThrow(`what the program has written is left in ${folder}: `);
    expect(existsSync(join(folder, 'auth.json'))).toBe(true);
    rmSync(folder, { recursive: true });
  });

  it('any other program, by the usual variables, and says which', () => {
    const { env, remark } = launch('python', ['agent.py'], { OPENAI_BASE_URL: 'http://o.example/v1' });
    expect(Object.keys(env)).toEqual([
      'ANTHROPIC_BASE_URL',
      'OPENAI_BASE_URL',
      'OPENAI_API_BASE',
      'GOOGLE_GEMINI_BASE_URL',
    ]);
    expect(remark).toContain('OPENAI_BASE_URL');
  });
});
