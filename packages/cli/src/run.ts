import { CommanderError } from 'commander';
import { messageOf } from 'loopfuse/words';
import { exitCode } from './exit-code.js';
import { runProgram } from './program.js';
import type { Shell } from './shell.js';
import { UsageError } from './usage-error.js';

/** Runs one command line and sets the exit code of the shell. Never rejects: errors are reported. */
export async function run(argv: readonly string[], shell: Shell): Promise<void> {
  try {
    await runProgram(argv, shell);
  } catch (cause) {
    shell.exitCode = await report(cause, shell);
  }
}

/** Reports an error and returns the exit code. */
async function report(cause: unknown, { err, env }: Shell): Promise<number> {
  if (cause instanceof CommanderError) return cause.exitCode === 0 ? exitCode.fine : exitCode.usage; // it has printed its message
  if (isForTheUser(cause)) {
    const lines = cause.message.split('\n').map(err.say).join('\n  ');
    await err.write(`${err.paint(`error: ${lines}`, 'red')}\n`);
    return exitCode.usage;
  }
  const message = messageOf(cause);
  await err.write(
    env.LOOPFUSE_DEBUG
      ? `${cause instanceof Error ? cause.stack : message}\n`
      : `loopfuse: unexpected error: ${err.say(message)}\nRun it again with LOOPFUSE_DEBUG=1 for the stack trace, and report it if it is a fault of Loopfuse.\n`,
  );
  return exitCode.failed;
}

/** Errors that the user can correct. The agent's `SetUpError` is recognised by name, because the agent is loaded only for a chat. */
function isForTheUser(cause: unknown): cause is Error {
  return cause instanceof UsageError || (cause instanceof Error && cause.name === 'SetUpError');
}
