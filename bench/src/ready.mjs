import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Installs the bench's own dependencies, unless those of its lock file are installed already. */

const folder = fileURLToPath(new URL('..', import.meta.url));
const stamp = `${folder}node_modules/.installed-from`;
const lock = createHash('sha256')
  .update(readFileSync(`${folder}package-lock.json`))
  .digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  console.error('bench: installing the originals and peers, once (a minute or two, 600 MB)');
  execFileSync('npm', ['ci', '--loglevel=error'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(stamp, lock);
}
