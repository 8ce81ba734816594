import { rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { hooksFolder } from '../home.js';
import type { Environment } from '../protocol/protocol.js';
import { copyOfHook } from './command.js';
import { type Entry, readLedger, writeLedger } from './ledger.js';
import { type Change, copyOf } from './plan.js';
import { withoutHooks } from './settings-text.js';
import { writeWhole } from './write-whole.js';

/**
 * Writes what was planned, and records how to undo it. The command itself is written first and removed last, so that no
 * agent is ever set up to run a missing file. Throws the errors of the disk; files are replaced completely or not at
 * all.
 */
export function applyInstall(change: Change, env: Environment): void {
  if (change.after === null) throw new TypeError('applyInstall: the change installs nothing');
  if (change.scope === 'user') refreshCopy(env);
  const ledger = readLedger(env);
  const known = ledger.find(({ file }) => file === change.file);
  if (change.before === change.after && known !== undefined) return;
  const made = change.before === change.after ? [] : writeWhole(change.file, change.after);
  const entry: Entry = {
    agent: change.agent,
    scope: change.scope,
    file: change.file,
    before: originalOf(change, known),
    after: change.after,
    folders: made.length > 0 ? made : (known?.folders ?? []),
  };
  writeLedger(env, [...ledger.filter(({ file }) => file !== change.file), entry]);
}

export function applyUninstall(change: Change, env: Environment): void {
  const ledger = readLedger(env);
  const entry = ledger.find(({ file }) => file === change.file);
  if (change.after === null) rmSync(change.file, { force: true });
  else if (change.after !== change.before) writeWhole(change.file, change.after);
  if (change.after === null) for (const folder of entry?.folders ?? []) removeEmpty(folder);
  const rest = ledger.filter(({ file }) => file !== change.file);
  writeLedger(env, rest);
  if (!rest.some(({ scope }) => scope === 'user')) removeOwn(env);
}

/** Updates the user's copy of the command to this version. */
function refreshCopy(env: Environment): void {
  const { file, wanted, found } = copyOf(env);
  if (found !== wanted) writeWhole(file, wanted);
}

/** The text before our first change: from the ledger or, if the file was changed since, the text without our hooks. */
function originalOf({ before }: Change, known: Entry | undefined): string | null {
  if (before === null) return null;
  if (known !== undefined && known.after === before) return known.before;
  try {
    return withoutHooks(before);
  } catch {
    return before;
  }
}

function removeOwn(env: Environment): void {
  rmSync(copyOfHook(env), { force: true });
  for (const name of ['cache', 'sessions', 'hook.log', 'hook.log.1'])
    rmSync(`${hooksFolder(env)}/${name}`, { recursive: true, force: true });
  removeEmpty(hooksFolder(env));
  removeEmpty(dirname(hooksFolder(env)));
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The folder is not empty: others have put something there.
  }
}
