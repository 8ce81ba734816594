/** Runs a script of this repository on another Node: `node scripts/on-node.mjs 24 node_modules/vitest/vitest.mjs run`. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [version, ...command] = process.argv.slice(2);
if (!/^\d+$/.test(version ?? '') || command.length === 0) {
  console.error('usage: node scripts/on-node.mjs MAJOR SCRIPT [ARGUMENT…]');
  process.exit(2);
}
const folder = fileURLToPath(new URL(`../.cache/node-${version}`, import.meta.url));
const binary = `${folder}/node_modules/node/bin/node`;
if (!existsSync(binary)) {
  mkdirSync(folder, { recursive: true });
  console.error(`on-node: installing Node ${version}, once`);
  execFileSync('npm', ['install', '--prefix', folder, '--no-save', '--loglevel=error', `node@${version}`], {
    stdio: ['ignore', process.stderr, process.stderr], // standard output is the script's
  });
}
console.error(`on-node: ${execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim()}`);
// What npm tells the scripts it runs is about its own Node, and would mislead an npm that runs on this one.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
const { status } = spawnSync(binary, command, {
  stdio: 'inherit',
  env: { ...env, PATH: `${folder}/node_modules/node/bin:${env.PATH}` },
});
process.exit(status ?? 1);
