import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { innocent } from '@loopfuse/model-server';
import { createHome } from './home.mjs';

/** What can go wrong while an agent works: in each case it goes on as if nothing was. One row for each. */
export async function rehearseFaults(hooked, home, problems) {
  const at = createHome(hooked, home);
  const sessions = join(at.hooks, 'sessions');
  await at.loopfuse('install', hooked.name);
  const rows = [];

  /** Innocent work, with something done to it at every turn. */
  async function disturbed(scene, disturb, { log } = {}) {
    const before = at.log().length;
    const work = innocent();
    const run = await at.converse(scene, (turn) => {
      if (turn.tools.length > 0) disturb(turn.turn);
      return work(turn);
    });
    const lines = at.log().slice(before);
    judge(run, run.turns === 7 && run.code === 0 && !lines.some(isMeasure), lines);
    if (log && !lines.some((line) => log.test(line)))
      problems.push(`${scene}: no line of the log says ${log}:\n${lines.join('\n')}`);
  }

  function judge(run, holds, lines) {
    const { name, scene, turns, code, seconds, said } = run;
    rows.push({ agent: name, scene, turns, ended: code, seconds: seconds.toFixed(1), logged: lines.length });
    console.log(`${name} ${scene}: ${turns} turns, ended with ${code} after ${seconds.toFixed(1)} s`);
    if (!holds) problems.push(`${name}, ${scene}:\n${lines.join('\n')}\n${said.slice(-1500)}`);
  }

  await disturbed('corrupt-state', () => forEachFile(sessions, (file) => writeFileSync(file, '{"key":')), {
    log: /expected the state of this session/,
  });

  if (mounted(sessions)) {
    await disturbed('full-disk', () => fill(sessions), { log: /ENOSPC/ });
    spawnSync('umount', [sessions]);
  } else console.log('This system grants no mounts: the full disk is left to the unit tests.');

  const copy = join(at.hooks, 'hook.cjs');
  copyFileSync(copy, join(at.home, 'real-hook.cjs'));
  writeFileSync(copy, killedInTheMiddle(join(at.home, 'real-hook.cjs'), join(at.home, 'kills')));
  await disturbed('killed-hooks', () => {});
  copyFileSync(join(at.home, 'real-hook.cjs'), copy);
  const kills = existsSync(join(at.home, 'kills')) ? readFileSync(join(at.home, 'kills'), 'utf8').length : 0;
  if (kills < 3) problems.push(`killed-hooks: only ${kills} hooks were killed`);

  await disturbed('long-transcript', (turn) => turn === 2 && forEachTranscript(at.home, append200MB), {
    log: /bytes of the transcript were skipped/,
  });

  await disturbed('no-command', (turn) => turn === 1 && writeFileSync(copy, 'syntax error'));
  copyFileSync(join(at.home, 'real-hook.cjs'), copy);

  // Two at once, in one home: one loops and is stopped, one works and is left alone.
  const before = at.log().length;
  const [looping, working] = await Promise.all([
    at.converse('at-once-looping', hooked.loop({ rounds: 20 })),
    at.converse('at-once-innocent', innocent()),
  ]);
  const lines = at.log().slice(before);
  judge(looping, looping.turns < 12 && lines.filter(isMeasure).length === 3, lines);
  judge(working, working.turns === 7 && working.code === 0, lines);

  // The session that was stopped goes on with a new request.
  const known = readdirSync(sessions).filter((name) => name.endsWith('.json')).length;
  const resumed = await at.converse('at-once-looping', innocent({ answer: 'Done.' }), { change: hooked.again });
  const isSame = readdirSync(sessions).filter((name) => name.endsWith('.json')).length === known;
  const after = at.log().slice(before + lines.length);
  judge({ ...resumed, scene: 'resumed' }, isSame && resumed.code === 0 && after.length === 0, after);

  await at.loopfuse('uninstall', hooked.name);
  if (!at.isAsBefore() || existsSync(join(at.home, '.loopfuse')))
    problems.push('faults: uninstalling left something behind');
  return rows;
}

function isMeasure(line) {
  return / (tell|refuse|end|ask) at a /.test(line);
}

function forEachFile(folder, action) {
  if (existsSync(folder))
    for (const name of readdirSync(folder)) if (name.endsWith('.json')) action(join(folder, name));
}

function forEachTranscript(home, action) {
  const folder = join(home, '.claude/projects');
  for (const name of readdirSync(folder, { recursive: true })) if (name.endsWith('.jsonl')) action(join(folder, name));
}

function append200MB(file) {
  if (!readFileSync(file, 'utf8').includes('long-transcript')) return;
  const line = `${JSON.stringify({ type: 'progress', data: 'x'.repeat(1000) })}\n`;
  const block = line.repeat(2000);
  for (let bytes = 0; bytes < 200e6; bytes += block.length) appendFileSync(file, block);
}

function mounted(folder) {
  mkdirSync(folder, { recursive: true });
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status === 0;
}

/** Until not one byte more goes in. */
function fill(folder) {
  for (const bytes of [4096, 512, 1])
    for (let k = 0; k < 200; k++) {
      try {
        appendFileSync(join(folder, 'filler'), Buffer.alloc(bytes));
      } catch {
        break;
      }
    }
}

/** The hook, killed with -9 after it took the lock and before it saved, every second time. */
function killedInTheMiddle(real, count) {
  return `const fs = require('node:fs');
const rename = fs.renameSync;
const saves = ${JSON.stringify(`${count}.saves`)};
fs.renameSync = (from, to) => {
  if (to.endsWith('.json')) {
    fs.appendFileSync(saves, '.');
    if (fs.statSync(saves).size % 2 === 1) {
      fs.appendFileSync(${JSON.stringify(count)}, '.');
      process.kill(process.pid, 'SIGKILL');
    }
  }
  rename(from, to);
};
require(${JSON.stringify(real)});
`;
}
