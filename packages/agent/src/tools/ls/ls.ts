import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import { codeOf } from '../../workspace/workspace.js';
import { defineTool } from '../tool.js';

const maxEntries = 1000;

export const ls = defineTool({
  name: 'ls',
  description: 'Lists a folder of the workspace: folders first, with a / at the end, then files and links.',
  schema: z.object({ path: z.string().optional().describe('The folder; by default the workspace itself.') }),
  effect: 'read',
  title: ({ path = '.' }) => path,
  async run({ path = '.' }, { workspace }) {
    const real = await workspace.locate(path);
    const entries = await readdir(real, { withFileTypes: true }).catch((cause: unknown) => codeOf(cause));
    if (typeof entries === 'string') return { output: whyNot(workspace.show(real), entries), failed: true };
    const names = entries.map((entry) =>
      entry.isDirectory() ? `${entry.name}/` : entry.isSymbolicLink() ? `${entry.name} (link)` : entry.name,
    );
    const rank = (name: string) => (name.endsWith('/') ? 0 : 1);
    names.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
    const shown = names.slice(0, maxEntries);
    if (names.length > maxEntries) shown.push(`[${names.length - maxEntries} more entries are not shown.]`);
    return { output: shown.join('\n') || '(the folder is empty)' };
  },
});

function whyNot(shown: string, code: string): string {
  if (code === 'ENOENT') return `There is no folder ${shown}.`;
  return code === 'ENOTDIR' ? `${shown} is a file, not a folder.` : `${shown} cannot be listed (${code}).`;
}
