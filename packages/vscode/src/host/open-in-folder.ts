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
 * The agent for the folder of this window: the settings files, what is set in the editor, and the keys it keeps. That a
 * workspace is trusted lets the agent work in it; it does not let the workspace's settings file send keys elsewhere.
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

/** Where requests with the key of this variable go, by the settings of the folder as they are now. */
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
  // The address of the settings is meant for the provider that they name, or for the variable that they name.
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
    return undefined; // what is wrong with them is said where the agent is opened
  }
}
