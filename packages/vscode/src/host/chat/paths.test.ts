import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskFiles } from '@loopfuse/agent';
import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { changeOf } from './change-of.js';
import { workspacePath } from './workspace-path.js';

function freshFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loopfuse-vscode-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'work', 'src'), { recursive: true });
  writeFileSync(join(folder, 'secret.txt'), '');
  writeFileSync(join(folder, 'work', 'src', 'a.ts'), '');
  return folder;
}

test('only files of the workspace are found, after links are resolved', () => {
  const folder = freshFolder();
  const root = join(folder, 'work');
  symlinkSync(join(folder, 'secret.txt'), join(root, 'link.txt'));
  symlinkSync(join(root, 'src'), join(root, 'inner'));
  const file = join(root, 'src', 'a.ts');
  expect(workspacePath(root, 'src/a.ts')).toEqual({ file });
  expect(workspacePath(root, 'inner/a.ts')).toEqual({ file });
  expect(workspacePath(root, 'src/a.ts:12')).toEqual({ file, line: 12 });
  expect(workspacePath(root, 'src/a.ts:12:3')).toEqual({ file, line: 12 });
  for (const path of [
    'link.txt',
    '../secret.txt',
    join(folder, 'secret.txt'),
    '',
    '.',
    'none',
    '\0',
    'src/../../secret.txt',
  ])
    expect(workspacePath(root, path)).toBeUndefined();
});

test('a change is shown as the file before and after it', async () => {
  const root = join(freshFolder(), 'work');
  const lines = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 })
    .map((all) => all.map((line) => `${line}\n`).join(''));
  const encoding = fc.constantFrom('utf8' as const, 'utf8-bom' as const, 'utf16le' as const);
  await fc.assert(
    fc.asyncProperty(lines, lines, encoding, async (before, after, encoding) => {
      await diskFiles.write(join(root, 'b.txt'), { text: before, encoding }, { type: 'missing' });
      const patch = createTwoFilesPatch('b.txt', 'b.txt', before, after);
      const change = await changeOf(root, { type: 'diff', path: 'b.txt', patch }, diskFiles);
      expect([change?.before.text, change?.after.text]).toEqual([before, after]);
    }),
    { numRuns: 50 },
  );
});

test('a change to a file that has changed since is not shown', async () => {
  const root = join(freshFolder(), 'work');
  writeFileSync(join(root, 'b.txt'), 'something else\n');
  const patch = createTwoFilesPatch('b.txt', 'b.txt', 'one\n', 'two\n');
  expect(await changeOf(root, { type: 'diff', path: 'b.txt', patch }, diskFiles)).toBeUndefined();
});
