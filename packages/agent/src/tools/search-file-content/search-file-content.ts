import { z } from 'zod';
import { clipEnd, maxOutput } from '../../workspace/clip.js';
import { defineTool } from '../tool.js';
import { ripgrep } from './ripgrep.js';
import type { Search, SearchResult } from './search.js';
import { searchWalking } from './search-walking.js';

const maxMatches = 500;

export const searchFileContent = searchTool([ripgrep, searchWalking]);

/** The tool, with the searches to try in order. One that is not available resolves to `undefined`. */
export function searchTool(searches: readonly Search[]) {
  return defineTool({
    name: 'search_file_content',
    description:
      'Searches the files of the workspace for a regular expression, line by line. Gives path:line: text for each match. Files that .gitignore names, .git, node_modules and binary files are left out.',
    schema: z.object({
      pattern: z.string().min(1).describe('The regular expression.'),
      path: z.string().optional().describe('The folder or file to search; by default the whole workspace.'),
      include: z.string().optional().describe('Only files whose path matches this glob pattern, as "**/*.ts".'),
    }),
    effect: 'read',
    title: ({ pattern, path, include }) =>
      [pattern, ...(path ? [`in ${path}`] : []), ...(include ? [include] : [])].join(' '),
    async run({ pattern, path = '.', include }, { workspace, signal }) {
      const place = await workspace.locate(path);
      const wanted = { workspace, place, pattern, include, signal, most: maxMatches };
      for (const search of searches) {
        const result = await search(wanted);
        if (result !== undefined) return inWords(result, pattern);
      }
      return { output: 'No search is at hand.', failed: true };
    },
  });
}

function inWords(result: SearchResult, pattern: string) {
  if (result.type === 'problem') return { output: result.message, failed: true };
  const lines = result.matches.map(({ path, line, text }) => `${path}:${line}: ${text}`);
  const notes = result.notes.map((note) => `[${note}]`);
  if (lines.length === 0) return { output: [`No line matches ${pattern}.`, ...notes].join('\n') };
  const more = result.more ? [`[There are more than ${maxMatches} matches; search more narrowly.]`] : [];
  return { output: clipEnd([...lines, ...more, ...notes].join('\n'), maxOutput, 'Search more narrowly.') };
}
