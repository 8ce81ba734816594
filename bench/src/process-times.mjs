import { spawnSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';

/**
 * Runs Node with these arguments and gives how it ended and how many milliseconds it took.
 *
 * @param {readonly string[]} args
 * @param {{ home: string, input?: string }} options a home folder of its own, and what it reads
 */
export function timed(args, { home, input }) {
  const begun = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    input,
    env: { HOME: home, PATH: process.env.PATH },
  });
  const took = Number(process.hrtime.bigint() - begun) / 1e6;
  return { status, stdout, stderr, took };
}

/** Where it was measured, and how: a line above the figures. */
export function machineLine(/** @type {number} */ rounds) {
  const load = loadavg()[0]?.toFixed(1);
  return `Node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}, ${rounds} rounds by turns, load ${load} on ${cpus().length} processors`;
}

export function spread(/** @type {readonly number[]} */ values) {
  const sorted = values.toSorted((a, b) => a - b);
  return { least: sorted[0], median: sorted[sorted.length >> 1] };
}
