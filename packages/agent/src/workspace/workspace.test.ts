import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentOf, freshFolder, put } from '../testing/folders.js';
import { runTool } from '../testing/run-tool.js';
import { glob } from '../tools/glob/index.js';
import { ls } from '../tools/ls/index.js';
import { readFile } from '../tools/read-file/index.js';
import { readManyFiles } from '../tools/read-many-files/index.js';
import { replace } from '../tools/replace/index.js';
import { searchTool } from '../tools/search-file-content/search-file-content.js';
import { searchWalking } from '../tools/search-file-content/search-walking.js';
import { writeFile } from '../tools/write-file/index.js';
import { createWorkspace, OutsideWorkspace } from './workspace.js';

/** A workspace beside which a secret lies, with every kind of link that could lead there. */
function trap() {
  const home = freshFolder();
  const root = join(home, 'desk');
  put(home, {
    'desk/inside.txt': 'inside',
    'desk/sub/deep.txt': 'deep',
    'outside/secret.txt': 'SECRET',
    'desk-two/secret.txt': 'SECRET',
  });
  symlinkSync(join(home, 'outside'), join(root, 'to-folder'));
  symlinkSync(join(home, 'outside', 'secret.txt'), join(root, 'to-file'));
  symlinkSync('..', join(root, 'up'));
  symlinkSync('../../outside', join(root, 'sub', 'relative'));
  symlinkSync(join(home, 'outside', 'not-yet.txt'), join(root, 'to-nothing'));
  symlinkSync('round', join(root, 'round'));
  symlinkSync(home, join(root, 'to-home'));
  symlinkSync('sub', join(root, 'to-sub'));
  return { home, root, outside: () => ({ ...contentOf(join(home, 'outside')), ...contentOf(join(home, 'desk-two')) }) };
}

const segments = [
  '..',
  '.',
  '',
  'sub',
  'inside.txt',
  'deep.txt',
  'to-folder',
  'to-file',
  'up',
  'relative',
  'to-nothing',
  'round',
  'to-home',
  'to-sub',
  'desk',
  'desk-two',
  'outside',
  'secret.txt',
  'not-yet.txt',
  'new',
  '...',
  ' ',
  '~',
  '..\\',
  '\u0000',
  '%2e%2e',
  'SUB',
  '..\u200b',
  'file:',
];

/** Paths made of what leads astray, relative and absolute. */
const paths = (home: string) =>
  fc.oneof(
    fc.array(fc.constantFrom(...segments), { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/')),
    fc.array(fc.constantFrom(...segments), { maxLength: 5 }).map((parts) => join(home, 'desk', parts.join('/'))),
    fc.array(fc.constantFrom(...segments), { maxLength: 5 }).map((parts) => [home, ...parts].join('/')),
    fc.string(),
  );

describe('a workspace', () => {
  test('no path leads out of it: what is located lies inside, and nothing else is read, listed or written', async () => {
    const { home, root, outside } = trap();
    const before = outside();
    const workspace = createWorkspace(root);
    const search = searchTool([searchWalking]);
    await fc.assert(
      fc.asyncProperty(paths(home), async (path) => {
        try {
          const real = await workspace.locate(path);
          expect(real === root || real.startsWith(root + sep)).toBe(true);
        } catch (cause) {
          expect(cause).toBeInstanceOf(OutsideWorkspace);
        }
        const outcomes = await Promise.allSettled([
          runTool(readFile, root, { path }),
          runTool(readManyFiles, root, { paths: [path, `${path}/**`, `${path}/*`] }),
          runTool(ls, root, { path }),
          runTool(glob, root, { pattern: `${path}/**` === '/**' ? '**' : `${path}/**` }),
          runTool(glob, root, { pattern: '**', path }),
          runTool(search, root, { pattern: 'SECRET', path }),
          runTool(replace, root, { path, old_string: 'SECRET', new_string: 'LEAKED' }),
        ]);
        const told = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.output : '')).join('\n');
        expect(told.replaceAll(/matches .*SECRET.*|No line matches SECRET\./g, '')).not.toMatch(
          /^\d+→SECRET|: SECRET|^SECRET/m,
        );
      }),
      { numRuns: 150 },
    );
    expect(outside()).toEqual(before);
  });

  test('no write reaches a file outside', async () => {
    const { home, root, outside } = trap();
    const before = outside();
    await fc.assert(
      fc.asyncProperty(paths(home), async (path) => {
        await runTool(writeFile, root, { path, content: 'written' }).catch(() => {});
        await runTool(replace, root, { path, old_string: '', new_string: 'written' }).catch(() => {});
        expect(outside()).toEqual(before);
      }),
      { numRuns: 150 },
    );
    const beside = Object.keys(contentOf(home)).filter((path) => path !== root && !path.startsWith(root + sep));
    expect(beside.sort()).toEqual([...Object.keys(before), join(home, 'outside'), join(home, 'desk-two')].sort());
  });

  test('takes paths inside as they are written: relative, absolute, through links that stay inside', async () => {
    const { root } = trap();
    const { locate, show } = createWorkspace(root);
    expect(await locate('inside.txt')).toBe(join(root, 'inside.txt'));
    expect(await locate(join(root, 'sub/deep.txt'))).toBe(join(root, 'sub/deep.txt'));
    expect(await locate('to-sub/deep.txt')).toBe(join(root, 'sub/deep.txt'));
    expect(await locate('new/folder/file.txt')).toBe(join(root, 'new/folder/file.txt'));
    expect(await locate('up/desk/inside.txt')).toBe(join(root, 'inside.txt'));
    expect(show(join(root, 'sub/deep.txt'))).toBe('sub/deep.txt');
    expect(show(root)).toBe('.');
  });

  test('says why a path is refused', async () => {
    const { root } = trap();
    const { locate } = createWorkspace(root);
    await expect(locate('../outside/secret.txt')).rejects.toThrow(/outside the workspace/);
    await expect(locate('to-nothing')).rejects.toThrow(/link to nothing/);
    await expect(locate('round')).rejects.toThrow(/ELOOP/);
    await expect(locate('inside.txt/below')).rejects.toThrow(/ENOTDIR/);
    await expect(locate('a\0b')).rejects.toThrow(/NUL/);
    await expect(locate('')).rejects.toThrow(/empty/);
  });

  test('is a folder that exists', () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(() => createWorkspace(join(folder, 'nowhere'))).toThrow(/no folder/);
    expect(() => createWorkspace(join(folder, 'file'))).toThrow(/not a folder/);
  });

  test('a root that is itself reached through a link is resolved once', async () => {
    const home = freshFolder();
    mkdirSync(join(home, 'real'));
    symlinkSync('real', join(home, 'link'));
    const { root, locate } = createWorkspace(join(home, 'link'));
    expect(root).toBe(join(home, 'real'));
    expect(await locate(join(home, 'link', 'a.txt'))).toBe(join(home, 'real', 'a.txt'));
  });
});
