import { glob } from './glob/index.js';
import { ls } from './ls/index.js';
import { readFile } from './read-file/index.js';
import { readManyFiles } from './read-many-files/index.js';
import { replace } from './replace/index.js';
import { runShellCommand, type ShellOptions } from './run-shell-command/index.js';
import { searchFileContent } from './search-file-content/index.js';
import type { Tool } from './tool.js';
import { writeFile } from './write-file/index.js';

/** What the agent can do by default. A list to spread and to change. */
export function standardTools(options: ShellOptions = {}): readonly Tool[] {
  return [readFile, readManyFiles, ls, glob, searchFileContent, writeFile, replace, runShellCommand(options)];
}
