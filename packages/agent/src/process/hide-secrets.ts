import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { isSecret } from '../tools/run-shell-command/environment.js';

/**
 * Takes what looks like a secret out of the environment of this process, where other processes of the same user could
 * read it: on Linux `/proc/PID/environ` shows the memory that the process was started with, and a command that the
 * model writes knows our PID as its parent's. Copy `process.env` before; afterwards the variables are gone.
 * Returns the names. Elsewhere, and where the memory cannot be written, only `process.env` is cleaned.
 */
export function hideSecrets(environment: NodeJS.ProcessEnv = process.env): readonly string[] {
  const names = Object.keys(environment).filter((name) => isSecret(name, environment[name] ?? ''));
  if (names.length === 0) return [];
  if (process.platform === 'linux') overwrite(new Set(names));
  for (const name of names) delete environment[name];
  return names;
}

function overwrite(names: ReadonlySet<string>): void {
  let memory: number | undefined;
  try {
    const start = startOfEnvironment();
    const block = readFileSync('/proc/self/environ');
    memory = openSync('/proc/self/mem', 'r+');
    for (let at = 0; at < block.length; ) {
      const end = block.indexOf(0, at) === -1 ? block.length : block.indexOf(0, at);
      const sign = block.indexOf(0x3d, at);
      if (sign > at && sign < end && names.has(block.toString('utf8', at, sign)))
        writeSync(memory, Buffer.alloc(end - sign - 1, '*'), 0, end - sign - 1, start + sign + 1);
      at = end + 1;
    }
  } catch {
    // Not possible here: a hardened kernel, or no /proc. SECURITY.md describes the remaining risk.
  } finally {
    if (memory !== undefined) closeSync(memory);
  }
}

/** The address of the block, field 50 of the status; the name of the program, field 2, may hold anything but `)` at its end. */
function startOfEnvironment(): number {
  const status = readFileSync('/proc/self/stat', 'utf8');
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  const start = Number(fields[50 - 3]);
  if (!Number.isSafeInteger(start) || start <= 0) throw new RangeError('the address of the environment is not known');
  return start;
}
