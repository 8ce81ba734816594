import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import {
  type AgentName,
  agents,
  applyInstall,
  applyUninstall,
  type Change,
  diffOf,
  type InstallOptions,
  planInstall,
  planUninstall,
  SettingsProblem,
} from '@loopfuse/hooks';
import type { PolicyName } from 'loopfuse';
import { messageOf } from 'loopfuse/words';
import { exitCode } from '../../exit-code.js';
import type { Shell } from '../../shell.js';
import { UsageError } from '../../usage-error.js';

export interface ChangeFlags {
  /** A folder, or true for this one. */
  readonly project?: string | true;
  readonly policy?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export async function install(names: readonly string[], flags: ChangeFlags, shell: Shell): Promise<void> {
  const policy = flags.policy as PolicyName;
  const changes = planned(names, flags, shell, (options) => planInstall({ ...options, policy }));
  const done = await carryOut(changes, { ...flags, apply: applyInstall, nothing: 'is installed already' }, shell);
  if (!done || flags.json) return;
  for (const name of names as AgentName[]) {
    const { note } = agents[name];
    if (note !== undefined) await shell.out.write(`${note}\n`);
  }
  await shell.out.write(
    `Loops are handled from the next session on. "${shell.command} status" shows what is installed, "${shell.command} uninstall ${names.join(' ')}${flags.project === undefined ? '' : ' --project'}" removes it.\n`,
  );
}

export async function uninstall(names: readonly string[], flags: ChangeFlags, shell: Shell): Promise<void> {
  const changes = planned(names, flags, shell, planUninstall);
  await carryOut(changes, { ...flags, apply: applyUninstall, nothing: 'has no hooks of Loopfuse' }, shell);
}

function planned(
  names: readonly string[],
  { project }: ChangeFlags,
  { env }: Shell,
  plan: (options: InstallOptions) => Change,
): Change[] {
  const scope = project === undefined ? 'user' : 'project';
  const folder = typeof project === 'string' ? project : process.cwd();
  if (!existsSync(folder))
    throw new UsageError(
      `--project: there is no folder ${folder}. Name the agents before --project, the folder after it.`,
    );
  try {
    return [...new Set(names)].map((agent) => plan({ agent: agent as AgentName, scope, env, project: folder }));
  } catch (cause) {
    throw cause instanceof SettingsProblem ? new UsageError(cause.message) : cause;
  }
}

interface CarryOut extends ChangeFlags {
  readonly apply: (change: Change, env: NodeJS.ProcessEnv) => void;
  /** What is said about a file that does not change. */
  readonly nothing: string;
}

/** Shows the changes, asks for approval on a terminal, and makes them. Returns whether they were made. */
async function carryOut(changes: readonly Change[], flags: CarryOut, shell: Shell): Promise<boolean> {
  const { out } = shell;
  const { json = false, dryRun = false, yes = false } = flags;
  if (!json) for (const change of changes) await out.write(shown(change, flags.nothing, shell));
  const asks = changes.some(isReal) && out.isInteractive && shell.streams.stdin.isTTY && !yes && !json && !dryRun;
  if (asks && !(await agreed(shell))) {
    await out.write('Nothing was changed.\n');
    return false;
  }
  let failed = false;
  for (const change of changes) {
    const problem = dryRun ? undefined : problemOf(() => flags.apply(change, shell.env));
    failed ||= problem !== undefined;
    if (json) await out.write(`${JSON.stringify(reportOf(change, dryRun, problem))}\n`);
    else if (problem !== undefined)
      await shell.err.write(
        shell.err.paint(`${shell.err.say(change.file)} could not be written: ${shell.err.say(problem)}\n`, 'red'),
      );
  }
  if (failed) shell.exitCode = exitCode.failed;
  if (dryRun && !json) await out.write('Nothing was changed: this was a dry run.\n');
  return !failed && !dryRun;
}

function problemOf(action: () => void): string | undefined {
  try {
    action();
    return undefined;
  } catch (cause) {
    return messageOf(cause);
  }
}

function isReal({ before, after }: Change): boolean {
  return before !== after;
}

function verbOf({ before, after }: Change): 'create' | 'change' | 'remove' | 'keep' {
  if (before === after) return 'keep';
  return before === null ? 'create' : after === null ? 'remove' : 'change';
}

function reportOf(change: Change, dryRun: boolean, problem: string | undefined) {
  const { agent, scope, file } = change;
  return {
    agent,
    scope,
    file,
    action: verbOf(change),
    done: !dryRun && problem === undefined,
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Lines of a change that are shown. */
const mostLines = 80;

function shown(change: Change, nothing: string, { out }: Shell): string {
  const { agent, scope, file } = change;
  const title = `${agents[agent].title} ${scope === 'user' ? 'for you' : 'in this project'}`;
  const verb = verbOf(change);
  if (verb === 'keep') return `${title}: ${out.say(file)} ${nothing}.\n`;
  const lines = diffOf(change.before, change.after).map(({ type, text }) => {
    const indent = text.length - text.trimStart().length;
    const words = text.slice(indent, 200);
    const line = ' '.repeat(indent) + out.say(text.length > 200 ? `${words}…` : words);
    if (type === 'added') return out.paint(`  + ${line}`, 'green');
    if (type === 'removed') return out.paint(`  - ${line}`, 'red');
    return type === 'gap' ? '    …' : `    ${line}`;
  });
  if (lines.length > mostLines)
    lines.splice(mostLines, lines.length, `    … and ${lines.length - mostLines} more lines`);
  return `${title}: ${verb} ${out.say(file)}\n${lines.join('\n')}\n`;
}

async function agreed({ streams }: Shell): Promise<boolean> {
  const asking = createInterface({ input: streams.stdin, output: streams.stdout });
  try {
    return /^(y|yes)?$/i.test((await asking.question('Write this? [Y/n] ')).trim());
  } catch {
    return false; // Ctrl-C
  } finally {
    asking.close();
  }
}
