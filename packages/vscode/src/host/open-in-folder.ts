import {
  type Agent,
  addressOf,
  type Files,
  loadSettings,
  openAgent,
  type ProviderName,
  type Settings,
  SetUpError,
} from '@loopfuse/agent';
import { editorOverrides } from './configuration.js';
import { editorPlaces } from './editor-places.js';
import type { Folders } from './folders.js';
import { home } from './home.js';
import type { Keys } from './keys.js';
import { toolEnvironment } from './tool-environment.js';

/**
 * Opens the agent for the folder of this window, with the settings files, the editor's settings and its stored keys. A trusted
 * workspace may be worked in, but its settings file still cannot send keys elsewhere.
 */
export async function openInFolder(folders: Folders, keys: Keys, files: Files): Promise<Agent> {
  const folder = await folders.current();
  if (folder === undefined) throw new SetUpError({ type: 'folder' }, { places: editorPlaces });
  return openAgent({
    cwd: folder.uri.fsPath,
    home: home(),
    env: toolEnvironment(process.env),
    keys: await keys.all(),
    files,
    overrides: editorOverrides(folder.uri),
    places: editorPlaces,
  });
}

/** The address that requests with the key of this variable go to, by the current settings of the folder. */
export async function addressFor(folders: Folders, variable: string): Promise<string | undefined> {
  const folder = await folders.current();
  const overrides = folder && editorOverrides(folder.uri);
  const settings = folder && settingsOf(folder.uri.fsPath, overrides);
  if (settings === undefined) return undefined;
  const { judge, escalate, ...own } = settings;
  const env = toolEnvironment(process.env);
  for (const beside of [judge, escalate])
    if (beside?.apiKeyEnv === variable && own.apiKeyEnv !== variable)
      return addressOf(beside.provider === undefined && beside.baseURL === undefined ? own : beside, env);
  const provider = providerOfKey[variable];
  // The address in the settings is for the provider, or for the variable, that they name.
  if (provider !== undefined && own.apiKeyEnv !== variable && (own.provider ?? provider) !== provider) return undefined;
  return addressOf(provider === undefined ? own : { ...own, provider: own.provider ?? provider }, env);
}

const providerOfKey: { readonly [variable: string]: ProviderName } = {
  ANTHROPIC_API_KEY: 'anthropic',
  OPENAI_API_KEY: 'openai',
  GEMINI_API_KEY: 'google',
  LOOPFUSE_API_KEY: 'openai-compatible',
};

function settingsOf(cwd: string, overrides: Settings = {}): Settings | undefined {
  try {
    return loadSettings({ cwd, home: home(), overrides }).settings;
  } catch {
    return undefined; // opening the agent reports what is wrong with them
  }
}
