import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hooksFolder } from '../home.js';
import type { Environment } from '../protocol/protocol.js';
import type { AgentName, Scope } from './agents.js';
import { writeWhole } from './write-whole.js';

/** What was done to one file, so that it can be undone exactly. */
export interface Entry {
  readonly agent: AgentName;
  readonly scope: Scope;
  readonly file: string;
  /** The text before our change; null if there was no file. */
  readonly before: string | null;
  readonly after: string;
  /** Folders that were made for it, the innermost first. */
  readonly folders: readonly string[];
}

function ledgerFile(env: Environment): string {
  return join(hooksFolder(env), 'installed.json');
}

/** Empty if there is no ledger or it cannot be read: then hooks are recognised by their commands when removed. */
export function readLedger(env: Environment): readonly Entry[] {
  try {
    const found = JSON.parse(readFileSync(ledgerFile(env), 'utf8')) as unknown;
    return Array.isArray(found) ? found.filter(isEntry) : [];
  } catch {
    return [];
  }
}

export function writeLedger(env: Environment, entries: readonly Entry[]): void {
  if (entries.length === 0) rmSync(ledgerFile(env), { force: true });
  else writeWhole(ledgerFile(env), `${JSON.stringify(entries, undefined, 2)}\n`);
}

function isEntry(value: unknown): value is Entry {
  const { agent, scope, file, before, after, folders } = (value ?? {}) as Partial<Entry>;
  return (
    typeof agent === 'string' &&
    typeof scope === 'string' &&
    typeof file === 'string' &&
    (before === null || typeof before === 'string') &&
    typeof after === 'string' &&
    Array.isArray(folders)
  );
}
