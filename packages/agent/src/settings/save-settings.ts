import { mkdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from 'loopfuse/words';
import { codeOf } from '../workspace/workspace.js';
import { writeWhole } from '../workspace/write-whole.js';
import { parseSettings } from './parse-settings.js';
import type { Settings } from './settings.js';
import { SettingsError } from './settings-error.js';

/** The model that the user has chosen. Without the key: keys do not belong in a settings file. */
export type SavedChoice = Required<Pick<Settings, 'provider' | 'model'>> & Pick<Settings, 'baseURL'>;

/**
 * Writes the choice into the user's settings file and returns its path. Other settings are kept. The address of an earlier
 * choice is removed, and so is the name of the key of another provider, which must not be sent to this one. Throws
 * `SettingsError` where the file cannot be read or parsed.
 */
export async function saveChoice(home: string, { provider, model, baseURL }: SavedChoice): Promise<string> {
  const file = join(home, '.loopfuse', 'settings.json');
  const { baseURL: _, apiKeyEnv, ...rest } = await contentOf(file);
  const isSame = rest.provider === undefined || rest.provider === provider;
  const settings = {
    ...rest,
    ...(apiKeyEnv === undefined || !isSame ? {} : { apiKeyEnv }),
    provider,
    model,
    ...(baseURL === undefined ? {} : { baseURL }),
  };
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const target = await realpath(file).catch(() => file); // a link stays one
  await writeWhole(target, `${JSON.stringify(settings, undefined, 2)}\n`, 0o600);
  return file;
}

async function contentOf(file: string): Promise<{ readonly [key: string]: unknown }> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return {};
    throw new SettingsError([{ file, key: '', message: `it cannot be read (${codeOf(cause)})` }]);
  }
  try {
    const content: unknown = parseSettings(text);
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return { ...content };
    throw new TypeError('expected an object');
  } catch (cause) {
    throw new SettingsError([{ file, key: '', message: `it is not JSON: ${messageOf(cause)}` }]);
  }
}
