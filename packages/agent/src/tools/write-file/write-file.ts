import { z } from 'zod';
import { readText } from '../../workspace/read-text.js';
import { isSensitive } from '../../workspace/sensitive-path.js';
import { change, patchOf } from '../change.js';
import { defineTool } from '../tool.js';

export const writeFile = defineTool({
  name: 'write_file',
  description:
    'Writes a file of the workspace, whole: what was there before is replaced, missing folders are made. To change a part of a file, use replace.',
  schema: z.object({
    path: z.string().describe('The file, relative to the workspace.'),
    content: z.string().describe('All of the new content.'),
  }),
  effect: 'edit',
  title: ({ path }) => path,
  async preview({ path, content }, { workspace }) {
    const real = await workspace.locate(path);
    const before = await readText(real);
    return patchOf(workspace.show(real), before.type === 'text' ? before.text : '', content);
  },
  isSensitive: ({ path }, { workspace }) => isSensitive(workspace, path),
  async run({ path, content }, context) {
    return change(context, path, (before) => {
      if (before.type === 'not-a-file') return { problem: `${path} is ${before.what}, not a file.` };
      return { after: content };
    });
  },
});
