import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileNameOf, updateState } from './state-file.js';
import { sweep } from './sweep.js';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'loopfuse-state-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
const newFolder = () => join(root, String(++folders));

function count(folder: string, { key = 's', waitMs = 2_000 } = {}): { count: number; faults: string[] } {
  const faults: string[] = [];
  const onFault = (message: string) => faults.push(message);
  const count = updateState({ folder, key, waitMs, onFault }, (saved) => {
    const next = ((saved as number | undefined) ?? 0) + 1;
    return { result: next, save: next };
  });
  return { count, faults };
}

test('what was saved comes back, for each session its own, and nothing is left behind', () => {
  const folder = newFolder();
  expect([count(folder), count(folder), count(folder, { key: 't' })]).toEqual([
    { count: 1, faults: [] },
    { count: 2, faults: [] },
    { count: 1, faults: [] },
  ]);
  expect(readdirSync(folder).sort()).toEqual(['.swept', 's.json', 't.json']);
});

test.skipIf(process.platform === 'win32')('what is saved is for its owner alone', () => {
  const folder = newFolder();
  count(folder);
  expect(statSync(join(folder, 's.json')).mode & 0o777).toBe(0o600);
});

test('a state that cannot be put in its place leaves no file behind', () => {
  const folder = newFolder();
  mkdirSync(join(folder, 's.json', 'in the way'), { recursive: true });
  const { count: found, faults } = count(folder);
  expect(found).toBe(1);
  expect(faults.length).toBeGreaterThan(0);
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('names of files are plain, short and as different as the sessions', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(fileNameOf(a)).toMatch(/^[\w-]{0,100}$/);
      if (a !== b) expect(fileNameOf(a)).not.toBe(fileNameOf(b));
    }),
  );
});

describe('a fault of the disk costs the session its memory, and nothing else', () => {
  test.each([
    ['no JSON', '{"key":"s","sta'],
    ['other JSON', '[]'],
    ['the state of another session', '{"key":"other","state":7}'],
    ['zeros', '\0'.repeat(4096)],
    ['nothing', ''],
  ])('%s in the file', (_what, text) => {
    const folder = newFolder();
    count(folder);
    writeFileSync(join(folder, 's.json'), text);
    const { count: found, faults } = count(folder);
    expect(found).toBe(1);
    expect(faults).toEqual([expect.stringMatching(/^load: expected the state of this session/)]);
    expect(count(folder)).toEqual({ count: 2, faults: [] });
  });

  test('a folder that cannot be made', () => {
    const file = newFolder();
    writeFileSync(file, '');
    const { count: found, faults } = count(join(file, 'sessions'));
    expect(found).toBe(1);
    expect(faults.join(' ')).toContain('ENOTDIR');
  });

  test('more state than any session needs is not saved', () => {
    const faults: string[] = [];
    const onFault = (message: string) => faults.push(message);
    updateState({ folder: newFolder(), key: 's', onFault }, () => ({ result: 0, save: 'x'.repeat(5_000_000) }));
    expect(faults).toEqual([expect.stringContaining('expected at most 4000000 characters')]);
  });
});

describe('a lock', () => {
  test('of a killed process is taken over at once', () => {
    const folder = newFolder();
    count(folder);
    writeFileSync(join(folder, 's.json.lock'), readLockOf(2 ** 22 + 1));
    expect(count(folder)).toEqual({ count: 2, faults: [] });
  });

  test('of a running process is waited for, then the event is not remembered', () => {
    const folder = newFolder();
    count(folder);
    writeFileSync(join(folder, 's.json.lock'), readLockOf(process.ppid));
    const { count: found, faults } = count(folder, { waitMs: 50 });
    expect(found).toBe(2);
    expect(faults).toEqual([expect.stringContaining('another hook has held')]);
    rmSync(join(folder, 's.json.lock'));
    expect(count(folder).count).toBe(2);
  });

  test('that is too old for any hook is taken over', () => {
    const folder = newFolder();
    count(folder);
    const lock = join(folder, 's.json.lock');
    writeFileSync(lock, readLockOf(process.ppid));
    const old = new Date(Date.now() - 60_000);
    utimesSync(lock, old, old);
    expect(count(folder, { waitMs: 50 })).toEqual({ count: 2, faults: [] });
  });

  test('lets processes at the same session take turns', async () => {
    const folder = newFolder();
    const script = join(root, 'count.cjs');
    await build({
      stdin: {
        contents: `import { updateState } from './state-file.ts';
          for (let k = 0; k < 20; k++)
            updateState({ folder: process.argv[2], key: 's', waitMs: 60_000, onFault: (message) => console.log(message) },
              (saved) => ({ result: 0, save: (saved ?? 0) + 1 }));`,
        resolveDir: new URL('.', import.meta.url).pathname,
      },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      outfile: script,
    });
    const run = promisify(execFile);
    const said = await Promise.all(Array.from({ length: 5 }, () => run(process.execPath, [script, folder])));
    expect(said.map(({ stdout }) => stdout).join('')).toBe('');
    expect(JSON.parse(readFileSync(join(folder, 's.json'), 'utf8')).state).toBe(100);
  });
});

function readLockOf(pid: number): string {
  const { hostname } = process.getBuiltinModule('node:os');
  return `${pid} ${hostname()} 1`;
}

function age(folder: string, name: string, ms: number): void {
  const date = new Date(Date.now() - ms);
  utimesSync(join(folder, name), date, date);
}

test('sessions that are old, or too many, are removed, and so is what killed hooks left', () => {
  const folder = newFolder();
  for (let k = 0; k < 6; k++) count(folder, { key: `s${k}` });
  writeFileSync(join(folder, 's9.json.123.tmp'), '');
  writeFileSync(join(folder, 's8.json.lock'), '');
  age(folder, 's0.json', 10_000_000);
  for (let k = 1; k < 6; k++) age(folder, `s${k}.json`, 10_000 * k);
  age(folder, 's9.json.123.tmp', 10_000_000);
  sweep(folder, { expiryMs: 5_000_000, mostSessions: 3 });
  expect(readdirSync(folder).sort()).toEqual(['.swept', 's1.json', 's2.json', 's3.json', 's8.json.lock']);
});

test.skipIf(process.platform === 'win32')(
  'what is gone by the time it is looked at takes the place of no session',
  () => {
    const folder = newFolder();
    count(folder);
    symlinkSync(join(folder, 'nowhere'), join(folder, 'gone.json'));
    sweep(folder, { expiryMs: 5_000_000, mostSessions: 1 });
    expect(readdirSync(folder)).toContain('s.json');
  },
);

test('it is swept at most once in ten minutes', () => {
  const folder = newFolder();
  count(folder);
  const left = join(folder, 's9.json.123.tmp');
  for (const [minutes, isLeft] of [
    [9, true],
    [11, false],
    [0, true],
  ] as const) {
    writeFileSync(left, '');
    age(folder, 's9.json.123.tmp', 10_000_000);
    if (minutes > 0) age(folder, '.swept', minutes * 60_000);
    count(folder);
    expect([minutes, existsSync(left)]).toEqual([minutes, isLeft]);
  }
});
