// Every agent in a home folder of its own: install, loop, listen, work, uninstall; then the faults, with Claude Code. Prints
// a table; ends with 0 only if everything holds. Started by ../hooks-e2e.mjs, where there is no network but loopback.
import { join } from 'node:path';
import { innocent, recoversAfterSteer } from '@loopfuse/model-server';
import { tableOf } from '../agents-e2e/table.mjs';
import { rehearseFaults } from './faults.mjs';
import { createHome } from './home.mjs';
import { hookedAgents } from './hooked-agents.mjs';

const [root, ...names] = process.argv.slice(2);
const chosen = hookedAgents.filter(({ name }) => names.length === 0 || names.includes(name));
/** Turns of the looping model before it gives in, for agents that nobody stops. */
const rounds = 20;
/** A loop must be broken before so many of its calls have run. */
const patience = 8;

const problems = [];
const rows = [];
for (const hooked of chosen) await rehearse(hooked);
const claude = chosen.find(({ name }) => name === 'claude-code');
if (claude) rows.push(...(await rehearseFaults(claude, join(root, 'faults'), problems)));
console.log(`\n${tableOf(rows)}\n`);
for (const problem of problems) console.log(`NOT AS IT SHOULD BE: ${problem}`);
console.log(problems.length === 0 ? `All holds: ${chosen.length} agents.` : `${problems.length} problems.`);
process.exit(problems.length === 0 ? 0 : 1);

async function rehearse(hooked) {
  const { name, loop, ends, endsWith, pack, packed } = hooked;
  const at = createHome(hooked, join(root, name));
  const installed = await at.loopfuse('install', name);
  expect(name, 'install', installed.code === 0 && installed.stdout.includes('+ '), installed.said);
  const again = await at.loopfuse('install', name);
  expect(name, 'install again', again.code === 0 && again.stdout.includes('installed already'), again.said);

  await breaks('looping', (args) => args);

  const before = at.log().length;
  const listening = await at.converse(
    'listening',
    recoversAfterSteer({ marker: 'Loopfuse noticed', loop: loop({ rounds }) }),
  );
  const told = at.log().slice(before);
  note(listening, { calls: listening.turns - 1, refused: 0, told: told.length });
  const listened = told.length === 1 && / tell at a result/.test(told[0]) && listening.code === 0;
  expect(name, 'listening', listened && listening.turns <= patience, `${told.join('\n')}\n${listening.said}`);

  const working = await at.converse('innocent', innocent());
  note(working, { calls: working.turns - 1, refused: 0, told: at.log().length - before - told.length });
  const untouched = working.turns === 7 && working.code === 0 && at.log().length === before + told.length;
  expect(name, 'innocent', untouched, `${at.log().join('\n')}\n${working.said}`);

  const removed = await at.loopfuse('uninstall', name);
  expect(name, 'uninstall', removed.code === 0 && at.isAsBefore(), `${at.file} is not as it was. ${removed.said}`);
  if (pack) {
    pack(at.home);
    await breaks('packed', packed);
  }

  /** The looping model: few of its calls run, and where a hook can end the run, it ends. */
  async function breaks(scene, change) {
    const run = await at.converse(scene, loop({ rounds }), { change });
    const acted = at.log().filter((line) => / (tell|refuse|end) at a /.test(line));
    const refused = acted.filter((line) => / (refuse|end) at a call/.test(line)).length;
    const calls = Math.min(run.turns, rounds) - refused;
    note(run, { calls, refused, told: acted.filter((line) => / tell at a /.test(line)).length });
    expect(name, scene, !run.timedOut && calls <= patience && refused > 0, `${calls} calls ran; ${run.said}`);
    if (ends) expect(name, `${scene} ends`, run.turns < rounds && run.code === endsWith, run.said);
  }
}

function note({ name, scene, turns, code, seconds }, more) {
  rows.push({ agent: name, scene, turns, ...more, ended: code, seconds: seconds.toFixed(1) });
  console.log(`${name} ${scene}: ${turns} turns, ended with ${code} after ${seconds.toFixed(1)} s`);
}

function expect(name, what, holds, said) {
  if (!holds) problems.push(`${name}, ${what}. It said:\n${String(said).slice(-1500)}`);
}
