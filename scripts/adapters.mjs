// Installs the SDKs into packages/adapters, unless they are there already, and compiles the adapters against them. With
// --test it runs their laws as well, and with --examples the examples.
//
// Usage: node scripts/adapters.mjs [--test] [--examples] [NAME…]     all adapters, or those named
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installAdapterSdks } from './install-locked.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
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
  installAdapterSdks();
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
