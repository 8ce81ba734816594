import { createContext, Script } from 'node:vm';
import picomatch from 'picomatch';
import { readText } from '../../workspace/read-text.js';
import { shown as textOf } from '../../workspace/text-encoding.js';
import { walk } from '../../workspace/walk.js';
import { type Match, maxLine, type Search } from './search.js';

/** The time limit of the expression for one file. The model writes the expressions, and some never end. */
const milliseconds = 1000;

/** Searches by reading every file: slower than `rg`, but always available. */
export const searchWalking: Search = async ({ workspace, place, pattern, include, signal, most }) => {
  const problem = expressionProblem(pattern);
  if (problem !== undefined) return { type: 'problem', message: problem };
  const isWanted = include === undefined ? () => true : globTest(include);
  const matches: Match[] = [];
  const slow: string[] = [];
  for await (const path of walk(workspace, place, { signal })) {
    const shown = workspace.show(path);
    if (!isWanted(shown)) continue;
    const file = await readText(path);
    if (file.type !== 'text') continue;
    const lines = textOf(file).split(/\r?\n/);
    const numbers = matchingLines(pattern, lines);
    if (numbers === undefined) {
      slow.push(shown);
      if (slow.length >= 3) return { type: 'problem', message: `The expression takes too long. Write it more simply.` };
      continue;
    }
    for (const number of numbers) {
      if (matches.length >= most) return { type: 'found', matches, more: true, notes: [] };
      matches.push({ path: shown, line: number + 1, text: lines[number]!.slice(0, maxLine) });
    }
  }
  const notes = slow.map((path) => `${path} was given up: the expression takes too long there.`);
  return { type: 'found', matches, more: false, notes };
};

/** A pattern without a slash matches names, as in ignore files. */
function globTest(include: string): (path: string) => boolean {
  return picomatch(include.includes('/') ? include : `**/${include}`, { dot: true });
}

function expressionProblem(pattern: string): string | undefined {
  try {
    new RegExp(pattern);
    return undefined;
  } catch (cause) {
    return `${JSON.stringify(pattern)} is not a regular expression: ${cause instanceof Error ? cause.message : ''}`;
  }
}

const finder = new Script(`
  const expression = new RegExp(pattern);
  const found = [];
  for (let at = 0; at < lines.length; at++) if (expression.test(lines[at])) found.push(at);
  found;
`);

/** The lines that match. `undefined` when that takes too long. A separate context, because only there it can be stopped. */
function matchingLines(pattern: string, lines: readonly string[]): readonly number[] | undefined {
  try {
    return Array.from(finder.runInContext(createContext({ pattern, lines }), { timeout: milliseconds }) as number[]);
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw cause;
  }
}
