import { type Dirent, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** More files than this belong to no session. */
const mostFiles = 10_000;

/**
 * The logs of a session's sub-agents, `<session>/subagents/…/agent-*.jsonl` beside `<session>.jsonl`, in the order of
 * their names. Their lines name the session and the sub-agent, so they read on where the session's own log ends.
 */
export function subagentLogsOf(file: string): readonly string[] {
  if (!file.endsWith('.jsonl')) return [];
  const found: string[] = [];
  walk(join(file.slice(0, -'.jsonl'.length), 'subagents'), found);
  return found;
}

/** The log of the session whose sub-agent wrote this one; undefined where the file is none of a sub-agent. */
export function sessionLogOf(file: string): string | undefined {
  const path = file.replaceAll('\\', '/');
  const at = path.lastIndexOf('/subagents/');
  if (at < 1 || !/^agent-.+\.jsonl$/.test(basename(path))) return undefined;
  return `${file.slice(0, at)}.jsonl`;
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
    else if (entry.isFile() && /^agent-.+\.jsonl$/.test(entry.name) && found.length < mostFiles) found.push(path);
  }
}
