import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A separate real Redis, on a free port of this machine. */
export interface RedisServer {
  readonly url: string;
  readonly pid: number;
  /** Kills it; its data in memory is lost. */
  stop(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** Suspends it, with its connections open, until `resume`. */
  freeze(): void;
  resume(): void;
  remove(): Promise<void>;
}

export interface RedisServerOptions {
  /** More arguments of `redis-server`. */
  readonly args?: readonly string[];
}

const binary = '/usr/bin/redis-server';

/** Installs Debian's Redis on first use. Debian also starts its own service, which is not used. */
export function installRedis(): void {
  if (existsSync(binary)) return;
  console.log('Installing redis-server from Debian …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'redis-server']])
    execFileSync('apt-get', ['-qq', ...args], { stdio: 'inherit', env });
}

export async function startRedis({ args = [] }: RedisServerOptions = {}): Promise<RedisServer> {
  installRedis();
  const folder = await mkdtemp(join(tmpdir(), 'loopfuse-redis-'));
  const port = await freePort();
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    const own = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder, '--loglevel', 'warning'];
    server = spawn(binary, [...own, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
    while (!(await isListening(port))) {
      if (server.exitCode !== null) throw new Error(`redis-server ended with ${server.exitCode} before it listened`);
      await pause(10);
    }
  }

  async function stop(): Promise<void> {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return server?.pid ?? 0;
    },
    start,
    stop,
    freeze: () => void server?.kill('SIGSTOP'),
    resume: () => void server?.kill('SIGCONT'),
    async remove() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.once('connect', () => socket.end());
  });
}
