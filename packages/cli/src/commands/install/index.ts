import { agentNames } from '@loopfuse/hooks/agents';
import { Argument, type Command, Option } from 'commander';
import { policies, policyNames } from 'loopfuse';
import type { Shell } from '../../shell.js';

interface Flags {
  readonly project?: string | true;
  readonly policy: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `loopfuse install AGENT…` */
export function addInstall(program: Command, shell: Shell): void {
  changing(program.command('install'))
    .description('Lets a coding agent call Loopfuse before and after every tool call. Shows what it changes first.')
    .addArgument(agents())
    .addOption(new Option('--policy <name>', 'what to do about a loop').choices(policyNames).default('unattended'))
    .addHelpText('after', installHelp)
    .showHelpAfterError(`Run "${shell.command} install --help" for usage.`)
    .action(async (names: string[], flags: Flags) => {
      const { install } = await import('./install.js');
      await install(names, flags, shell);
    });
}

/** `loopfuse uninstall AGENT…` */
export function addUninstall(program: Command, shell: Shell): void {
  changing(program.command('uninstall'))
    .description('Removes what "loopfuse install" has added. A file that nobody changed since is as it was before.')
    .addArgument(agents())
    .addHelpText('after', uninstallHelp)
    .showHelpAfterError(`Run "${shell.command} uninstall --help" for usage.`)
    .action(async (names: string[], flags: Flags) => {
      const { uninstall } = await import('./install.js');
      await uninstall(names, flags, shell);
    });
}

/** `loopfuse status` */
export function addStatus(program: Command, shell: Shell): void {
  program
    .command('status')
    .description('Shows where "loopfuse install" has put hooks, for you and in this project, and whether they work.')
    .option('--project [folder]', 'the project (default: this folder)')
    .option('-j, --json', 'one JSON object a line for every agent and scope')
    .addHelpText('after', statusHelp)
    .showHelpAfterError(`Run "${shell.command} status --help" for usage.`)
    .action(async (flags: Flags) => {
      const { status } = await import('./status.js');
      await status(flags, shell);
    });
}

/** `loopfuse hook AGENT` */
export function addHook(program: Command): void {
  program
    .command('hook')
    .description('Reads one hook event of an agent on standard input and answers in its protocol, or not at all.')
    .argument('<agent>', agentNames.filter((name) => name !== 'opencode').join(', '))
    .argument('[event]', 'for copilot, which does not say it: preToolUse, postToolUse, …')
    .option('--policy <name>', 'what to do about a loop', 'unattended')
    .addHelpText('after', hookHelp)
    .action(() => {}); // bin/loopfuse.cjs runs it before any of this is loaded
}

function agents(): Argument {
  return new Argument('<agent...>', 'the coding agents').choices(agentNames);
}

function changing(command: Command): Command {
  return command
    .option('--project [folder]', 'for everybody who works in this project, not for you alone')
    .option('-n, --dry-run', 'only show what would change')
    .option('-y, --yes', 'do not ask')
    .option('-j, --json', 'one JSON object a line for every file');
}

const names = policyNames.map((name) => `  ${name.padEnd(12)} ${policies[name].description}`).join('\n');

const installHelp = `
Policies:
${names}

Examples:
  loopfuse install claude-code          for you, in every project
  loopfuse install codex gemini-cli     several at once
  loopfuse install qwen-code --project  for this project
  loopfuse install copilot --dry-run    look first

On a terminal you are asked before anything is written. The rest of a settings
file is not changed, including comments. In a project the hook is "loopfuse
hook", so everybody who works there needs loopfuse on the PATH; without it the
agent works unguarded. The guide says for each agent what happens on a loop.

Exit codes: 0 done, 1 a file could not be written, 2 wrong usage or a settings
file that cannot be read.`;

const uninstallHelp = `
Examples:
  loopfuse uninstall claude-code
  loopfuse uninstall codex --project

Exit codes: 0 done or nothing to do, 1 a file could not be written, 2 wrong
usage or a settings file that cannot be read.`;

const statusHelp = `
Examples:
  loopfuse status
  loopfuse status --json

Exit codes: 0 fine, 1 something that is installed does not work.`;

const hookHelp = `
Examples:
  loopfuse hook claude-code < event.json

Always ends with 0. Faults and what was done about loops are written to
~/.loopfuse/hooks/hook.log. LOOPFUSE_HOOK=off turns it off.`;
