import { type Command, InvalidArgumentError } from 'commander';
import type { Shell } from '../../shell.js';

interface Flags {
  readonly queue: string;
  readonly threads?: number;
  readonly idle?: number;
  readonly json?: boolean;
}

/** `loopfuse worker --queue redis://… FOLDER…` */
export function addWorker(program: Command, shell: Shell): void {
  program
    .command('worker')
    .description(
      'Takes files from a queue that "scan --queue" fills, reads them, and sends back what was found. Start one on each machine that has the archive.',
    )
    .argument('<folder...>', 'the archive on this machine; no other files are read')
    .requiredOption('--queue <address>', 'the Redis of the queue: redis://HOST:PORT')
    .option('--threads <count>', 'files to read at once (default: one for each core)', parseCount)
    .option('--idle <seconds>', 'end after this many seconds without a file (default: never)', parseCount)
    .option('-j, --json', 'one JSON object a line for every file that was read')
    .addHelpText('after', help)
    .showHelpAfterError(`Run "${shell.command} worker --help" for usage.`)
    .action(async (folders: string[], { queue, threads, idle, json = false }: Flags) => {
      const { work } = await import('./worker.js');
      await work(folders, { queue, threads, idle, json }, shell);
    });
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Expected a whole number of at least 1.');
  return Number(text);
}

const help = `
Examples:
  loopfuse worker --queue redis://10.0.0.5 /mnt/archive    on every machine
  loopfuse scan --queue redis://10.0.0.5 /mnt/archive      on one of them
  loopfuse worker --queue redis://10.0.0.5 --idle 60 .     for one scan

Give it the folder that scan is given, by its name on this machine. If a worker
is killed, another one reads its files. Scan and workers must have the same
version of loopfuse.

Ctrl-C ends it after the files that it is reading; a second Ctrl-C at once.

Exit codes: 0 ended by Ctrl-C or --idle, 2 wrong usage, no such folder, or no
Redis there.`;
