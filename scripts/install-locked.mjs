import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const adapters = fileURLToPath(new URL('../packages/adapters/', import.meta.url));

/** Installs the SDKs that the adapters are compiled against, unless they are there. */
export function installAdapterSdks() {
  // The engines of some ask for a newer Node than ours; they are tested on it, and only compiled against here.
  installLocked(adapters, 'adapters: installing the SDKs, once (a minute or two, 850 MB)', ['--engine-strict=false']);
}

/** Installs the dependencies of a folder that is installed by itself, unless those of its lock file are there already. */
export function installLocked(folder, announcement, options = []) {
  const stamp = join(folder, 'node_modules/.installed-from');
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.error(announcement);
  execFileSync('npm', ['ci', '--loglevel=error', ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(stamp, lock);
}
