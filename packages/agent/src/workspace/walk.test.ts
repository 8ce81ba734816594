import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder, put } from '../testing/folders.js';
import { filesMatching } from './files-matching.js';
import { walk } from './walk.js';
import { createWorkspace } from './workspace.js';

const signal = new AbortController().signal;

async function walked(root: string, from = '.'): Promise<string[]> {
  const workspace = createWorkspace(root);
  const found: string[] = [];
  for await (const path of walk(workspace, await workspace.locate(from), { signal })) found.push(workspace.show(path));
  return found;
}

test('gives files in the order of their names, without what is ignored', async () => {
  const root = freshFolder();
  put(root, {
    '.gitignore': 'dist/\n*.log\n',
    'b.ts': '',
    'a.ts': '',
    'dist/out.js': '',
    'x.log': '',
    'src/.gitignore': '!keep.log\nskip.ts\n',
    'src/keep.log': '',
    'src/skip.ts': '',
    'src/used.ts': '',
    'node_modules/p/index.js': '',
    '.git/config': '',
  });
  expect(await walked(root)).toEqual(['.gitignore', 'a.ts', 'b.ts', 'src/.gitignore', 'src/keep.log', 'src/used.ts']);
  expect(await walked(root, 'src')).toEqual(['src/.gitignore', 'src/keep.log', 'src/used.ts']);
  expect(await walked(root, 'a.ts')).toEqual(['a.ts']);
  expect(await walked(root, 'nowhere')).toEqual([]);
});

test('follows no links, so it ends and stays inside', async () => {
  const root = freshFolder();
  put(root, { 'sub/a.ts': '' });
  symlinkSync('..', join(root, 'sub', 'round'));
  symlinkSync('/etc', join(root, 'etc'));
  expect(await walked(root)).toEqual(['sub/a.ts']);
});

test('stops when it is aborted', async () => {
  const root = freshFolder();
  put(root, { 'a.ts': '' });
  const workspace = createWorkspace(root);
  await expect(walk(workspace, root, { signal: AbortSignal.abort() }).next()).rejects.toThrow(/abort/i);
});

test('patterns and paths name files once each, in the order given', async () => {
  const root = freshFolder();
  put(root, { 'src/a.ts': '', 'src/b.ts': '', 'src/deep/c.ts': '', 'README.md': '', '.env.sample': '' });
  const workspace = createWorkspace(root);
  const match = async (patterns: string[], more = {}) => {
    const { files, ...rest } = await filesMatching(workspace, patterns, { signal, most: 10, ...more });
    return { files: files.map(workspace.show), ...rest };
  };
  expect((await match(['README.md', 'src/*.ts', 'src/a.ts'])).files).toEqual(['README.md', 'src/a.ts', 'src/b.ts']);
  expect((await match(['**/*.ts'])).files).toEqual(['src/a.ts', 'src/b.ts', 'src/deep/c.ts']);
  expect((await match(['./src/*.ts'])).files).toEqual(['src/a.ts', 'src/b.ts']);
  expect((await match(['*.sample'])).files).toEqual(['.env.sample']);
  expect((await match(['*.ts'], { folder: 'src' })).files).toEqual(['src/a.ts', 'src/b.ts']);
  expect(await match(['**/*.ts'], { most: 2 })).toMatchObject({ files: ['src/a.ts', 'src/b.ts'], more: true });
  expect((await match(['nowhere.ts', 'src', '../x.ts'])).problems).toEqual([
    'There is no file nowhere.ts.',
    'src is a folder; name its files, as src/**.',
    expect.stringContaining('outside the workspace'),
  ]);
});
