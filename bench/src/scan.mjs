/**
 * How fast `loopfuse scan` is beside a bare `JSON.parse` of the same lines: reading alone, with one worker, with two, and
 * a second time, when the cache knows the files; and how much memory it takes at most.
 *
 *     npm run bench:scan                     a made-up tree of 256 MB (see scan-material.mjs)
 *     npm run bench:scan -- --size 2GB       a bigger one
 *     npm run bench:scan -- PATH…            logs of your own
 *     npm run bench:scan -- --json           the figures as JSON; --rounds N for more or fewer rounds
 *
 * Each figure is the best of several rounds, in which the contestants take turns, so that other work on the machine
 * disturbs all of them alike. Processor time counts all threads; it is what to look at on a busy machine.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeTree } from './scan-material.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string', default: '256MB' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
});

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const loopfuse = here('../../packages/cli/bin/loopfuse.js');
const folder = mkdtempSync(join(tmpdir(), 'loopfuse-bench-'));
const rounds = Math.max(1, Number(flags.rounds) || 1);

/** @typedef {{ wall: number; cpu: number; rss: number }} Usage */

try {
  if (positionals.length === 0) {
    if (!flags.json) console.error(`Making a tree of ${flags.size}…`);
    writeTree(join(folder, 'tree'), bytesOf(flags.size));
  }
  const paths = positionals.length > 0 ? positionals : [join(folder, 'tree')];
  const { bytes, files } = sizeOf(paths);
  const load = loadavg()[0];

  const bare = best();
  const reading = best();
  const one = best();
  const two = best();
  for (let round = 0; round < rounds; round++) {
    bare.add(run([here('scan-bare.mjs'), ...paths]));
    reading.add(run([here('scan-read.mjs'), ...paths]));
    one.add(run([loopfuse, 'scan', '--no-cache', '--workers', '1', ...paths]));
    two.add(run([loopfuse, 'scan', '--no-cache', '--workers', '2', ...paths]));
  }
  // The first of these fills the cache.
  const again = best();
  run([loopfuse, 'scan', ...paths]);
  for (let round = 0; round < Math.max(3, rounds); round++) again.add(run([loopfuse, 'scan', ...paths]));

  const result = {
    megabytes: bytes / 1e6,
    files,
    cores: availableParallelism(),
    load,
    bare: bare.usage,
    reading: reading.usage,
    oneWorker: one.usage,
    twoWorkers: two.usage,
    again: again.usage,
    /** Throughput as a part of that of a bare `JSON.parse`: processor time and time on the clock. */
    readingVsBareCpu: bare.usage.cpu / reading.usage.cpu,
    oneVsBareCpu: bare.usage.cpu / one.usage.cpu,
    oneVsBare: bare.usage.wall / one.usage.wall,
    twoVsBare: bare.usage.wall / two.usage.wall,
    twoVsOne: one.usage.wall / two.usage.wall,
    againVsFirst: Math.min(one.usage.wall, two.usage.wall) / again.usage.wall,
    peakMegabytes: Math.max(one.usage.rss, two.usage.rss, again.usage.rss),
  };
  if (flags.json)
    console.log(
      JSON.stringify(result, (_key, value) => (typeof value === 'number' ? Math.round(value * 1000) / 1000 : value)),
    );
  else print(result, bytes, files);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {any} result @param {number} bytes @param {number} files */
function print(result, bytes, files) {
  const row = (/** @type {string} */ name, /** @type {Usage} */ { wall, cpu, rss }) =>
    console.log(
      `${name.padEnd(24)} ${wall.toFixed(2).padStart(8)} s ${cpu.toFixed(2).padStart(8)} s ${(bytes / 1e6 / wall).toFixed(0).padStart(7)} MB/s ${rss.toFixed(0).padStart(6)} MB`,
    );
  console.log(
    `${(bytes / 1e6).toFixed(0)} MB in ${files} files, ${result.cores} cores, load ${result.load.toFixed(1)}`,
  );
  console.log(
    `${''.padEnd(24)} ${'time'.padStart(10)} ${'processor'.padStart(10)} ${''.padStart(12)} ${'memory'.padStart(9)}`,
  );
  row('bare JSON.parse', result.bare);
  row('reading alone', result.reading);
  row('scan, one worker', result.oneWorker);
  row('scan, two workers', result.twoWorkers);
  row('scan again, cached', result.again);
  const ratio = (/** @type {string} */ name, /** @type {number} */ value, /** @type {string} */ wanted) =>
    console.log(`${name.padEnd(46)} ${value.toFixed(2).padStart(8)}   ${wanted}`);
  ratio('reading alone beside bare (processor)', result.readingVsBareCpu, 'the most that a scan could reach');
  ratio('one worker, throughput beside bare (processor)', result.oneVsBareCpu, 'wanted: 0.5');
  ratio('one worker, throughput beside bare (clock)', result.oneVsBare, 'wanted: 0.5');
  ratio('two workers beside one (clock)', result.twoVsOne, 'wanted: 1.6, on two free cores');
  ratio('second scan, times faster', result.againVsFirst, 'wanted: 20, on 2 GB');
  ratio('most memory, MB', result.peakMegabytes, 'wanted: less than 300, on 2 GB');
}

/** @param {string[]} args @returns {Usage} */
function run(args) {
  const file = join(folder, 'usage.json');
  const { status, stderr } = spawnSync(process.execPath, ['--import', here('scan-usage.mjs'), ...args], {
    env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache'), LOOPFUSE_BENCH_USAGE: file, NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 1e9,
  });
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}: ${stderr}`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The least of each figure, but the most memory. */
function best() {
  /** @type {Usage} */
  const usage = { wall: Number.POSITIVE_INFINITY, cpu: Number.POSITIVE_INFINITY, rss: 0 };
  return {
    usage,
    /** @param {Usage} one */
    add(one) {
      usage.wall = Math.min(usage.wall, one.wall);
      usage.cpu = Math.min(usage.cpu, one.cpu);
      usage.rss = Math.max(usage.rss, one.rss);
    },
  };
}

/** @param {readonly string[]} paths */
function sizeOf(paths) {
  let bytes = 0;
  let files = 0;
  /** @param {string} path */
  function walk(path) {
    const stats = statSync(path);
    if (stats.isDirectory()) for (const name of readdirSync(path)) walk(join(path, name));
    else {
      bytes += stats.size;
      files++;
    }
  }
  for (const path of paths) walk(path);
  return { bytes, files };
}

/** @param {string} text such as 256MB or 2GB */
function bytesOf(text) {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)\s*([MG]?B?)$/i.exec(text) ?? [];
  if (number === undefined)
    throw new RangeError(`--size is a number such as 256MB or 2GB, got ${JSON.stringify(text)}`);
  return Number(number) * (/^G/i.test(unit) ? 1e9 : /^M/i.test(unit) ? 1e6 : 1);
}
