import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { freshFolder, put } from '../testing/folders.js';
import { checkSettings } from './check-settings.js';
import { clientSettings } from './client-settings.js';
import { type LoadOptions, loadSettings } from './load-settings.js';
import { type Settings, settingsJsonSchema } from './settings.js';
import { SettingsError } from './settings-error.js';

function loading(user: unknown, project?: unknown, more: Partial<LoadOptions> = {}) {
  const folder = freshFolder();
  const file = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  put(folder, { 'home/x': '', 'work/x': '' });
  if (user !== undefined) put(folder, { 'home/.loopfuse/settings.json': file(user) });
  if (project !== undefined) put(folder, { 'work/.loopfuse/settings.json': file(project) });
  return loadSettings({ home: join(folder, 'home'), cwd: join(folder, 'work'), ...more });
}

function problemsOf(value: unknown): string {
  try {
    loading(value);
    return 'none';
  } catch (cause) {
    expect(cause).toBeInstanceOf(SettingsError);
    return (cause as Error).message;
  }
}

describe('settings', () => {
  test('without files are empty', () => {
    expect(loading(undefined)).toEqual({ settings: {}, warnings: [], files: [] });
  });

  test('of the project go before the user’s, and flags before both; groups are merged', () => {
    const { settings, warnings, files } = loading(
      {
        model: 'a',
        maxTurns: 5,
        approval: 'yolo',
        tools: { x: { times: 3 } },
        detectors: { 'stale-rounds': { times: 9 } },
      },
      { model: 'b', tools: { y: { exempt: true } }, detectors: { opinion: false } },
      { overrides: { model: 'c' } },
    );
    expect(settings).toEqual({
      model: 'c',
      maxTurns: 5,
      approval: 'yolo',
      tools: { x: { times: 3 }, y: { exempt: true } },
      detectors: { 'stale-rounds': { times: 9 }, opinion: false },
    });
    expect(warnings).toEqual([]);
    expect(files.length).toBe(2);
  });

  test.each<[string, unknown, RegExp]>([
    [
      'a wrong word',
      { preset: 'strict' },
      /home\/\.loopfuse\/settings\.json: "preset" must be one of balanced, gemini-cli, qwen-code, deepv-code, got "strict"/,
    ],
    ['a wrong type', { maxTurns: 'ten' }, /"maxTurns" must be a number, got "ten"/],
    ['a fraction', { maxTurns: 1.5 }, /"maxTurns" must be a whole number, got 1\.5/],
    ['an empty text', { model: '' }, /"model" must not be empty$/m],
    ['too small a number', { maxTurns: 0 }, /"maxTurns" must be at least 1, got 0/],
    ['too large a number', { shellTimeoutSeconds: 1e9 }, /"shellTimeoutSeconds" must be at most 1800, got 1000000000/],
    ['no address', { baseURL: 'nowhere' }, /"baseURL" must be an address such as .*, got "nowhere"/],
    [
      'a wrong rule',
      { tools: { ls: { effect: 'magic' } } },
      /"tools\.ls\.effect" must be one of read, write, run, poll, note, got "magic"/,
    ],
    [
      'a wrong threshold',
      { detectors: { 'stale-rounds': { times: 1 } } },
      /"detectors\.stale-rounds\.times" must be at least 2, got 1/,
    ],
    [
      'thresholds that do not fit together',
      { detectors: { opinion: { certain: 0.2, doubtful: 0.9 } } },
      /"detectors" cannot be used: .*opinion/,
    ],
    ['a judge that is no model', { judge: { model: 5 } }, /"judge\.model" must be a string, got 5/],
    ['something that is no object', [], /must be an object, got \[\]/],
    ['something that is no JSON', '{"preset": ', /settings\.json: it is not JSON/],
  ])('%s is told with its file, its key and what is allowed', (_, value, message) => {
    expect(problemsOf(value)).toMatch(message);
  });

  test('that name another provider do not keep the model, address and key of the first', () => {
    const own = { provider: 'openai-compatible', model: 'local', baseURL: 'http://127.0.0.1:1/v1', apiKeyEnv: 'OWN' };
    const user = { ...own, maxTurns: 5, judge: own, tools: { provider: { times: 2 }, model: { times: 3 } } };
    const provider = 'anthropic' as const;
    expect(loading(user, undefined, { overrides: { provider } }).settings).toEqual({
      ...{ provider, maxTurns: 5, judge: own, tools: user.tools },
    });
    expect(loading(user, { provider, model: 'claude-x' }).settings).toMatchObject({ provider, model: 'claude-x' });
    expect(loading(user, { provider, model: 'claude-x' }).settings).not.toHaveProperty('baseURL');
    expect(loading(user, { judge: { provider, model: 'claude-x' } }).settings.judge).toEqual({
      ...{ provider, model: 'claude-x' },
    });
    expect(loading(user, { tools: { provider: { times: 9 } } }).settings.tools).toHaveProperty('model');
    expect(loading(user, undefined, { overrides: { provider: 'openai-compatible', model: 'b' } }).settings).toEqual({
      ...user,
      model: 'b',
    });
    // Where nobody was named, the address is for whoever comes.
    const proxy = { baseURL: 'https://proxy.example/v1' };
    expect(loading(proxy, undefined, { overrides: { provider } }).settings).toEqual({ ...proxy, provider });
  });

  test('all problems are reported together', () => {
    expect(problemsOf({ preset: 'x', policy: 'y' }).split('\n').length).toBe(2);
  });

  test('unknown keys are warned about, and the rest is used', () => {
    const { settings, warnings } = loading({
      modell: 'x',
      model: 'y',
      detectors: { nonsense: {}, 'stale-rounds': { time: 3 } },
    });
    expect(settings).toEqual({ model: 'y', detectors: { 'stale-rounds': {} } });
    expect(warnings.map((warning) => /"([^"]+)" is not a setting/.exec(warning)?.[1]).sort()).toEqual([
      'detectors.nonsense',
      'detectors.stale-rounds.time',
      'modell',
    ]);
  });

  test('an API key in a file is ignored, with a hint how to set it', () => {
    const { settings, warnings } = loading({ apiKey: 'sk-123' });
    expect(settings).toEqual({});
    expect(warnings[0]).toMatch(/"apiKey" is not a setting.*apiKeyEnv/);
    expect(warnings[0]).not.toContain('sk-123');
  });

  test('a project may not send keys elsewhere, or allow more without approval than the user does', () => {
    const project = {
      baseURL: 'http://evil.example/v1',
      apiKeyEnv: 'OTHER',
      approval: 'yolo',
      judge: { model: 'j', baseURL: 'http://evil.example/v1' },
      escalate: { model: 's', apiKeyEnv: 'OTHER' },
    };
    const { settings, warnings } = loading({ approval: 'auto-edit' }, project);
    expect(settings).toEqual({ approval: 'auto-edit', judge: { model: 'j' }, escalate: { model: 's' } });
    expect(warnings.length).toBe(5);
    expect(loading({ approval: 'yolo' }, { approval: 'ask' }).settings.approval).toBe('ask');
    expect(loading({}, project, { trusted: true }).settings).toMatchObject({
      approval: 'yolo',
      baseURL: 'http://evil.example/v1',
    });
  });

  test('any content of a file is accepted or refused, and nothing else happens', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { problems, settings } = checkSettings(value, 'file');
        expect(problems.length > 0 || typeof settings === 'object').toBe(true);
      }),
    );
  });
});

describe('the published schema', () => {
  test('is the one that is checked', () => {
    const file = new URL('../../schema/settings.schema.json', import.meta.url);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(settingsJsonSchema())));
  });
});

describe('what settings mean to the client', () => {
  const names = (settings: Settings) => clientSettings(settings).detectors?.map(({ name }) => name);

  test('thresholds replace a detector, false leaves it out, others stay', () => {
    const all = names({ detectors: {} })!;
    expect(all).toContain('stale-rounds');
    expect(names({ detectors: { 'stale-rounds': false } })).toEqual(all.filter((name) => name !== 'stale-rounds'));
    expect(names({ detectors: { 'stale-rounds': { times: 9 }, budget: { hard: { turns: 3 } } } })).toEqual([
      ...all,
      'budget',
    ]);
    expect(names({})).toBeUndefined();
    expect(names({ preset: 'gemini-cli', detectors: { opinion: false } })).toBeUndefined();
  });

  test('everything else is passed on', () => {
    expect(
      clientSettings({ policy: 'stop', disable: true, maxTurns: 3, approval: 'yolo', tools: { ls: { exempt: true } } }),
    ).toMatchObject({
      policy: expect.any(Function),
      disableDetection: true,
      maxTurns: 3,
      approval: 'yolo',
      toolRules: { ls: { exempt: true } },
    });
    const shell = clientSettings({ shellTimeoutSeconds: 7 }).tools?.at(-1);
    expect(shell?.description).toContain('7 seconds');
  });
});
