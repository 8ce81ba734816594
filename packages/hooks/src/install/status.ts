import { existsSync, realpathSync } from 'node:fs';
import { messageOf } from 'loopfuse/words';
import { type AgentName, agentNames, agents, type Scope } from './agents.js';
import { nodeIn } from './command.js';
import { copyOf, fileOf, type InstallOptions, isOurFile, planInstall, textOf } from './plan.js';
import { ourCommands, settingsProblem } from './settings-text.js';

export interface Status {
  readonly agent: AgentName;
  readonly scope: Scope;
  readonly file: string;
  readonly state: 'installed' | 'outdated' | 'absent' | 'unreadable';
  /** The policy that it was installed with. */
  readonly policy?: string;
  /** Why it does not work, or what to do. */
  readonly problem?: string;
}

/** What is installed for every agent, for the user and in the project. Changes nothing and never throws. */
export function statusOf(options: Omit<InstallOptions, 'agent' | 'scope'>): readonly Status[] {
  return agentNames.flatMap((agent) =>
    (['user', 'project'] as const).map((scope) => statusOfOne({ ...options, agent, scope })),
  );
}

function statusOfOne(options: InstallOptions): Status {
  const { agent, scope } = options;
  const file = fileOf(options);
  const about = { agent, scope, file };
  try {
    const text = textOf(file);
    // In the home folder the project's file is the user's file: what is there is installed for the user.
    if (text === null || (scope === 'project' && isSameFile(file, fileOf({ ...options, scope: 'user' }))))
      return { ...about, state: 'absent' };
    const isSettings = agents[agent].place.type === 'settings';
    const problem = isSettings ? settingsProblem(text) : undefined;
    if (problem !== undefined) return { ...about, state: 'unreadable', problem };
    const commands = isSettings ? ourCommands(text) : [];
    if (isSettings ? commands.length === 0 : !isOurFile(text)) return { ...about, state: 'absent' };
    const policy = policyIn(isSettings ? commands.join('\n') : text);
    // It does not matter which Node it was installed with, as long as that one still exists.
    const node = nodeIn(isSettings ? commands[0]! : commandOfCopilot(text));
    const wanted = planInstall({ ...options, policy: policy as never, ...(node === undefined ? {} : { node }) });
    const trouble = scope === 'user' && agent !== 'opencode' ? troubleWithCommand(options, node) : undefined;
    const state = wanted.after === text && trouble === undefined ? 'installed' : 'outdated';
    const advice = state === 'installed' ? undefined : (trouble ?? 'it is of another version; install it again');
    return { ...about, state, policy, ...(advice === undefined ? {} : { problem: advice }) };
  } catch (cause) {
    return { ...about, state: 'unreadable', problem: messageOf(cause) };
  }
}

function isSameFile(one: string, other: string): boolean {
  return existsSync(other) && realpathSync(one) === realpathSync(other);
}

/** The first command in a file of our own; empty if that is a plugin. */
function commandOfCopilot(text: string): string {
  const [, literal = '""'] = /"bash": ("(?:[^"\\]|\\.)*")/.exec(text) ?? [];
  return JSON.parse(literal) as string;
}

function policyIn(text: string): string {
  return /--policy ([a-z]+)/.exec(text)?.[1] ?? /LOOPFUSE_POLICY = "([a-z]+)"/.exec(text)?.[1] ?? 'unattended';
}

function troubleWithCommand({ env }: InstallOptions, node: string | undefined): string | undefined {
  const { file, wanted, found } = copyOf(env);
  if (found === null) return `${file} is missing; install it again`;
  if (found !== wanted) return `${file} is of another version; install it again`;
  return node === undefined || existsSync(node) ? undefined : `${node} is missing; install it again`;
}
