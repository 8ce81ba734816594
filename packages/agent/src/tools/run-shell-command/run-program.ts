import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

export interface ProgramOptions {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly signal: AbortSignal;
  /** How long it may run. */
  readonly milliseconds: number;
  /** How many characters of output are kept, half from the beginning and half from the end. */
  readonly most: number;
  readonly onOutput: (text: string) => void;
}

export type Ended = { readonly output: string } & (
  | { readonly type: 'exit'; readonly code: number }
  | { readonly type: 'signal'; readonly signal: string }
  | { readonly type: 'timeout' | 'aborted' }
  | { readonly type: 'not-started'; readonly message: string }
);

/** The time between SIGTERM and SIGKILL, in milliseconds. */
const grace = 500;

const windows = process.platform === 'win32';

/**
 * Starts the program beside a watcher in the same group, which waits for the end of a pipe that only we hold open. When
 * our process has ended, even by a crash, the watcher ends the group. `$$` is the leader of the group.
 */
const watched = '(read -r _ <&3; kill -9 -$$) >/dev/null 2>&1 & exec 3<&-; exec "$@"';

/** The running groups. They are ended when our process ends. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) endGroup(child, 'SIGKILL');
});

/**
 * Runs a program with everything it starts in a process group of its own, and ends the whole group with it: when it
 * exits, when its time is up, when it is aborted, when our own process ends. Never rejects.
 */
export async function runProgram(program: string, args: readonly string[], options: ProgramOptions): Promise<Ended> {
  const { cwd, env, signal, milliseconds, most, onOutput } = options;
  const output = keepEnds(most);
  if (signal.aborted) return { type: 'aborted', output: '' };
  const child = start(program, args, { cwd, env });
  running.add(child);
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output.add(text);
      onOutput(text);
    });
  let cut: 'timeout' | 'aborted' | undefined;
  const end = (why: 'timeout' | 'aborted') => {
    cut ??= why;
    endGroup(child, 'SIGTERM');
    setTimeout(() => endGroup(child, 'SIGKILL'), grace).unref();
  };
  const timer = setTimeout(() => end('timeout'), milliseconds);
  const onAbort = () => end('aborted');
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const exited = await exitOf(child);
    endGroup(child, 'SIGKILL');
    await Promise.race([closeOf(child), wait(grace, undefined, { ref: false })]);
    const kept = output.text();
    if (cut !== undefined) return { type: cut, output: kept };
    if ('message' in exited) return { type: 'not-started', message: exited.message, output: kept };
    if (exited.signal !== null) return { type: 'signal', signal: exited.signal, output: kept };
    return { type: 'exit', code: exited.code ?? 0, output: kept };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    running.delete(child);
    for (const stream of child.stdio) stream?.destroy();
  }
}

function start(program: string, args: readonly string[], place: Pick<ProgramOptions, 'cwd' | 'env'>): ChildProcess {
  if (windows) return spawn(program, args, { ...place, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  const child = spawn('/bin/sh', ['-c', watched, 'sh', program, ...args], {
    ...place,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  child.stdio[3]?.on('error', () => {}); // it is never written to
  return child;
}

function exitOf(child: ChildProcess): Promise<{ code: number | null; signal: string | null } | { message: string }> {
  return new Promise((resolve) => {
    child.once('error', (cause) => resolve({ message: cause.message }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** Output can still be on its way when a program has exited. */
function closeOf(child: ChildProcess): Promise<void> {
  if (child.stdout?.readableEnded && child.stderr?.readableEnded) return Promise.resolve();
  return new Promise((resolve) => child.once('close', () => resolve()));
}

function endGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    if (windows) {
      if (child.exitCode === null) spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' });
    } else process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
}

/** Keeps the beginning and the end of a text that comes in pieces, in bounded memory. */
function keepEnds(most: number): { add(text: string): void; text(): string } {
  const half = most >> 1;
  let head = '';
  let tail = '';
  let cut = 0;
  return {
    add(text) {
      const room = half - head.length;
      head += text.slice(0, Math.max(0, room));
      tail += text.slice(Math.max(0, room));
      if (tail.length > 2 * half) {
        cut += tail.length - half;
        tail = tail.slice(-half);
      }
    },
    text() {
      if (tail.length > half) {
        cut += tail.length - half;
        tail = tail.slice(-half);
      }
      return cut === 0 ? head + tail : `${head}\n[… ${cut} characters were cut out here …]\n${tail}`;
    },
  };
}
