import { z } from 'zod';
import type { FileText } from '../../workspace/read-text.js';
import { isSensitive } from '../../workspace/sensitive-path.js';
import { unknown } from '../../workspace/text-encoding.js';
import { change, type Edit, previewOf } from '../change.js';
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
  preview: ({ path, content }, context) => previewOf(context, path, (before, shown) => editOf(before, shown, content)),
  isSensitive: ({ path }, { workspace }) => isSensitive(workspace, path),
  run: ({ path, content }, context) => change(context, path, (before, shown) => editOf(before, shown, content)),
});

/** A file keeps its encoding, its byte order mark and its line ends, unless the content itself has other line ends. */
function editOf(before: FileText, shown: string, content: string): Edit {
  if (before.type === 'not-a-file') return { problem: `${shown} is ${before.what}, not a file.` };
  if (before.type !== 'text') return { after: content };
  if (before.unsaved)
    return {
      problem: `${shown} is open in the editor with changes that are not saved, and writing all of it would overwrite them. Use replace for the part to change, or ask the user to save it first.`,
    };
  if (before.encoding === 'bytes' && content.includes(unknown))
    return {
      problem: `${shown} is not UTF-8, and the content has ${unknown} in place of bytes of it, which would be lost. Use replace for the part to change.`,
    };
  const isCrlf = before.text.includes('\r\n') && !/(?:^|[^\r])\n/.test(before.text);
  const encoding = before.encoding === 'bytes' ? 'utf8' : before.encoding;
  return { encoding, after: isCrlf && !content.includes('\r\n') ? content.replace(/\n/g, '\r\n') : content };
}
