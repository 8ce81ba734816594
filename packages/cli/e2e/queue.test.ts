import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RedisServer, startRedis } from '@loopfuse/testkit/redis-server';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { bin, cleanEnv, runLoopfuse } from '../testing/run-loopfuse.js';

let redis: RedisServer;
let folder: string;
let archive: string;
let expected: string;
let workers: ChildProcess[];

beforeAll(async () => {
  redis = await startRedis();
  folder = mkdtempSync(join(tmpdir(), 'loopfuse-queue-'));
  archive = join(folder, 'archive');
  mkdirSync(join(archive, 'deep'), { recursive: true });
  for (let k = 0; k < 40; k++)
    writeFileSync(
      join(archive, k % 2 === 0 ? '.' : 'deep', `run-${k}.jsonl`),
      trace(20 + k, k % 4 === 0 ? 12 : 1, `s${k}`),
    );
  writeFileSync(join(archive, 'broken.jsonl'), `${trace(1, 12, 'broken')}{"type":"tool-call"\n`);
  expected = (await scan('--json')).stdout;
});

beforeEach(() => {
  workers = [];
});

afterEach(async () => {
  for (const worker of workers) await ended(worker);
  const client = new Redis(redis.url);
  await client.flushall();
  client.disconnect();
});

afterAll(async () => {
  await redis.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('the table, the lines and the report are those of a scan without a queue', async () => {
  startWorker(archive);
  startWorker(archive);
  const [plain, queued] = [await scan(), await scan('--queue', redis.url)];
  expect(queued).toEqual(plain);
  expect((await scan('--json', '--queue', redis.url)).stdout).toBe(expected);
  const pages = [join(folder, 'plain.html'), join(folder, 'queued.html')];
  await scan('--html', pages[0]!);
  await scan('--html', pages[1]!, '--queue', redis.url);
  const [one, other] = pages.map((page) => withoutTime(readFileSync(page, 'utf8')));
  expect(other).toBe(one);
});

test('workers that are killed lose nothing', async () => {
  const [first, second] = [startWorker(archive, '--json'), startWorker(archive, '--json')];
  const killed = [first, second].map(async (worker, k) => {
    let lines = 0;
    worker.stdout!.on('data', (data: Buffer) => {
      lines += data.toString().split('\n').length - 1;
      if (lines > 2 + k) worker.kill('SIGKILL');
    });
    await once(worker, 'exit');
    return lines;
  });
  const scanning = scan('--json', '--queue', redis.url);
  expect((await Promise.all(killed)).every((lines) => lines > 0)).toBe(true);
  startWorker(archive);
  const { code, stdout } = await scanning;
  expect({ code, stdout }).toEqual({ code: 0, stdout: expected });
});

test('a scan waits for workers that come late, and says so', async () => {
  const scanning = scan('--json', '--queue', redis.url);
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  startWorker(archive);
  const { stdout, stderr } = await scanning;
  expect(stdout).toBe(expected);
  expect(stderr).toContain('there is no worker on the queue. Start one: ');
});

test('an archive may have another name on the machine of the worker', async () => {
  const elsewhere = join(folder, 'elsewhere');
  cpSync(archive, elsewhere, { recursive: true });
  const worker = startWorker(elsewhere, '--json');
  let read = '';
  worker.stdout!.on('data', (data: Buffer) => {
    read += data.toString();
  });
  const { stdout, stderr } = await scan('--json', '--queue', redis.url);
  expect(stdout).toBe(expected);
  expect(stderr).not.toContain('Reading');
  expect(read.split('\n').filter((line) => line.includes(elsewhere)).length).toBe(41);
});

test('neither the scan nor a worker stays when there is nothing left to do', async () => {
  const worker = startWorker(archive);
  const scanned = ['scan', '--no-cache', '--queue', redis.url, join(archive, 'run-0.jsonl')];
  await runLoopfuse(scanned);
  const began = performance.now();
  await runLoopfuse(scanned);
  expect(performance.now() - began).toBeLessThan(1_900);
  const asked = performance.now();
  await ended(worker);
  expect(performance.now() - asked).toBeLessThan(1_500);
});

test('what no worker has is read by whoever scans', async () => {
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  startWorker(empty);
  const { stdout, stderr } = await scan('--json', '--queue', redis.url);
  expect(stdout).toBe(expected);
  expect(stderr).toMatch(/Reading 41 files here, which no worker could read: a worker has no file/);
});

test('a Redis that is killed and comes back empty gets the files again', async () => {
  const scanning = scan('--json', '--queue', redis.url);
  const client = new Redis(redis.url);
  while ((await client.llen('bull:loopfuse-scan-0.1.0:wait')) < 41)
    await new Promise((resolve) => setTimeout(resolve, 20));
  client.disconnect();
  await redis.stop();
  await new Promise((resolve) => setTimeout(resolve, 500));
  await redis.start();
  startWorker(archive);
  expect((await scanning).stdout).toBe(expected);
});

test('a scan that is interrupted takes its files off the queue', async () => {
  const client = new Redis(redis.url);
  const scanning = runLoopfuse(['scan', '--no-cache', '--queue', redis.url, archive], {
    async onStart(child) {
      while ((await client.llen('bull:loopfuse-scan-0.1.0:wait')) < 41)
        await new Promise((resolve) => setTimeout(resolve, 20));
      child.kill('SIGINT');
    },
  });
  expect((await scanning).code).toBe(130);
  expect(await client.llen('bull:loopfuse-scan-0.1.0:wait')).toBe(0);
  client.disconnect();
});

function scan(...args: string[]) {
  return runLoopfuse(['scan', '--no-cache', ...args, '.'], { cwd: archive });
}

function startWorker(path: string, ...args: string[]): ChildProcess {
  const worker = spawn(process.execPath, [bin, 'worker', '--queue', redis.url, '--threads', '2', ...args, path], {
    env: cleanEnv,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  workers.push(worker);
  return worker;
}

/** Asks it to end, as somebody who stops a service does. */
async function ended(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const exit = once(worker, 'exit');
  worker.kill('SIGTERM');
  expect((await exit)[0]).toBe(0);
}

function trace(sessions: number, rounds: number, name: string): string {
  const lines: object[] = [];
  for (let k = 0; k < sessions; k++) {
    lines.push({ loopfuse: 1, session: `${name}-${k}`, agent: 'toy' }, { type: 'prompt', text: `Go on with ${name}.` });
    for (let round = 0; round < rounds; round++) {
      const id = `c${round}`;
      lines.push({ type: 'tool-call', id, tool: 'read_file', input: { path: `src/${name}-${k}.ts` } });
      lines.push({ type: 'tool-result', id, output: 'Error: there is no file src/main.ts', failed: true });
    }
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The report says when it was made. */
function withoutTime(page: string): string {
  return page.replace(/"madeAt":[^,}]+/g, '').replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '');
}
