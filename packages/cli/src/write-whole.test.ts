import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { appendWhole, writeWhole } from './write-whole.js';

const root = mkdtempSync(join(tmpdir(), 'loopfuse-whole-'));
afterAll(() => rmSync(root, { recursive: true }));
let folder = root;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'a-'));
});

function fails(file: string): void {
  writeFileSync(file, 'half');
  throw new Error('the disk is full');
}

test('what cannot be written to its end leaves what was there, and nothing beside it', async () => {
  const file = join(folder, 'a.txt');
  await expect(writeWhole(file, fails)).rejects.toThrow('the disk is full');
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(file, 'before', { mode: 0o640 });
  await expect(writeWhole(file, fails)).rejects.toThrow('the disk is full');
  expect(readdirSync(folder)).toEqual(['a.txt']);
  expect(readFileSync(file, 'utf8')).toBe('before');
  await writeWhole(file, (whole) => writeFileSync(whole, 'after'));
  expect(readFileSync(file, 'utf8')).toBe('after');
  expect(statSync(file).mode & 0o777).toBe(0o640);
  await writeWhole(file, (whole) => writeFileSync(whole, 'after'), 0o600);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a link is kept, and what is not a regular file is written to directly', async () => {
  writeFileSync(join(folder, 'a.txt'), 'before');
  symlinkSync('a.txt', join(folder, 'link'));
  await writeWhole(join(folder, 'link'), (whole) => writeFileSync(whole, 'after'));
  expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('after');
  const written: string[] = [];
  symlinkSync('/dev/null', join(folder, 'nowhere'));
  await writeWhole(join(folder, 'nowhere'), (whole) => void written.push(whole));
  expect(written).toEqual([join(folder, 'nowhere')]);
  expect(lstatSync(join(folder, 'nowhere')).isSymbolicLink()).toBe(true);
});

test.skipIf(!existsSync('/dev/full'))('a text is added whole, and a device that is full is left alone', () => {
  const file = join(folder, 'a.md');
  appendWhole(file, 'one ');
  appendWhole(file, 'two');
  expect(readFileSync(file, 'utf8')).toBe('one two');
  symlinkSync('/dev/full', join(folder, 'full'));
  expect(() => appendWhole(join(folder, 'full'), 'three')).toThrow('ENOSPC');
  expect(lstatSync(join(folder, 'full')).isSymbolicLink()).toBe(true);
});
