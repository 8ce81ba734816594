import { z } from 'zod';
import { maxOutput } from '../../workspace/clip.js';
import { filesMatching } from '../../workspace/files-matching.js';
import { inWords } from '../../workspace/read-text.js';
import { shown } from '../../workspace/text-encoding.js';
import { defineTool } from '../tool.js';

const maxFiles = 50;
const maxEach = 12_000;

export const readManyFiles = defineTool({
  name: 'read_many_files',
  description:
    'Reads several text files of the workspace at once: paths, or patterns such as "src/**/*.ts". Each file comes under a line with its name; long files are cut, and read_file reads them whole. Files that .gitignore names are left out of patterns.',
  schema: z.object({
    paths: z.array(z.string()).min(1).describe('Paths or glob patterns, relative to the workspace.'),
  }),
  effect: 'read',
  title: ({ paths }) => paths.join(', '),
  async run({ paths }, { workspace, files, signal }) {
    const found = await filesMatching(workspace, paths, { signal, most: maxFiles });
    const parts: string[] = [];
    let size = 0;
    let unread = 0;
    for (const path of found.files) {
      signal.throwIfAborted();
      if (size >= maxOutput) {
        unread++;
        continue;
      }
      const name = workspace.show(path);
      const file = await files.read(path);
      const text = file.type === 'text' ? cut(shown(file), Math.min(maxEach, maxOutput - size)) : inWords(name, file);
      parts.push(`=== ${name}\n${text}`);
      size += text.length;
    }
    if (unread > 0) parts.push(`[${unread} more files match and were not read: the answer would be too long.]`);
    if (found.more) parts.push(`[Only the first ${maxFiles} files that match were looked at.]`);
    for (const problem of found.problems) parts.push(`[${problem}]`);
    return found.files.length === 0
      ? { output: parts.join('\n') || 'No file matches.', failed: true }
      : { output: parts.join('\n\n') };
  },
});

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}\n[${text.length - most} more characters; use read_file.]`;
}
