import type { Command } from 'commander';
import type { Shell } from '../../shell.js';

interface Flags {
  readonly output?: string;
  readonly cache: boolean;
}

/** `loopfuse export SESSION [PATH…]` */
export function addExport(program: Command, shell: Shell): void {
  program
    .command('export')
    .description(
      "Writes any recorded session as one of Loopfuse's own traces, with keys and tokens, e-mail addresses and home folders masked.",
    )
    .argument('<session>', "the session's id, the beginning of it, or its file")
    .argument('[path...]', 'where to look for it (default: the logs of the agents on this machine)')
    .option('-o, --output <file>', 'where to write it (default: standard output)')
    .option('--no-cache', 'read everything again')
    .addHelpText('after', help)
    .showHelpAfterError(`Run "${shell.command} export --help" for usage.`)
    .action(async (session: string, paths: string[], { output, cache }: Flags) => {
      const { exportSession } = await import('./export.js');
      await exportSession(session, paths, { output, cache }, shell);
    });
}

const help = `
Examples:
  loopfuse export 4555072a -o stuck.jsonl
  loopfuse export rollout.jsonl.gz | gzip > stuck.jsonl.gz

Equal secrets get equal names ([secret-1]), so a loop is still a loop. Names of
people and the contents of code are not masked: read it before you share it.

Exit codes: 0 done, 2 wrong usage or no such session.`;
