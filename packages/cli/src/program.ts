import { Command } from 'commander';
import { addChat } from './commands/chat/index.js';
import { addDemo } from './commands/demo/index.js';
import { addExport } from './commands/export/index.js';
import { addGateway } from './commands/gateway/index.js';
import { addInstall } from './commands/install/index.js';
import { addReplay } from './commands/replay/index.js';
import { addRun } from './commands/run/index.js';
import { addScan } from './commands/scan/index.js';
import { addWatch } from './commands/watch/index.js';
import { addWorker } from './commands/worker/index.js';
import { ownVersion } from './own-version.js';
import type { Shell } from './shell.js';

const helpWidth = 80;

/** The whole command line. Parsing it wrongly throws `CommanderError`, after the message has been written. */
export function createProgram(shell: Shell): Command {
  const { paint } = shell.out;
  const program = new Command('loopfuse')
    .description('A circuit breaker for AI agents: sees when an agent goes round in circles, and breaks the circle.')
    .version(ownVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'explain a command, with examples')
    .helpCommand('help [command]', 'explain a command, with examples')
    .configureHelp({
      styleTitle: (title) => paint(title, 'bold'),
      styleCommandText: (text) => paint(text, 'cyan'),
      styleOptionTerm: (term) => paint(term, 'cyan'),
      styleSubcommandTerm: (term) => paint(term, 'cyan'),
    })
    .configureOutput({
      writeOut: (text) => void shell.out.write(text),
      writeErr: (text) => void shell.err.write(text),
      getOutHelpWidth: () => Math.min(shell.out.columns, helpWidth),
      getErrHelpWidth: () => Math.min(shell.err.columns, helpWidth),
      getOutHasColors: () => shell.out.hasColours,
      getErrHasColors: () => shell.err.hasColours,
      outputError: (message, write) => write(shell.err.paint(message, 'red')),
    })
    .showHelpAfterError(`Run "${shell.command} --help" to see what there is.`)
    .enablePositionalOptions()
    .exitOverride()
    .addHelpText(
      'after',
      `
Examples:
  loopfuse demo                    watch a stuck agent being caught, in ten seconds
  loopfuse run -- claude -p "…"    guard Claude Code, or any other agent
  loopfuse chat                    work with a guarded agent in this folder
  loopfuse scan                    find the loops in the sessions you have
  loopfuse watch                   warn as soon as a running agent loops
  loopfuse install claude-code     guard the agent you have, through its hooks
  loopfuse help scan               everything that scan can do

Exit codes: 0 fine, 1 something broke, 2 wrong usage, 3 a loop was found
(scan --fail-on-loop), 53 the turn limit (chat -p), 86 a loop ended the run
(run, chat -p).
Colours follow NO_COLOR and FORCE_COLOR. LOOPFUSE_DEBUG=1 shows where an error
came from.`,
    );
  addRun(program, shell);
  addGateway(program, shell);
  addScan(program, shell);
  addWatch(program, shell);
  addWorker(program, shell);
  addReplay(program, shell);
  addExport(program, shell);
  addChat(program, shell);
  addDemo(program, shell);
  addInstall(program, shell);
  return program;
}

/** Runs a command line: no command is a call for help, and help on an unknown command is an error like the command itself. */
export async function parse(program: Command, argv: readonly string[]): Promise<void> {
  const [first, second] = argv;
  if (first === undefined) program.outputHelp();
  else if (first === 'help' && second !== undefined && !program.commands.some((one) => one.name() === second))
    await program.parseAsync([second], { from: 'user' });
  else await program.parseAsync(argv, { from: 'user' });
}
