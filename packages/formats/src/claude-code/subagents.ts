import { closeSync, type Dirent, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The most files that are read for a session. */
const mostFiles = 10_000;
const isAgentLog = /^agent-.+\.jsonl$/;

/**
 * The logs of a session's sub-agents, in the order of their names: `<session>/subagents/…/agent-*.jsonl` in the folder
 * of `<session>.jsonl`, and, from older versions, `agent-*.jsonl` in that folder whose lines have the session's id.
 * Their lines have the sub-agent's id too, so they can be read after the session's own log.
 */
export function subagentLogsOf(file: string): readonly string[] {
  const name = basename(file);
  if (!name.endsWith('.jsonl') || isAgentLog.test(name)) return [];
  const session = name.slice(0, -'.jsonl'.length);
  const found = [...(agentLogsIn(dirname(file)).get(session) ?? [])];
  walk(join(dirname(file), session, 'subagents'), found);
  return found;
}

/** The log of the session whose sub-agent wrote this file; undefined if it is not a sub-agent's log. */
export function sessionLogOf(file: string): string | undefined {
  const path = file.replaceAll('\\', '/');
  if (!isAgentLog.test(basename(path))) return undefined;
  const at = path.lastIndexOf('/subagents/');
  if (at > 0) return `${file.slice(0, at)}.jsonl`;
  const session = sessionIn(file);
  return session === undefined ? undefined : join(dirname(file), `${session}.jsonl`);
}

interface Folder {
  readonly changedAt: number;
  readonly bySession: ReadonlyMap<string, readonly string[]>;
}

/** The results for the folders that were listed last: a folder has the logs of many sessions. */
const folders = new Map<string, Folder>();
const mostFolders = 64;
/** Milliseconds. File systems have coarse clocks: a folder that changed more recently may have changed twice. */
const coarsest = 2000;
const noLogs: ReadonlyMap<string, readonly string[]> = new Map();

/** The logs of sub-agents that are in the same folder as the logs of their sessions, by session. */
function agentLogsIn(folder: string): ReadonlyMap<string, readonly string[]> {
  try {
    const changedAt = statSync(folder).mtimeMs;
    const known = folders.get(folder);
    if (known?.changedAt === changedAt && Date.now() - changedAt > coarsest) return known.bySession;
    const bySession = new Map<string, string[]>();
    const names = readdirSync(folder).filter((name) => isAgentLog.test(name));
    for (const name of names.sort().slice(0, mostFiles)) {
      const path = join(folder, name);
      const session = sessionIn(path);
      if (session === undefined) continue;
      const others = bySession.get(session);
      if (others === undefined) bySession.set(session, [path]);
      else others.push(path);
    }
    folders.delete(folder);
    folders.set(folder, { changedAt, bySession });
    if (folders.size > mostFolders) folders.delete(folders.keys().next().value!);
    return bySession;
  } catch {
    return noLogs; // it may have been deleted, or may not be readable
  }
}

/** Ids are at the beginning of a line, before the message. */
const headBytes = 4096;

/** The session's id in the first line of a sub-agent's log; undefined if it is not such a log. */
function sessionIn(file: string): string | undefined {
  const head = Buffer.alloc(headBytes);
  let count = 0;
  try {
    const descriptor = openSync(file, 'r');
    try {
      count = readSync(descriptor, head, 0, headBytes, 0);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
  const text = head.toString('utf8', 0, count);
  if (!/"isSidechain"\s?:\s?true/.test(text)) return undefined;
  return /"sessionId"\s?:\s?"([\w-]{1,128})"/.exec(text)?.[1];
}

function walk(folder: string, found: string[]): void {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return; // most sessions have no such folder
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) walk(path, found);
    else if (entry.isFile() && isAgentLog.test(entry.name) && found.length < mostFiles) found.push(path);
  }
}
