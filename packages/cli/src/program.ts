import { Command } from 'commander';
import { commands } from './commands/index.js';
import { ownVersion } from './own-version.js';
import type { Shell } from './shell.js';

const helpWidth = 80;

/**
 * Runs a command line. Without a command it prints the help; help on an unknown command is an error like that command.
 * Wrong usage throws `CommanderError`, after the message has been written.
 */
export async function runProgram(argv: readonly string[], shell: Shell): Promise<void> {
  const [first, second] = argv;
  const named = first === 'help' ? second : first;
  const program = await programWith(named, shell);
  if (first === undefined) program.outputHelp();
  else if (first === 'help' && named !== undefined && !commands.some(({ name }) => name === named))
    await program.parseAsync([named], { from: 'user' });
  else await program.parseAsync(argv, { from: 'user' });
}

/** The program with one command loaded, and the others with only their line in the help. */
async function programWith(named: string | undefined, shell: Shell): Promise<Command> {
  const program = emptyProgram(shell);
  for (const { name, takes = '', summary, load } of commands)
    if (name === named) (await load())(program, shell);
    else program.command(`${name} ${takes}`).summary(summary);
  return program;
}

function emptyProgram(shell: Shell): Command {
  const { paint } = shell.out;
  return new Command('loopfuse')
    .description('A circuit breaker for AI agents: sees when an agent goes round in circles, and breaks the circle.')
    .version(ownVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'explain a command, with examples')
    .helpCommand('help [command]', 'explain a command, with examples')
    .configureHelp({
      subcommandTerm: (command) => `${command.name()} ${command.usage().replace('[options]', '').trim()}`.trim(),
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
    .showHelpAfterError(`Run "${shell.command} --help" for the list of commands.`)
    .enablePositionalOptions()
    .exitOverride()
    .addHelpText(
      'after',
      `
Examples:
  loopfuse demo                    watch a stuck agent being caught
  loopfuse run -- claude -p "…"    guard Claude Code, or any other agent
  loopfuse chat                    work with a guarded agent in this folder
  loopfuse scan                    find the loops in the sessions you have
  loopfuse watch                   warn as soon as a running agent loops
  loopfuse install claude-code     guard the agent you have, through its hooks
  loopfuse help scan               everything that scan can do

Exit codes: 0 success, 1 an error, 2 wrong usage, 3 a loop was found
(scan --fail-on-loop), 4 the request is not done (chat -p), 53 the turn limit
(chat -p), 86 a loop ended the run (run, chat -p), 130 interrupted by Ctrl-C.
Colours depend on NO_COLOR and FORCE_COLOR. LOOPFUSE_DEBUG=1 shows the stack
trace of an error.`,
    );
}
