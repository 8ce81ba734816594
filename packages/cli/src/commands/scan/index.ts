import { type Command, InvalidArgumentError, Option } from 'commander';
import { presets } from '../../presets.js';
import type { Shell } from '../../shell.js';
import { parseSince } from './since.js';

interface Flags {
  readonly preset: string;
  readonly json?: boolean;
  readonly suspects?: boolean;
  readonly failOnLoop?: boolean;
  readonly since?: number;
  readonly agent?: readonly string[];
  readonly minWaste?: number;
  readonly prices?: string;
  readonly html?: string;
  readonly cache: boolean;
  readonly workers?: number;
  readonly queue?: string;
  readonly all?: boolean;
  readonly sarif?: string;
  readonly summary?: string;
  readonly pager: boolean;
}

interface ShowFlags {
  readonly around: number;
  readonly all?: boolean;
  readonly pager: boolean;
}

/** `loopfuse scan [PATH…]` and `loopfuse scan show SESSION` */
export function addScan(program: Command, shell: Shell): void {
  const names = presets.map(({ name }) => name);
  const command = program
    .command('scan')
    .description(
      'Reads recorded agent sessions and shows which of them loop: where, how often, and what it cost. Without a path it finds the logs of the agents on this machine.',
    )
    .usage('[options] [path...]')
    .argument(
      '[path...]',
      'session logs or folders of them, packed (gzip, zstd) or not; the format is recognised by content',
    )
    .addOption(new Option('-p, --preset <name>', 'which detectors to use').choices(names).default(names[0]))
    .option('-s, --suspects', 'show suspicions too, marked with a question mark')
    .option('-a, --all', 'list all loops, not only the 20 costliest')
    .option('-j, --json', 'one JSON object a line for every session, also for those without loops')
    .option('--html <file>', 'also write a report: one HTML file with a picture of every loop')
    .option('--sarif <file>', 'write the loops as SARIF, which code hosts show as annotations')
    .option('--summary <file>', 'add a table in Markdown to a file, such as $GITHUB_STEP_SUMMARY')
    .option('-f, --fail-on-loop', 'exit code 3 if something loops, for scripts and CI')
    .option('--since <when>', 'only sessions active since: 12h, 7d, 2026-01-31', (text) => parseSince(text))
    .option('--agent <name>', 'only sessions of this agent, such as claude-code; repeatable', gather)
    .option('--min-waste <calls>', 'only sessions that wasted at least this many calls', parseCount)
    .option('--prices <file>', 'a JSON file of model prices; they override the built-in ones')
    .option('--workers <count>', 'reader threads (default: as many as are useful)', parseCount)
    .option('--queue <address>', 'let workers on other machines read: redis://HOST:PORT')
    .option('--no-cache', 'read everything again')
    .option('--no-pager', 'print a long report at once, also on a terminal')
    .addHelpText('after', help())
    .showHelpAfterError(`Run "${shell.command} scan --help" for usage.`)
    .action(async (paths: string[], flags: Flags) => {
      const { scan } = await import('./scan.js');
      const {
        json = false,
        suspects = false,
        failOnLoop = false,
        since,
        agent,
        minWaste,
        prices,
        html,
        cache,
        workers,
        queue,
        all = false,
        sarif,
        summary,
      } = flags;
      const commands = new Set(program.commands.map((one) => one.name()));
      const preset = presets.find(({ name }) => name === flags.preset)!;
      const options = {
        ...{ preset, json, suspects, failOnLoop, since, agents: agent, minWaste, prices, html },
        ...{ cache, workers, queue, all, commands, sarif, summary },
      };
      if (json || !flags.pager) return scan(paths, options, shell);
      const { paged } = await import('../../terminal/pager.js');
      await paged(shell, (inner) => scan(paths, options, inner));
    });
  command
    .command('show')
    .summary('the timeline around the loops of one session')
    .description('Prints what happened around the loops of one session, with the evidence marked.')
    .argument('<session>', "the session's id, the beginning of it, or its file")
    .argument('[path...]', 'where to look for it (default: the logs of the agents on this machine)')
    .option('--around <events>', 'events to show before and after', parseCount, 6)
    .option('--all', 'the whole session')
    .option('--no-pager', 'print it at once, also on a terminal')
    .addHelpText('after', showHelp)
    .showHelpAfterError(`Run "${shell.command} scan show --help" for usage.`)
    .action(async (session: string, paths: string[], own: ShowFlags) => {
      const { show } = await import('./show.js');
      const flags = command.opts<Flags>(); // those before the word "show"
      const preset = presets.find(({ name }) => name === flags.preset)!;
      const { around, all = flags.all ?? false } = own;
      const options = { preset, around, all, cache: flags.cache, prices: flags.prices };
      if (!flags.pager || !own.pager) return show(session, paths, options, shell);
      const { paged } = await import('../../terminal/pager.js');
      await paged(shell, (inner) => show(session, paths, options, inner));
    });
}

/** For options that can be given more than once. */
export function gather(value: string, gathered: readonly string[] = []): readonly string[] {
  return [...gathered, value];
}

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number, for example 3.');
  return Number(text);
}

function help(): string {
  const longest = Math.max(...presets.map(({ name }) => name.length));
  return `
Presets:
${presets.map(({ name, about }) => `  ${name.padEnd(longest)}  ${about}`).join('\n')}

Examples:
  loopfuse scan                            all agents on this machine
  loopfuse scan --since 7d --agent codex   one of them, the last week
  loopfuse scan sessions/ old.jsonl.gz     folders, with everything in them
  loopfuse scan -s ~/.claude/projects      suspicions as well
  loopfuse scan show 4555072a              what happened in a session
  loopfuse scan --html report.html         a report for the browser
  loopfuse scan -f run.jsonl               a gate for CI
  loopfuse scan --json sessions/ | jq -r \\
    'select(any(.findings[]; .status == "looping")) | .session'

How to read it: CALLS, TOKENS, COST and TIME are what the agent used between the
first repeat and the last time the loop was seen, the costliest loop first. Cost
is what the log itself says, or computed with list prices; it is unknown if the
model has no price.
A column without any known value is left out.
What cannot be read is reported on standard error, with file and line, and the
rest is still read. Files that could not be read, or only in part, are named in
every report: packed files and documents that are cut, and lines of more than
64 MB, which are skipped. Broken lines are skipped, too, but do not count.
Folders named node_modules and .git are skipped, and links inside folders.
Results are cached in ~/.cache/loopfuse.
On a terminal, a report that does not fit is shown in a pager: LOOPFUSE_PAGER,
PAGER or less; never in pipes or CI.

The report of --html needs no network and holds excerpts of the sessions, in
which keys, e-mail addresses and home folders are masked. Names of people and
the contents of code are not: read it before you share it.

With --queue the names of the files are put on a queue in Redis. Machines that
run "loopfuse worker" with the same archive read them, and the results appear
in this table, the lines of --json and the report of --html. If a worker is
killed, nothing is lost. Files that no worker can read are read here.

Exit codes: 0 done, 1 a file could not be written (--html, --sarif, --summary),
2 wrong usage, no such path or agent, or with --fail-on-loop something that
could not be read and no loop in the rest, 3 something loops (--fail-on-loop),
130 interrupted by Ctrl-C.`;
}

const showHelp = `
Examples:
  loopfuse scan show 4555072a              a session of an agent on this machine
  loopfuse scan show lost-in-grep runs/    one in a folder
  loopfuse scan show run.jsonl --all       the only one in a file`;
