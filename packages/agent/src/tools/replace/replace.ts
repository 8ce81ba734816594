import { z } from 'zod';
import { texts } from '../../texts/texts.js';
import { type FileText, inWords } from '../../workspace/read-text.js';
import { isSensitive } from '../../workspace/sensitive-path.js';
import { encodingProblem } from '../../workspace/text-encoding.js';
import { change, type Edit, previewOf } from '../change.js';
import { defineTool } from '../tool.js';

export const replace = defineTool({
  name: 'replace',
  description: texts['tools/replace/replace.md'],
  schema: z.object({
    path: z.string().describe('The file, relative to the workspace.'),
    old_string: z.string().describe('The text to replace, exactly as it is in the file.'),
    new_string: z.string().describe('What to put in its place.'),
    times: z
      .int()
      .min(1)
      .optional()
      .describe('How often old_string is in the file; all of them are replaced. Once by default.'),
  }),
  effect: 'edit',
  title: ({ path }) => path,
  preview: (input, context) => previewOf(context, input.path, (before, shown) => editOf(before, shown, input)),
  isSensitive: ({ path }, { workspace }) => isSensitive(workspace, path),
  run: (input, context) => change(context, input.path, (before, shown) => editOf(before, shown, input)),
});

interface Wanted {
  readonly old_string: string;
  readonly new_string: string;
  readonly times?: number | undefined;
}

/** Line ends of the file are kept, whatever line ends the texts have. So is every byte outside of what is replaced. */
function editOf(before: FileText, shown: string, { old_string, new_string, times = 1 }: Wanted): Edit {
  if (old_string === '') {
    if (before.type === 'missing') return { after: new_string };
    return { problem: `${shown} exists already, and old_string is empty. Use write_file to replace the whole file.` };
  }
  if (before.type !== 'text') return { problem: inWords(shown, before) };
  const problem = encodingProblem(old_string + new_string, before.encoding);
  if (problem !== undefined) return { problem: `${shown} ${problem}.` };
  if (old_string === new_string)
    return { problem: 'old_string and new_string are the same; there is nothing to change.' };
  const { text } = before;
  const crlf = text.includes('\r\n') && (!/(?:^|[^\r])\n/.test(text) || !text.includes(old_string));
  const pieces = text.split(crlf ? asCrlf(old_string) : old_string);
  const found = pieces.length - 1;
  if (found === 0)
    return { problem: `old_string was not found in ${shown}. Read the file again: it must match to the letter.` };
  if (found !== times)
    return {
      problem: `old_string is ${found} times in ${shown}, not ${times}. Add lines around it to make it unique, or set times to ${found}.`,
    };
  return { after: pieces.join(crlf ? asCrlf(new_string) : new_string) };
}

function asCrlf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}
