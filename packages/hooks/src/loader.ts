import { readdirSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { makeFolder } from './make-folder.js';

/** The bundled source of `main.ts`, and a hash of it. */
declare const HOOK_SOURCE: string;
declare const HOOK_HASH: string;

// A hook starts, works for a moment and ends, so most of its time would go into compiling. Therefore the code that V8
// compiled is kept in a file and used the next time. V8 rejects it if it does not fit, and compiles the source again.
const home = process.env.HOME || process.env.USERPROFILE;
const folder = home === undefined ? undefined : join(home, '.loopfuse', 'hooks', 'cache');
const name = `${HOOK_HASH}-${process.version}-${process.arch}.bin`;
const cachedData = kept();
const script = new Script(`(function(module,exports,require){${HOOK_SOURCE}\n})`, {
  filename: 'loopfuse-hook.js',
  ...(cachedData === undefined ? {} : { cachedData }),
});
const main = { exports: {} as { readonly worthKeeping?: boolean } };
script.runInThisContext()(main, main.exports, require);
if ((cachedData === undefined || script.cachedDataRejected) && main.exports.worthKeeping) keep();
process.exit(0); // everything is written; an ordinary exit would take longer, to free the heap

function kept(): Buffer | undefined {
  if (folder === undefined) return undefined;
  try {
    return readFileSync(join(folder, name));
  } catch {
    return undefined;
  }
}

function keep(): void {
  if (folder === undefined) return;
  try {
    makeFolder(folder);
    const temporary = join(folder, `${name}.${process.pid}`);
    writeFileSync(temporary, script.createCachedData(), { mode: 0o600 });
    renameSync(temporary, join(folder, name));
    for (const other of readdirSync(folder))
      if (other !== name && isOld(join(folder, other))) unlinkSync(join(folder, other));
  } catch {
    // A full disk, perhaps: it compiles again the next time.
  }
}

function isOld(file: string): boolean {
  return Date.now() - statSync(file).mtimeMs > 7 * 24 * 60 * 60_000;
}
