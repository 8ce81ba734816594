import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const stamp = join(folder, 'node_modules/.installed-from');

/** Packs the folder of an extension, which must have everything bundled, into a file. Installs vsce on first use. */
export function pack(extension, vsix) {
  install();
  const vsce = join(folder, 'node_modules/@vscode/vsce/vsce');
  const words = ['package', '--no-dependencies', '--skip-license', '--allow-missing-repository', '--out', vsix];
  execFileSync(process.execPath, [vsce, ...words], { cwd: extension, stdio: ['ignore', 'ignore', 'inherit'] });
}

function install() {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.log('Installing vsce, once …');
  execFileSync('npm', ['ci', '--loglevel=error'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(stamp, lock);
}
