import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from './make-folder.js';

test('makes a folder with those above it, for its user alone, once or twice', () => {
  const root = mkdtempSync(join(tmpdir(), 'loopfuse-folder-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  makeFolder(join(root, 'a/b/c'));
  makeFolder(join(root, 'a/b/c'));
  expect(statSync(join(root, 'a')).mode & 0o077).toBe(0);
  expect(statSync(join(root, 'a/b/c')).isDirectory()).toBe(true);
  writeFileSync(join(root, 'file'), '');
  expect(() => makeFolder(join(root, 'file/a/b'))).toThrow(/ENOTDIR/);
});
