import type { Settings } from '@loopfuse/agent';

/** What is known of one setting in the editor: what it comes to, and whether a person has set it anywhere. */
export interface SettingInEditor {
  readonly value: unknown;
  readonly isSet: boolean;
}

/** The settings of the agent that the editor mirrors, by the same names. */
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
 * What says where keys go and what runs unasked. Only the user's own settings count for these: a workspace's file comes
 * with the workspace, and the agent itself could write it. The manifest gives them the machine scope.
 */
export const userOnly: readonly string[] = ['provider', 'baseURL', 'apiKeyEnv', 'approval', 'judge', 'escalate'];

/**
 * What goes before the settings files: only what a person has set in the editor. Its defaults stand for "not set", and
 * so does what is empty. Whether the values are right is for the agent to check, which names what is wrong.
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
