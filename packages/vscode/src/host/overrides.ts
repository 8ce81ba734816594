import type { Settings } from '@loopfuse/agent';

/** One setting in the editor: its value, and whether the user has set it anywhere. */
export interface SettingInEditor {
  readonly value: unknown;
  readonly isSet: boolean;
}

/** The settings of the agent that exist in the editor under the same names. */
export const mirrored = [
  'provider',
  'model',
  'baseURL',
  'apiKeyEnv',
  'approval',
  'preset',
  'policy',
  'disable',
  'recovery',
  'rewinds',
  'escalate',
  'detectors',
  'tools',
  'judge',
  'reasoning',
  'promptCaching',
  'maxTurns',
  'contextTokens',
  'maxOutputTokens',
  'shellTimeoutSeconds',
] as const satisfies readonly (keyof Settings)[];

/**
 * The settings that decide where keys go and what runs without approval. Only the user's own settings count for these: a
 * workspace's file comes with the workspace, and the agent itself could write it. They have the machine scope in the manifest.
 */
export const userOnly: readonly string[] = ['provider', 'baseURL', 'apiKeyEnv', 'approval', 'judge', 'escalate'];

/**
 * The settings that override the settings files: only those that the user has set in the editor. Defaults and empty values mean
 * "not set". Values are not validated here: the agent does that, and names what is wrong.
 */
export function overridesOf(setting: (name: string) => SettingInEditor): Settings {
  const found = mirrored.flatMap((name) => {
    const { value, isSet } = setting(name);
    return isSet && !isEmpty(value) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(found) as Settings;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
