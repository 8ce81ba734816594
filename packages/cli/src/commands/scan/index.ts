import { type Command, Option } from 'commander';
import { presets } from '../../presets.js';
import type { Shell } from '../../shell.js';

interface Flags {
  readonly preset: string;
  readonly json?: boolean;
  readonly suspects?: boolean;
  readonly failOnLoop?: boolean;
}

/** `loopfuse scan PATH…` */
export function addScan(program: Command, shell: Shell): void {
  const names = presets.map(({ name }) => name);
  program
    .command('scan')
    .summary('find the loops in recorded sessions')
    .description(
      'Reads recorded agent sessions and tells which of them went round in circles: where, how often, and what it cost.',
    )
    .usage('[options] <path...>')
    .argument('<path...>', 'session logs or folders of them, gzipped or not; the format is told by content')
    .addOption(new Option('-p, --preset <name>', 'what to look with').choices(names).default(names[0]))
    .option('-s, --suspects', 'show suspicions too, marked with a question mark')
    .option('-j, --json', 'one JSON object a line for every session, clean ones too')
    .option('-f, --fail-on-loop', 'end with exit code 3 when something loops, for scripts and CI')
    .addHelpText('after', help())
    .showHelpAfterError(`Run "${shell.command} scan --help" to see how it is used.`)
    .action(async (paths: string[], { preset: chosen, json = false, suspects = false, failOnLoop = false }: Flags) => {
      const { scan } = await import('./scan.js');
      const preset = presets.find(({ name }) => name === chosen)!;
      await scan(paths, { preset, json, suspects, failOnLoop }, shell);
    });
}

function help(): string {
  const longest = Math.max(...presets.map(({ name }) => name.length));
  return `
Presets:
${presets.map(({ name, about }) => `  ${name.padEnd(longest)}  ${about}`).join('\n')}

Examples:
  loopfuse scan run.jsonl                  one recording
  loopfuse scan sessions/ old.jsonl.gz     folders, with all that is in them
  loopfuse scan -s ~/.claude/projects      suspicions as well
  loopfuse scan -f run.jsonl               a gate for CI
  loopfuse scan --json sessions/ | jq -r \\
    'select(any(.findings[]; .status == "looping")) | .session'

How to read it: EVENTS are the first and the last event of the loop, counted
from 0; SPENT and TOKENS are what the agent used between them. What cannot be
read is told on standard error, with file and line, and the rest is still read.
Folders named node_modules and .git are passed over, and links inside folders.

Exit codes: 0 done, 2 wrong usage or no such path, 3 something loops
(--fail-on-loop), 130 interrupted by Ctrl-C.`;
}
