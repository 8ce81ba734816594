import { lstat, readdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { readText } from './read-text.js';
import type { Workspace } from './workspace.js';

/** Never searched, whatever the ignore files say. */
const neverWalked = new Set(['.git', 'node_modules']);
const maxEntries = 100_000;

export interface WalkOptions {
  readonly signal: AbortSignal;
  /** Whether files that `.gitignore` files name are left out. */
  readonly ignored?: 'skip' | 'show';
}

/**
 * The files under a folder of the workspace, in the order of their names, as paths of the form of `Workspace.locate`.
 * Links are not followed, so a walk stays inside and ends. Stops after 100,000 entries.
 */
export async function* walk(
  workspace: Workspace,
  folder: string,
  { signal, ignored = 'skip' }: WalkOptions,
): AsyncGenerator<string, void> {
  const rules = ignored === 'skip' ? await rulesAbove(workspace, folder) : [];
  let left = maxEntries;

  async function* visit(at: string, above: readonly Rules[]): AsyncGenerator<string, void> {
    signal.throwIfAborted();
    const here = ignored === 'skip' ? await rulesIn(at) : undefined;
    const all = here === undefined ? above : [...above, here];
    for (const entry of await entriesOf(at)) {
      if (left-- <= 0) return;
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        if (!neverWalked.has(entry.name) && !isIgnored(all, path, true)) yield* visit(path, all);
      } else if (entry.isFile() && !isIgnored(all, path, false)) yield path;
    }
  }

  const start = await lstat(folder).catch(() => undefined);
  if (start?.isFile()) yield folder;
  else if (start?.isDirectory()) yield* visit(folder, rules);
}

/** The rules of one ignore file, for paths under its folder. */
interface Rules {
  readonly folder: string;
  readonly test: Ignore;
}

async function rulesIn(folder: string): Promise<Rules | undefined> {
  const found = await readText(join(folder, '.gitignore'));
  return found.type === 'text' ? { folder, test: ignore().add(found.text) } : undefined;
}

async function rulesAbove({ root }: Workspace, folder: string): Promise<readonly Rules[]> {
  const found: Rules[] = [];
  for (let at = folder; at !== root; ) {
    at = dirname(at);
    const rules = await rulesIn(at);
    if (rules) found.unshift(rules);
  }
  return found;
}

/** The rule closest to the path has precedence, as in git. */
function isIgnored(all: readonly Rules[], path: string, isFolder: boolean): boolean {
  let verdict = false;
  for (const { folder, test } of all) {
    const way = path
      .slice(folder.length + 1)
      .split(sep)
      .join('/');
    const { ignored, unignored } = test.test(isFolder ? `${way}/` : way);
    if (ignored || unignored) verdict = ignored;
  }
  return verdict;
}

async function entriesOf(folder: string) {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  } catch {
    return []; // removed since, or not readable
  }
}
