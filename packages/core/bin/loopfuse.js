#!/usr/bin/env node
// `npx loopfuse scan`: the command line is a package of its own, `@loopfuse/cli`, so that the library stays without
// dependencies (docs/decisions/0017-npx-loopfuse.md). Where it is installed it is run, otherwise npm fetches it once.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const command = installed(import.meta.url) ?? installed(pathToFileURL(join(process.cwd(), 'package.json')));
if (command !== undefined) await import(pathToFileURL(command).href);
else if (process.env.LOOPFUSE_FETCHED) fail('npm fetched @loopfuse/cli, but it is not where it should be.');
else process.exitCode = fetched();

function installed(from) {
  try {
    return join(dirname(createRequire(from).resolve('@loopfuse/cli/package.json')), 'bin', 'loopfuse.js');
  } catch {
    return undefined;
  }
}

function fetched() {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const args = ['exec', '--yes', `--package=@loopfuse/cli@${version}`, '--', 'loopfuse', ...process.argv.slice(2)];
  const npm = process.env.npm_execpath;
  const isNpm = npm !== undefined && /^npm(-cli)?\.c?js$/.test(basename(npm));
  const env = { ...process.env, LOOPFUSE_FETCHED: '1' };
  const { status, error } = isNpm
    ? spawnSync(process.execPath, [npm, ...args], { stdio: 'inherit', env })
    : spawnSync('npm', args, { stdio: 'inherit', env, shell: process.platform === 'win32' });
  if (error) fail(`npm could not be started (${error.message}). Install the command yourself: npm i -g @loopfuse/cli`);
  return status ?? 1;
}

function fail(message) {
  process.stderr.write(`loopfuse: ${message}\n`);
  process.exit(1);
}
