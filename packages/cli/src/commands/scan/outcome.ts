import { counted, grouped } from 'loopfuse/words';
import { exitCode } from '../../exit-code.js';
import { agentNames } from '../../recorded/agent-logs.js';
import { unreadInWords } from './gaps.js';
import type { Gathered } from './gathered.js';

/** The outcome of a scan, final or so far. */
export interface Outcome {
  readonly loops: number;
  readonly failOnLoop: boolean;
  readonly isInterrupted?: boolean;
  /** Why the request could not be fulfilled. */
  readonly problem?: string | undefined;
  /** An output that was asked for could not be written. */
  readonly isUnwritten?: boolean;
}

/** The exit code of a scan. If several apply, the first of these. */
export function exitCodeOf({ loops, failOnLoop, isInterrupted, problem, isUnwritten }: Outcome): number {
  if (isInterrupted) return exitCode.interrupted;
  if (problem !== undefined) return exitCode.usage;
  if (failOnLoop && loops > 0) return exitCode.looping;
  return isUnwritten ? exitCode.failed : exitCode.fine;
}

export interface Asked {
  readonly agents?: readonly string[] | undefined;
  readonly failOnLoop: boolean;
  readonly env: NodeJS.ProcessEnv;
  /** Files that were found, of which those that are too old are not read. */
  readonly found: number;
}

/** Why the request could not be fulfilled, so that "no loops" would be a wrong answer. */
export function problemOf(gathered: Gathered, { agents = [], failOnLoop, env, found }: Asked): string | undefined {
  const { reports, loops, agents: seen, withoutSession, unread, files } = gathered;
  const strangers = agents.filter((agent) => !seen.has(agent) && !agentNames(env).includes(agent));
  if (strangers.length > 0 && reports.size === 0)
    return `--agent: there is no session of ${strangers.join(', ')}. There are sessions of ${[...seen].sort().join(', ') || 'nobody'}.`;
  if (!failOnLoop || loops > 0) return undefined;
  if (withoutSession.length > 0)
    return `--fail-on-loop: ${counted(withoutSession.length, 'file')} contained no readable session: ${firstOf(withoutSession)}`;
  if (unread.length > 0)
    return `--fail-on-loop: ${unreadInWords(unread)}, so there may be more loops: ${firstOf(unread.map(({ file }) => file))}`;
  if (seen.size === 0 && (files.all > 0 || found === 0)) return '--fail-on-loop: there was no session to look at.';
  return undefined;
}

function firstOf(files: readonly string[]): string {
  const most = 3;
  return `${files.slice(0, most).join(', ')}${files.length > most ? ` and ${grouped(files.length - most)} more` : ''}`;
}
