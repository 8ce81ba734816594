import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const bin = fileURLToPath(new URL('../bin/loopfuse.js', import.meta.url));

/** Empty, and always the same: nothing is ever written there. */
const home = join(tmpdir(), 'loopfuse-test-home');
mkdirSync(home, { recursive: true });

/** The built command as users run it: no colours forced, a home of its own, and nothing else of our environment. */
export const cleanEnv = {
  PATH: process.env.PATH ?? '',
  HOME: home,
  LC_ALL: 'C.UTF-8',
};

export interface Ended {
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What is piped in; by default nothing. */
  readonly input?: string;
  /** For Node itself, before the script. */
  readonly nodeArgs?: readonly string[];
  /** Gets the process as soon as it runs. */
  readonly onStart?: (child: ChildProcess) => void;
}

export function runLoopfuse(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  if (!existsSync(fileURLToPath(new URL('../dist/main.js', import.meta.url))))
    throw new Error('packages/cli is not built: run "npm run build" before its tests');
  return run(process.execPath, [...(options.nodeArgs ?? []), bin, ...args], options);
}

export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...cleanEnv, ...options.env },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    child.stdin?.on('error', () => {}); // it may not want to read it all
    child.stdin?.end(options.input);
    let stdout = '';
    let stderr = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: code ?? signal, stdout, stderr }));
    options.onStart?.(child);
  });
}
