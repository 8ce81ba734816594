import { exitCode } from './exit-code.js';
import { ownCommand } from './own-command.js';
import type { Shell } from './shell.js';
import { outputClosed } from './terminal/interruption.js';
import { terminalOf } from './terminal/terminal.js';

/** The shell of this very process. */
export function processShell(): Shell {
  const { stdin, stdout, stderr, argv } = process;
  const env = { ...process.env };
  const shell: Shell = {
    out: terminalOf(stdout, env),
    err: terminalOf(stderr, env),
    env,
    streams: { stdin, stdout, stderr },
    ownsProcess: true,
    command: ownCommand(argv[1] ?? '', env),
    get exitCode() {
      return Number(process.exitCode ?? exitCode.fine);
    },
    set exitCode(code) {
      process.exitCode = code;
    },
  };
  for (const stream of [stdout, stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (shell.outlivesOutput !== true) giveUp(error);
    });
  return shell;
}

/** `loopfuse … | head` closes the pipe early, and so does a terminal that is closed: that is no error. A full disk is. */
function giveUp(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE' || error.code === 'EIO') {
    if (!outputClosed()) process.exit();
    return;
  }
  try {
    process.stderr.write(`loopfuse: the output could not be written: ${error.message}\n`);
  } finally {
    process.exit(exitCode.failed);
  }
}
