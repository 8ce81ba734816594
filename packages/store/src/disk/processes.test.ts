import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diskStore } from '@loopfuse/store/disk';
import { type BuildOptions, build } from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loopfuse-store-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test('processes that count at once lose nothing, though some are killed', async () => {
  const program = await built(counter);
  const sessions = join(folder, 'sessions');
  const children = Array.from({ length: 4 }, (_, k) => ({
    child: spawn(process.execPath, [program, sessions], { stdio: ['ignore', 'pipe', 'inherit'] }),
    isKilled: k > 1,
  }));
  const counted = children.map(async ({ child, isKilled }) => {
    let lines = 0;
    child.stdout.on('data', (data: Buffer) => {
      lines += data.toString().split('\n').length - 1;
      if (isKilled && lines > 10) child.kill('SIGKILL');
    });
    await once(child, 'close');
    return lines;
  });
  const finished = await Promise.all(counted);
  expect(finished.slice(0, 2)).toEqual([60, 60]);
  const total = await diskStore({ folder: sessions }).update('count', (saved) => ({ result: saved as number }));
  const reported = finished.reduce((a, b) => a + b, 0);
  // A killed process may have saved once more than it could say.
  expect(total).toBeGreaterThanOrEqual(reported);
  expect(total).toBeLessThanOrEqual(reported + 2);
});

test('a process that may write no more goes on and says so', async () => {
  const program = await built(filler);
  const sessions = join(folder, 'sessions');
  const child = spawn('sh', ['-c', 'ulimit -f 1; exec "$0" "$1" "$2"', process.execPath, program, sessions]);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (data: Buffer) => chunks.push(data));
  await once(child, 'close');
  const { counts, faults } = JSON.parse(Buffer.concat(chunks).toString());
  expect(counts).toEqual([1, 2, 3]);
  expect(faults).toEqual([expect.stringMatching(/EFBIG.*kept in this process only/)]);
  expect((await readdir(sessions)).filter((name) => name !== '.swept')).toEqual([]);
});

test('a process that may write nothing at all still goes on from what was saved', async () => {
  const program = await built(filler);
  const sessions = join(folder, 'sessions');
  await diskStore({ folder: sessions }).update('full', () => ({ result: 0, save: { count: 7 } }));
  const child = spawn('sh', ['-c', 'ulimit -f 0; exec "$0" "$1" "$2"', process.execPath, program, sessions]);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (data: Buffer) => chunks.push(data));
  await once(child, 'close');
  const { counts, faults } = JSON.parse(Buffer.concat(chunks).toString());
  expect(counts).toEqual([8, 9, 10]);
  expect(faults).toEqual([expect.stringMatching(/EFBIG.*kept in this process only/)]);
  const saved = await diskStore({ folder: sessions }).update('full', (found) => ({ result: found }));
  expect(saved).toEqual({ count: 7 });
});

test('a program with the disk store loads nothing else', async () => {
  const inputs = await inputsOf(counter);
  expect(inputs.filter((path) => !/packages\/store\/src\/|^<stdin>$/.test(path))).toEqual([]);
  expect(inputs.filter((path) => /redis|memory/.test(path))).toEqual([]);
});

/** Counts up in one session, sixty times, and says so after each. */
const counter = `
  import { diskStore } from '@loopfuse/store/disk';
  const onFault = (fault) => { throw new Error(fault.message) };
  const store = diskStore({ folder: process.argv[2], waitMs: 60_000, onFault });
  for (let k = 0; k < 60; k++) {
    const count = await store.update('count', (saved) => ({ result: (saved ?? 0) + 1, save: (saved ?? 0) + 1 }));
    process.stdout.write(count + '\\n');
  }
`;

/** Saves more than the process may write. */
const filler = `
  import { diskStore } from '@loopfuse/store/disk';
  const faults = [];
  const store = diskStore({ folder: process.argv[2], onFault: ({ message }) => faults.push(message) });
  const counts = [];
  for (let k = 0; k < 3; k++)
    counts.push(await store.update('full', (saved) => {
      const count = (saved?.count ?? 0) + 1;
      return { result: count, save: { count, much: 'x'.repeat(10_000) } };
    }));
  console.log(JSON.stringify({ counts, faults }));
`;

async function built(contents: string): Promise<string> {
  const program = join(folder, 'program.mjs');
  await build({ ...building(contents), outfile: program });
  return program;
}

async function inputsOf(contents: string): Promise<string[]> {
  const { metafile } = await build({ ...building(contents), write: false, metafile: true });
  return Object.keys(metafile!.inputs);
}

function building(contents: string): BuildOptions {
  return {
    stdin: { contents, resolveDir: dirname(fileURLToPath(import.meta.url)) },
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['loopfuse-source'],
    logLevel: 'error',
  };
}
