import { counted, short } from 'loopfuse/words';
import type { Terminal } from '../terminal/terminal.js';
import { pad } from '../terminal/width.js';
import { UsageError } from '../usage-error.js';
import { agentLogs, agentNames } from './agent-logs.js';
import { type FoundFiles, findFiles } from './find-files.js';

/** The files to read: those under the paths, or without paths the logs of every known agent on this machine. */
export interface LogsToRead extends FoundFiles {
  /** The files found for each agent; empty if paths were given. */
  readonly agents: readonly { readonly agent: string; readonly files: number; readonly bytes: number }[];
}

export interface LogsOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Only those of these agents; undefined for all. */
  readonly agents?: readonly string[] | undefined;
}

/** Throws `UsageError` for a path that cannot be read at all, and without paths for an unknown agent. */
export async function logsToRead(paths: readonly string[], { env, agents }: LogsOptions): Promise<LogsToRead> {
  if (paths.length > 0) return { ...(await findFiles(paths)), agents: [] };
  const known = agentNames(env);
  for (const agent of agents ?? [])
    if (!known.includes(agent))
      throw new UsageError(
        `--agent: unknown agent ${JSON.stringify(agent)}. Known agents: ${known.join(', ')}. For another agent, give the path of its logs.`,
      );
  const places = agentLogs(env, process.cwd()).filter(({ agent }) => agents === undefined || agents.includes(agent));
  const found = await Promise.all(places.map(async ({ agent, paths }) => ({ agent, ...(await findFiles(paths)) })));
  return {
    files: found.flatMap(({ files }) => files.map((file) => ({ ...file, named: false }))),
    faults: found.flatMap(({ faults }) => faults),
    agents: found
      .filter(({ files }) => files.length > 0)
      .map(({ agent, files }) => ({
        agent,
        files: files.length,
        bytes: files.reduce((sum, { stats }) => sum + stats.size, 0),
      })),
  };
}

/** The files that were found, one line for each agent. */
export function foundLines(agents: LogsToRead['agents'], err: Terminal): string {
  if (agents.length === 0) return '';
  const longest = Math.max(...agents.map(({ agent }) => agent.length));
  const lines = agents.map(
    ({ agent, files, bytes }) => `  ${pad(agent, longest)}  ${counted(files, 'file')}, ${short(bytes)}B`,
  );
  return `${err.paint('Found on this machine:', 'dim')}\n${lines.join('\n')}\n`;
}
