import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** How long a process may take to start or to end, in milliseconds. */
const patience = 40_000;

/** The two processes of `models.runsLong`, once both have written down their numbers. */
export async function processesOf({ has, read }) {
  const files = ['inner', 'outer'];
  await until('the command began', () => files.every((file) => has(file, '\n')));
  return files.map((file) => Number(read(file)));
}

/** Waits until none of them is left. */
export async function ended(pids) {
  await until('the processes ended', () => !pids.some(isAlive));
}

function isAlive(pid) {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

async function until(what, isSo) {
  for (const end = Date.now() + patience; !isSo(); await wait(20))
    if (Date.now() > end) throw new Error(`it never came about that ${what}`);
}
