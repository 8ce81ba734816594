import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from 'loopfuse/words';
import { environmentPlaces } from '../open-agent/set-up-words.js';
import { codeOf } from '../workspace/workspace.js';
import { checkSettings } from './check-settings.js';
import { parseSettings } from './parse-settings.js';
import type { Settings } from './settings.js';
import { SettingsError } from './settings-error.js';

export interface LoadOptions {
  /** The project: its file is `.loopfuse/settings.json` there. */
  readonly cwd: string;
  /** The home folder: the user's file is `.loopfuse/settings.json` there. */
  readonly home: string;
  /** Settings of flags. They have precedence over both files. */
  readonly overrides?: Settings;
  /** Whether the project is trusted to set where keys are sent and what runs without approval. */
  readonly trusted?: boolean;
  /** The name of the overrides in warnings. */
  readonly overridesName?: string;
}

export interface LoadedSettings {
  readonly settings: Settings;
  /** Unknown keys, and keys that the project may not set, in sentences. */
  readonly warnings: readonly string[];
  /** The files that were read. Later ones have precedence over earlier ones. */
  readonly files: readonly string[];
}

/** The user's settings, the project's over them, and the overrides over both. Throws `SettingsError` for wrong values. */
export function loadSettings(options: LoadOptions): LoadedSettings {
  const { cwd, home, overrides = {}, trusted = false, overridesName = environmentPlaces.overrides } = options;
  const userFile = join(home, '.loopfuse', 'settings.json');
  const projectFile = join(cwd, '.loopfuse', 'settings.json');
  const user = readSettings(userFile);
  const project = projectFile === userFile ? undefined : readSettings(projectFile);
  const given = checkSettings(overrides, undefined, overridesName);
  const problems = [...(user?.problems ?? []), ...(project?.problems ?? []), ...given.problems];
  if (problems.length > 0) throw new SettingsError(problems);
  const restricted = project && !trusted ? restrict(project.settings, user?.settings ?? {}, projectFile) : undefined;
  return {
    settings: merged([user?.settings, restricted?.settings ?? project?.settings, given.settings]),
    warnings: [
      ...(user?.warnings ?? []),
      ...(project?.warnings ?? []),
      ...(restricted?.warnings ?? []),
      ...given.warnings,
    ],
    files: [...(user ? [userFile] : []), ...(project ? [projectFile] : [])],
  };
}

/** One settings file by itself. Throws `SettingsError` where there is none, or for wrong values. */
export function readSettingsFile(file: string): Pick<LoadedSettings, 'settings' | 'warnings'> {
  const read = readSettings(file);
  if (read === undefined) throw new SettingsError([{ file, key: '', message: 'there is no such file' }]);
  if (read.problems.length > 0) throw new SettingsError(read.problems);
  return read;
}

function readSettings(file: string) {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new SettingsError([{ file, key: '', message: `it cannot be read (${code})` }]);
  }
  try {
    return checkSettings(parseSettings(text), file);
  } catch (cause) {
    if (cause instanceof SettingsError) throw cause;
    const message = `it is not JSON: ${messageOf(cause)}`;
    throw new SettingsError([{ file, key: '', message }]);
  }
}

const looseness = ['ask', 'auto-edit', 'yolo'] as const;

/**
 * A project's file comes with the project, so its author may be anyone. It may not send keys elsewhere, or allow more
 * without approval than the user does.
 */
function restrict(project: Settings, user: Settings, file: string): { settings: Settings; warnings: string[] } {
  const warnings: string[] = [];
  const refuse = (key: string) =>
    warnings.push(`${file}: "${key}" is ignored: a project may not set it. Set it in your own settings file.`);
  const { baseURL, apiKeyEnv, approval, judge, escalate, ...rest } = project;
  if (baseURL !== undefined) refuse('baseURL');
  if (apiKeyEnv !== undefined) refuse('apiKeyEnv');
  const looser = looseness.indexOf(approval ?? 'ask') > looseness.indexOf(user.approval ?? 'ask');
  if (looser) refuse('approval');
  const elsewhere = <Named extends NonNullable<Settings['judge' | 'escalate']>>(key: string, named: Named) => {
    const { baseURL: url, apiKeyEnv: variable, ...others } = named;
    if (url !== undefined) refuse(`${key}.baseURL`);
    if (variable !== undefined) refuse(`${key}.apiKeyEnv`);
    return others;
  };
  return {
    settings: {
      ...rest,
      ...(approval === undefined || looser ? {} : { approval }),
      ...(judge === undefined ? {} : { judge: elsewhere('judge', judge) }),
      ...(escalate === undefined ? {} : { escalate: elsewhere('escalate', escalate) }),
    },
    warnings,
  };
}

/** Later settings have precedence over earlier ones, key by key. Values that are objects are merged by their keys. */
function merged(all: readonly (Settings | undefined)[]): Settings {
  let settings: Record<string, unknown> = {};
  for (const one of all) {
    settings = fitting(settings, one ?? {});
    for (const [key, value] of Object.entries(one ?? {})) {
      if (value === undefined || key === '$schema') continue;
      const known = settings[key];
      settings[key] = isRecord(known) && isRecord(value) ? { ...fitting(known, value), ...value } : value;
    }
  }
  return settings as Settings;
}

/** Earlier settings without model, address and key if the later ones name another provider: it must not get the key of the first. */
function fitting(before: Record<string, unknown>, later: object): Record<string, unknown> {
  const { provider } = later as { provider?: unknown };
  if (typeof provider !== 'string' || typeof before.provider !== 'string' || provider === before.provider)
    return before;
  const { model, baseURL, apiKeyEnv, ...rest } = before;
  return rest;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
