import { z } from 'zod';
import { texts } from '../../texts/texts.js';
import { maxOutput } from '../../workspace/clip.js';
import { inWords } from '../../workspace/read-text.js';
import { shown, unknown } from '../../workspace/text-encoding.js';
import { defineTool } from '../tool.js';
import { numbered } from './numbered.js';

const maxLines = 2000;
const notUtf8 = `[The file is not UTF-8: each ${unknown} stands for a byte that is not ASCII.]`;

export const readFile = defineTool({
  name: 'read_file',
  description: texts['tools/read-file/read-file.md'],
  schema: z.object({
    path: z.string().describe('The file, relative to the workspace.'),
    offset: z.int().min(1).optional().describe('The first line to read, from 1.'),
    limit: z.int().min(1).optional().describe(`How many lines to read, ${maxLines} at most.`),
  }),
  effect: 'read',
  title: ({ path, offset }) => (offset === undefined ? path : `${path} from line ${offset}`),
  async run({ path, offset = 1, limit = maxLines }, { workspace, files }) {
    const real = await workspace.locate(path);
    const found = await files.read(real);
    if (found.type !== 'text') return { output: inWords(workspace.show(real), found), failed: true };
    const text = numbered(shown(found), { offset, limit: Math.min(limit, maxLines), most: maxOutput });
    return found.encoding === 'bytes' ? { ...text, output: `${text.output}\n${notUtf8}` } : text;
  },
});
