import { type Agent, openAgent, SetUpError } from '@loopfuse/agent';
import { editorOverrides } from './configuration.js';
import type { Folders } from './folders.js';
import { home } from './home.js';
import type { Keys } from './keys.js';
import { setUpWords } from './set-up-words.js';
import { toolEnvironment } from './tool-environment.js';

/**
 * The agent for the folder of this window: the settings files, what is set in the editor, and the keys it keeps. That a
 * workspace is trusted lets the agent work in it; it does not let the workspace's settings file send keys elsewhere.
 */
export async function openInFolder(folders: Folders, keys: Keys): Promise<Agent> {
  const folder = await folders.current();
  if (folder === undefined)
    throw new SetUpError('The agent works in a folder on disk, and none is open. Open one with File: Open Folder.');
  const stored = await keys.all();
  try {
    return openAgent({
      cwd: folder.uri.fsPath,
      home: home(),
      env: toolEnvironment(process.env),
      keys: stored,
      overrides: editorOverrides(folder.uri),
    });
  } catch (cause) {
    throw cause instanceof SetUpError ? new SetUpError(setUpWords(cause.message), { cause }) : cause;
  }
}
