import { z } from 'zod';
import { filesMatching } from '../../workspace/files-matching.js';
import { defineTool } from '../tool.js';

const maxFiles = 500;

export const glob = defineTool({
  name: 'glob',
  description:
    'Finds files of the workspace by their names: "**/*.ts", "src/**/test-*.js". Gives paths in the order of their names. Files that .gitignore names, .git and node_modules are left out.',
  schema: z.object({
    pattern: z.string().min(1).describe('The glob pattern, relative to the folder.'),
    path: z.string().optional().describe('The folder to look in; by default the whole workspace.'),
  }),
  effect: 'read',
  title: ({ pattern, path }) => (path === undefined ? pattern : `${pattern} in ${path}`),
  async run({ pattern, path = '.' }, { workspace, signal }) {
    const { files, more, problems } = await filesMatching(workspace, [pattern], {
      signal,
      most: maxFiles,
      folder: path,
    });
    const lines = files.map(workspace.show);
    if (more) lines.push(`[There are more than ${maxFiles}; use a narrower pattern.]`);
    return { output: [...lines, ...problems].join('\n') || `No file matches ${pattern}.` };
  },
});
