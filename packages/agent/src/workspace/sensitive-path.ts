import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { memoryFile } from '../project-memory.js';
import type { Workspace } from './workspace.js';

/**
 * Whether a change at this path could loosen the restrictions of the agent or run a program later: whatever configures
 * the agent itself, the editor, git and its hooks, other agents, or the user's shell. Each such change needs
 * approval, whatever was approved before. Checks the path as given, the path after resolving links, and the places that
 * sensitive names link to.
 */
export async function isSensitive(workspace: Workspace, path: string): Promise<boolean> {
  const real = await workspace.locate(path);
  if (hasSensitiveName(path.replaceAll('\\', '/')) || hasSensitiveName(workspace.show(real))) return true;
  for (const name of [...folders, memoryFile]) {
    const place = await realpath(join(workspace.root, name)).catch(() => undefined);
    if (place !== undefined && isWithin(place, real)) return true;
  }
  return false;
}

/** Whether a part of the path is a sensitive name, also in spellings that some file systems treat as the same name. */
export function hasSensitiveName(shown: string): boolean {
  return shown
    .split('/')
    .map(plainName)
    .some((name) => folders.has(name) || files.has(name) || name.endsWith('.code-workspace') || isShortName(name));
}

const folders = new Set(
  [
    '.git .githooks .husky .lefthook', // git, and what it runs
    '.loopfuse .claude .codex .gemini .qwen .opencode .copilot .cursor .windsurf .continue .aider', // agents
    '.vscode .vscode-server .idea .zed .fleet .devcontainer .nvim .vim', // editors
    '.ssh .gnupg .config .local .direnv', // the user's own, where the workspace is the home folder
  ].flatMap((line) => line.split(' ')),
);

const files = new Set(
  [
    '.gitconfig .gitattributes .gitmodules .pre-commit-config.yaml .pre-commit-config.yml',
    'lefthook.yml lefthook.yaml lefthook.toml lefthook.json .lefthook.yml .lefthook.yaml .lefthookrc',
    'agents.md claude.md gemini.md qwen.md copilot-instructions.md', // instructions that agents read at each start
    '.mcp.json .aider.conf.yml .opencode.json opencode.json .windsurfrules .cursorrules',
    '.vimrc .exrc .nvimrc .nvim.lua .emacs .dir-locals.el .editorrc',
    '.profile .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .zshrc .zshenv .zprofile .zlogin .zlogout',
    '.kshrc .cshrc .tcshrc .login .logout .inputrc .envrc .screenrc .tmux.conf',
    '.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pypirc .netrc',
  ].flatMap((line) => line.split(' ')),
);

/** A short name of Windows, such as GIT~1, which does not show the real name. */
function isShortName(name: string): boolean {
  return /^[^.~]{1,8}~\d{1,4}(?:\.[^.]{1,3})?$/.test(name);
}

const ignorable = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

function plainName(part: string): string {
  const [name = ''] = part.replace(ignorable, '').split(':', 1);
  let end = name.length;
  while (name[end - 1] === '.' || name[end - 1] === ' ') end--;
  return name.slice(0, end).normalize('NFKC').toLowerCase();
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`));
}
