import { join } from 'node:path';
import type { PolicyName } from 'loopfuse';
import { hooksFolder } from '../home.js';
import type { Environment } from '../protocol/protocol.js';
import type { AgentName, Scope } from './agents.js';

export interface CommandOptions {
  readonly agent: AgentName;
  readonly scope: Scope;
  readonly policy: PolicyName;
  readonly env: Environment;
  /** The Node that runs it. */
  readonly node: string;
  readonly platform: NodeJS.Platform;
  /** The event, for agents whose payloads do not name it. */
  readonly event?: string;
}

/** Where the user's own copy of the command is: packages get moved and removed, and hooks must still work then. */
export function copyOfHook(env: Environment): string {
  return join(hooksFolder(env), 'hook.cjs');
}

/**
 * The command that the agent runs. For the user it is the copy, at a path that does not change; in a project, which
 * others check out, it is `loopfuse` from the PATH. `|| true`: a missing Node or file must not look like a refusal.
 */
export function commandFor({ agent, scope, policy, env, node, platform, event }: CommandOptions): string {
  const quoted = platform === 'win32' ? (word: string) => `"${word}"` : shellQuoted;
  const program = scope === 'project' ? 'loopfuse hook' : `${quoted(node)} ${quoted(copyOfHook(env))}`;
  const words = [program, agent, ...(event === undefined ? [] : [event])];
  if (policy !== 'unattended') words.push('--policy', policy);
  return `${words.join(' ')}${platform === 'win32' ? '' : ' || true'}`;
}

/** The Node that our command runs; undefined if it is `loopfuse` from the PATH. */
export function nodeIn(command: string): string | undefined {
  const [, single, double, plain] = /^(?:'((?:[^']|'\\'')*)'|"([^"]*)"|(\S+)) /.exec(command) ?? [];
  const node = single?.replaceAll(`'\\''`, "'") ?? double ?? plain;
  return node === 'loopfuse' ? undefined : node;
}

/** Whether a command in a settings file is one that we wrote, now or earlier. */
export function isOurCommand(command: unknown): boolean {
  if (typeof command !== 'string') return false;
  return /(^| )loopfuse hook [a-z]/.test(command) || /[\\/]\.loopfuse[\\/]hooks[\\/]hook\.cjs['"]? [a-z]/.test(command);
}

function shellQuoted(word: string): string {
  return /^[\w/.:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
