import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshFolder, put } from '../testing/folders.js';
import { hasSensitiveName, isSensitive } from './sensitive-path.js';
import { createWorkspace } from './workspace.js';

describe('what configures the agent, the editor, git, hooks or the shell is recognised by its name', () => {
  test.each([
    '.git/hooks/pre-commit',
    'a/.git/config',
    '.loopfuse/settings.json',
    '.GIT/hooks/x',
    '.git./x',
    '.g\u200cit/x',
    'GIT~1/config',
    'VSCODE~2/settings.json',
    '.git::$INDEX_ALLOCATION/x',
    '.vscode/settings.json',
    '.vscode/tasks.json',
    '.VSCode/launch.json',
    'packages/a/.vscode/settings.json',
    'shop.code-workspace',
    'deep/Shop.Code-Workspace ',
    '.idea/workspace.xml',
    '.devcontainer/devcontainer.json',
    '.gitconfig',
    '.gitattributes',
    '.gitmodules',
    '.husky/pre-commit',
    '.githooks/pre-push',
    '.pre-commit-config.yaml',
    'lefthook.yml',
    '.claude/settings.json',
    '.cursor/rules/a.md',
    '.mcp.json',
    'AGENTS.md',
    'packages/a/AGENTS.md',
    'CLAUDE.md',
    '.bashrc',
    '.zshenv',
    '.profile',
    '.envrc',
    '.config/fish/config.fish',
    '.ssh/authorized_keys',
    '.npmrc',
  ])('%j is sensitive', (path) => expect(hasSensitiveName(path)).toBe(true));

  test.each([
    '.gitignore',
    'src/git/a.ts',
    '.github/workflows/ci.yml',
    'a.git',
    'vscode/settings.json',
    'settings.json',
    'src/profile.ts',
    'docs/code-workspace.md',
    'a~b.txt',
  ])('%j is not', (path) => expect(hasSensitiveName(path)).toBe(false));
});

describe('links do not hide it', () => {
  test('neither a link to it, nor the place that it links to', async () => {
    const root = freshFolder();
    put(root, { 'plain.txt': '', 'kept/settings.json': '{}', '.git/config': '' });
    symlinkSync('kept', join(root, '.vscode'));
    symlinkSync('.git', join(root, 'innocent'));
    put(root, { 'notes.md': 'Use tabs.' });
    symlinkSync('notes.md', join(root, 'AGENTS.md'));
    mkdirSync(join(root, 'src'));
    const workspace = createWorkspace(root);
    const ask = (path: string) => isSensitive(workspace, path);
    expect(await ask('.vscode/settings.json')).toBe(true);
    expect(await ask('kept/settings.json')).toBe(true);
    expect(await ask('innocent/config')).toBe(true);
    expect(await ask('notes.md')).toBe(true);
    expect(await ask('src/new.ts')).toBe(false);
    expect(await ask('plain.txt')).toBe(false);
  });
});

test('a name that ends in many dots and spaces takes little time', () => {
  expect(hasSensitiveName(`src/.git${'. '.repeat(150_000)}`)).toBe(true);
  expect(hasSensitiveName(`src/${'. '.repeat(150_000)}x`)).toBe(false);
});
