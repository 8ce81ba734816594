import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';

/** A program that has the terminal. */
export interface Child {
  /** Its exit code, or 128 and the number of the signal that ended it. Rejects when it cannot be started. */
  readonly ended: Promise<number>;
  /** Sends SIGTERM, and SIGKILL if it still runs after `patienceMs`. */
  stop(patienceMs: number): void;
}

const passedOn = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;

/** Runs a program with our own input and output, and forwards signals to it. */
export function runChild(
  command: string,
  args: readonly string[],
  { env, cwd, interactive }: { env: NodeJS.ProcessEnv; cwd: string; interactive: boolean },
): Child {
  const child = spawn(command, args, { stdio: 'inherit', env, cwd });
  // On a terminal the agent receives Ctrl-C itself, and decides what it means.
  const onInterrupt = () => {
    if (!interactive) child.kill('SIGINT');
  };
  const onSignal = (signal: NodeJS.Signals) => void child.kill(signal);
  process.on('SIGINT', onInterrupt);
  for (const signal of passedOn) process.on(signal, onSignal);
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal ?? 'SIGTERM'] ?? 15)));
  }).finally(() => {
    process.off('SIGINT', onInterrupt);
    for (const signal of passedOn) process.off(signal, onSignal);
  });
  return { ended, stop: (patienceMs) => stop(child, patienceMs) };
}

function stop(child: ChildProcess, patienceMs: number): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), patienceMs).unref();
}
