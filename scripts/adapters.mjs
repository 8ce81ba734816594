// Installs the SDKs into packages/adapters, unless they are there already, and compiles the adapters against them. With
// --test it runs their laws as well, and with --examples the examples.
//
// Usage: node scripts/adapters.mjs [--test] [--examples] [NAME…]     all adapters, or those named
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}packages/adapters/`;
const options = process.argv.slice(2).filter((word) => word.startsWith('--'));
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = options.find((option) => !['--test', '--examples'].includes(option));
if (unknown !== undefined) {
  console.error(`usage: node scripts/adapters.mjs [--test] [--examples] [NAME…]; unknown option ${unknown}`);
  process.exit(2);
}

install();
run('node_modules/typescript/bin/tsc', '-b', 'packages/adapters');
if (options.includes('--test')) {
  run('node_modules/typescript/bin/tsc', '-p', 'packages/adapters/tsconfig.tests.json');
  run('node_modules/vitest/vitest.mjs', 'run', '--config', 'packages/adapters/vitest.config.ts', ...names);
}
if (options.includes('--examples')) run('examples/run-all.mjs', '--folder', 'sdks', ...names);

function install() {
  const stamp = `${folder}node_modules/.installed-from`;
  const lock = createHash('sha256')
    .update(readFileSync(`${folder}package-lock.json`))
    .digest('hex');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
    console.error('adapters: installing the SDKs, once (a minute or two, 850 MB)');
    // The engines of some ask for a newer Node than ours; they are tested on it, and only compiled against here.
    execFileSync('npm', ['ci', '--loglevel=error', '--engine-strict=false'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    writeFileSync(stamp, lock);
  }
  // The examples find the SDKs where the adapters do.
  const link = `${root}examples/sdks/node_modules`;
  if (existsSync(`${root}examples/sdks`) && !existsSync(link)) {
    rmSync(link, { force: true });
    symlinkSync('../../packages/adapters/node_modules', link, 'junction');
  }
}

function run(...command) {
  try {
    execFileSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
  } catch (error) {
    process.exit(error.status ?? 1);
  }
}
