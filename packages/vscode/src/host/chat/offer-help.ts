import type { Editor } from '../editor.js';

/** Says what keeps the agent from working, with buttons that lead to where it can be set right. */
export async function offerHelp(editor: Editor, blocked: string): Promise<void> {
  const ways = editor.trusted ? setUp : trust;
  const chosen = await editor.notify('warning', blocked, ...Object.keys(ways));
  const command = chosen === undefined ? undefined : ways[chosen];
  if (command !== undefined) editor.run(command);
}

const setUp: { readonly [label: string]: string } = {
  'Set an API Key': 'loopfuse.setApiKey',
  'Open Settings': 'loopfuse.openSettings',
};
const trust: { readonly [label: string]: string } = { 'Manage Workspace Trust': 'workbench.trust.manage' };
