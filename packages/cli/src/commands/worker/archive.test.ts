import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runLoopfuse } from '../../../testing/run-loopfuse.js';
import { openArchive } from './archive.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loopfuse-worker-')));
afterAll(() => rmSync(folder, { recursive: true }));
const root = join(folder, 'archive');
mkdirSync(join(root, 'deep'), { recursive: true });
writeFileSync(join(root, 'deep', 'a.jsonl'), '12345');
writeFileSync(join(folder, 'secret.jsonl'), '12345');
symlinkSync(join(folder, 'secret.jsonl'), join(root, 'link.jsonl'));
symlinkSync(folder, join(root, 'up'));

const archive = openArchive([root]);
const job = (path: string, under: string, size = 5) => ({ path, under, size, preset: 'balanced' });

test('a file is found by its own path, or by its place in the archive', () => {
  const found = { path: join(root, 'deep', 'a.jsonl') };
  expect(archive.find(job(join(root, 'deep', 'a.jsonl'), 'elsewhere'))).toEqual(found);
  expect(archive.find(job('/data/of/another/machine/deep/a.jsonl', 'deep/a.jsonl'))).toEqual(found);
});

test('a file of another size is another file', () => {
  expect(archive.find(job('/nowhere', 'deep/a.jsonl', 6))).toEqual({
    why: expect.stringContaining('of 6 bytes below'),
  });
});

test.each([
  ['its own path', join(folder, 'secret.jsonl'), 'none'],
  ['steps upwards', '/nowhere', '../secret.jsonl'],
  ['an absolute place', '/nowhere', join(folder, 'secret.jsonl')],
  ['a link to a file', '/nowhere', 'link.jsonl'],
  ['a link to a folder', '/nowhere', 'up/secret.jsonl'],
  ['the folder itself', root, ''],
  ['a name that is none', '\0', 'a\0b'],
])('nothing outside the archive is read: %s', (_, path, under) => {
  expect(archive.find(job(path, under))).toEqual({ why: expect.stringContaining('a worker has no file') });
});

test('without a Redis, scan and worker say so and end', async () => {
  const queue = ['--queue', 'redis://user:pass-word@127.0.0.1:9'];
  for (const args of [
    ['scan', '--no-cache', ...queue, root],
    ['worker', ...queue, root],
  ]) {
    const { code, stderr } = await runLoopfuse(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Redis at redis:\/\/user:\*\*\*@127\.0\.0\.1:9\/? cannot be reached: .*ECONNREFUSED/);
  }
});

test('what is no queue and no folder is refused', async () => {
  expect((await runLoopfuse(['worker', '--queue', 'http://x', root])).stderr).toContain(
    'expected an address such as redis://',
  );
  expect((await runLoopfuse(['worker', '--queue', 'redis://x', '/not/there'])).stderr).toContain('there is no folder');
  expect((await runLoopfuse(['worker', root])).stderr).toContain('--queue');
});
