import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from 'loopfuse/words';
import { codeOf } from '../workspace/workspace.js';
import { writeWhole } from '../workspace/write-whole.js';
import type { Settings } from './settings.js';
import { SettingsError } from './settings-error.js';

/** What a person has chosen to talk to. No key: those do not belong into a settings file. */
export type SavedChoice = Required<Pick<Settings, 'provider' | 'model'>> & Pick<Settings, 'baseURL'>;

/**
 * Writes the choice into the user's settings file and says which file that is. Whatever else stands there stays; an
 * address of an earlier choice goes. Throws `SettingsError` where the file cannot be read as it is.
 */
export async function saveChoice(home: string, { provider, model, baseURL }: SavedChoice): Promise<string> {
  const file = join(home, '.loopfuse', 'settings.json');
  const { baseURL: _, ...rest } = await contentOf(file);
  const settings = { ...rest, provider, model, ...(baseURL === undefined ? {} : { baseURL }) };
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeWhole(file, `${JSON.stringify(settings, undefined, 2)}\n`, 0o600);
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
    const content: unknown = JSON.parse(text);
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return { ...content };
    throw new TypeError('expected an object');
  } catch (cause) {
    throw new SettingsError([{ file, key: '', message: `it is not JSON: ${messageOf(cause)}` }]);
  }
}
