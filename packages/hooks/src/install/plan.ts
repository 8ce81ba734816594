import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PolicyName } from 'loopfuse';
import { hookBundle, opencodeBundle } from '../bundle-path.js';
import type { Environment } from '../protocol/protocol.js';
import { type AgentName, agents, type InstallableAgent, type Scope } from './agents.js';
import { commandFor, copyOfHook } from './command.js';
import { readLedger } from './ledger.js';
import { SettingsProblem, settingsProblem, withHooks, withoutHooks } from './settings-text.js';

export interface InstallOptions {
  readonly agent: AgentName;
  readonly scope: Scope;
  readonly env: Environment;
  /** The project's folder. */
  readonly project: string;
  readonly policy?: PolicyName;
  readonly node?: string;
  readonly platform?: NodeJS.Platform;
}

/** The planned change of one file. Null means no file. */
export interface Change {
  readonly agent: AgentName;
  readonly scope: Scope;
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
}

export function fileOf({ agent, scope, env, project }: InstallOptions): string {
  return scope === 'user' ? agents[agent].userFile(env) : join(resolve(project), agents[agent].projectFile);
}

/** What installing would change. Throws `SettingsProblem` if nothing can be added to the file. Changes nothing. */
export function planInstall(options: InstallOptions): Change {
  const { agent, scope } = options;
  const file = fileOf(options);
  const before = textOf(file);
  return { agent, scope, file, before, after: installed(agents[agent], before, file, options) };
}

/** What uninstalling would change: the exact text before, if the file was not changed since; else without our part. */
export function planUninstall(options: InstallOptions): Change {
  const { agent, scope, env } = options;
  const file = fileOf(options);
  const before = textOf(file);
  const change = (after: string | null): Change => ({ agent, scope, file, before, after });
  if (before === null) return change(null);
  const entry = readLedger(env).find((one) => one.file === file);
  if (entry !== undefined && entry.after === before) return change(entry.before);
  if (agents[agent].place.type !== 'settings') return change(isOurFile(before) ? null : before);
  requireSettings(before, file);
  const after = withoutHooks(before);
  return change(entry?.before === null && isEmptyObject(after) ? null : after);
}

function installed(
  { name: agent, place }: InstallableAgent,
  before: string | null,
  file: string,
  { scope, env, policy = 'unattended', node = process.execPath, platform = process.platform }: InstallOptions,
): string {
  const command = { agent, scope, policy, env, node, platform };
  switch (place.type) {
    case 'settings': {
      const text = before === null || before.trim() === '' ? '{}\n' : before;
      requireSettings(text, file);
      return withHooks(text, place, commandFor(command));
    }
    case 'copilot': {
      requireOurs(before, file);
      const hooks = place.events.map((event) => {
        const line = commandFor({ ...command, event });
        return [
          event,
          [
            {
              type: 'command',
              bash: line,
              powershell: inPowerShell(commandFor({ ...command, event, platform: 'win32' })),
              timeoutSec: 10,
            },
          ],
        ];
      });
      return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) }, undefined, 2)}\n`;
    }
    case 'plugin':
      requireOurs(before, file);
      return pluginText(policy);
  }
}

/** PowerShell takes a line that begins with a quoted word for a string, unless `&` calls it as a command. */
function inPowerShell(command: string): string {
  return command.startsWith('"') ? `& ${command}` : command;
}

const header = '// Written by "loopfuse install opencode"; "loopfuse uninstall opencode" removes it.';

/** The plugin as one file that needs no other file. */
function pluginText(policy: PolicyName): string {
  return `${header}\nconst LOOPFUSE_POLICY = ${JSON.stringify(policy)};\n${readFileSync(opencodeBundle, 'utf8')}`;
}

/** The command that user-wide hooks run, as it should be and as it is. */
export function copyOf(env: Environment): {
  readonly file: string;
  readonly wanted: string;
  readonly found: string | null;
} {
  const file = copyOfHook(env);
  return { file, wanted: readFileSync(hookBundle, 'utf8'), found: textOf(file) };
}

export function isOurFile(text: string): boolean {
  return text.startsWith('// Written by "loopfuse install') || text.split('\n').some(isOurLine);
}

function isOurLine(line: string): boolean {
  const at = line.indexOf('"bash": "');
  return at >= 0 && /(?:loopfuse hook|hook\.cjs'?) copilot /.test(line.slice(at));
}

function requireOurs(before: string | null, file: string): void {
  if (before !== null && !isOurFile(before))
    throw new SettingsProblem(
      `${file} is there already and is not ours. Move it away and try again; nothing was changed.`,
    );
}

function requireSettings(text: string, file: string): void {
  const problem = settingsProblem(text);
  if (problem !== undefined)
    throw new SettingsProblem(`${file}, ${problem}. Put the file right and try again; nothing was changed.`);
}

function isEmptyObject(text: string): boolean {
  return /^\s*\{\s*\}\s*$/.test(text);
}

export function textOf(file: string): string | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new SettingsProblem(`${file} cannot be read: ${message}. Nothing was changed.`);
  }
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) throw new SettingsProblem(`${file} is not UTF-8 text. Nothing was changed.`);
  return text;
}
