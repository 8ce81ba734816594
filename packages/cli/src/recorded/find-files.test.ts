import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { UsageError } from '../usage-error.js';
import { findFiles } from './find-files.js';

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-find-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Some file systems keep names as text and refuse others. */
function canWrite(path: Buffer): boolean {
  try {
    writeFileSync(path, '');
    return true;
  } catch {
    return false;
  }
}

test('a file whose name is no UTF-8 is reported, not left out in silence', async ({ skip }) => {
  const name = Buffer.concat([Buffer.from(join(folder, 'caf')), Buffer.from([0xe9]), Buffer.from('.jsonl')]);
  if (!canWrite(name)) skip();
  writeFileSync(join(folder, 'fine.jsonl'), '');
  const { files, faults } = await findFiles([folder]);
  expect(files.map(({ path }) => path)).toEqual([join(folder, 'fine.jsonl')]);
  expect(faults).toMatchObject([{ message: expect.stringContaining('not valid UTF-8') }]);
  rmSync(name);
});

test('standard input as a path (-) is refused, with what to do instead', async () => {
  await expect(findFiles(['-'])).rejects.toThrow(UsageError);
  await expect(findFiles(['-'])).rejects.toThrow('standard input is not read. To scan what comes through a pipe, save');
});
