import type { Remedy } from '../../protocol/index.js';
import type { Editor } from '../editor.js';

/** Says in a notification why the agent cannot work, with buttons that lead to a fix. */
export async function offerHelp(editor: Editor, blocked: string, remedies: readonly Remedy[]): Promise<void> {
  const chosen = await editor.notify('warning', blocked, ...remedies.map(({ label }) => label));
  const remedy = remedies.find(({ label }) => label === chosen);
  if (remedy !== undefined) editor.run(editorCommands[remedy.command] ?? remedy.command);
}

/** Commands of the editor itself, by the names that the page uses. */
export const editorCommands: { readonly [command: string]: string } = {
  'loopfuse.manageTrust': 'workbench.trust.manage',
  'loopfuse.openFolder': 'vscode.openFolder',
};
