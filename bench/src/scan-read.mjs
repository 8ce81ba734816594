/**
 * Reads the sessions in files and folders as `loopfuse scan` does, and judges nothing: what reading alone costs.
 *
 *     node bench/src/scan-read.mjs PATH…
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readSessions } from '../../packages/formats/dist/index.js';

let events = 0;
for (const path of process.argv.slice(2)) await walk(path);
console.log(`${events} events`);

/** @param {string} path */
async function walk(path) {
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) await walk(join(path, name));
  else await readSessions(path, { onEvent: () => void events++ });
}
