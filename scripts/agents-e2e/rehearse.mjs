// Runs every agent in a looping and in an innocent conversation, in one clean home folder, while `loopfuse watch` follows
// it; then lets plain `loopfuse scan` look for their sessions. Prints a table; ends with 0 only if everything holds.
// Started by ../agents-e2e.mjs with the home folder and the names of the agents, where there is no network but loopback.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { innocent, loopsForever, startModelServer, workspaceFiles } from '@loopfuse/model-server';
import { agents } from './agents.mjs';
import { binOf } from './install-agent.mjs';
import { runProgram } from './run-program.mjs';
import { scanHome } from './scan-home.mjs';
import { startWatch } from './start-watch.mjs';
import { tableOf } from './table.mjs';

const cli = fileURLToPath(new URL('../../packages/cli/bin/loopfuse.js', import.meta.url));
const nodeFolder = dirname(process.execPath);
const [home, ...names] = process.argv.slice(2);
const chosen = agents.filter(({ name }) => names.length === 0 || names.includes(name));

/** Turns of the looping model before it gives in, for agents that nobody stops. */
const rounds = 12;
/** After so many calls the model takes its time, until `watch` has warned. */
const enough = 4;
const patience = 20;

const problems = [];
const watch = await startWatch({ cli, home, env: environment() });
let rows;
try {
  const runs = (await inPairs(chosen, rehearse)).flat();
  await setTimeout(1500); // a last look of the watch
  const alarms = await watch.end();
  rows = await scanHome({ cli, home, env: environment(), runs, alarms, problems });
} finally {
  await watch.end();
}
console.log(`\n${tableOf(rows)}\n`);
for (const problem of problems) console.log(`NOT AS IT SHOULD BE: ${problem}`);
const all = `${chosen.length} agents, ${rows.length} sessions`;
console.log(problems.length === 0 ? `All holds: ${all}.` : `${problems.length} problems: ${all}.`);
process.exit(problems.length === 0 ? 0 : 1);

/** Both conversations of one agent, one after the other. */
async function rehearse(agent) {
  return [await converse(agent, 'looping'), await converse(agent, 'innocent')];
}

async function converse(agent, kind) {
  const folder = join(home, 'work', `${agent.name}-${kind}`);
  put(folder, workspaceFiles);
  const server = await startModelServer({ script: kind === 'looping' ? unhurried(folder) : innocent() });
  const place = { url: server.url, home, prompt: `Say what the main function does (${kind}).` };
  put(home, agent.prepare?.(place) ?? {});
  if (agent.before) await start(agent, agent.before(place), folder);
  const { code, timedOut, said, begun, ended } = await start(agent, agent.run(place), folder);
  const asked = server.requests.filter(({ turn }) => turn !== undefined && turn.tools.length > 0).length;
  await server.close();
  const took = ((ended - begun) / 1000).toFixed(1);
  console.log(`${agent.name} ${kind}: ${asked} turns, ended with ${code} after ${took} s`);
  const where = `${agent.name}, ${kind}`;
  if (timedOut) problems.push(`${where}: it did not come to its end in time. It said:\n${said.slice(-1500)}`);
  if (asked < enough) problems.push(`${where}: it asked the model ${asked} times only. It said:\n${said.slice(-1500)}`);
  return { agent: agent.name, version: agent.package?.replace(/^.+@/, '') ?? 'here', kind, folder, ended };
}

/** Our own agent is the one that has no package. */
function start(agent, { args, env }, cwd) {
  const [command, ...words] = agent.package === undefined ? [process.execPath, cli, ...args] : [agent.command, ...args];
  return runProgram(command, words, { cwd, env: { ...environment(agent), ...env } });
}

/** The same call every turn. From the turn on that `watch` can know by, it waits for the warning, but not for ever. */
function unhurried(folder) {
  const script = loopsForever({ rounds });
  let waited = false;
  return async (turn) => {
    if (turn.turn >= enough && turn.tools.length > 0 && !waited) {
      waited = true;
      await watch.warned(folder, patience);
    }
    return script(turn);
  };
}

/** Nothing of ours but the path; what agents put into temporary folders goes with the home. */
function environment(agent) {
  const own = agent?.package === undefined ? [] : [binOf(agent)];
  const path = [...own, nodeFolder, process.env.PATH].join(':');
  const temporary = join(home, 'tmp');
  mkdirSync(temporary, { recursive: true });
  return { PATH: path, HOME: home, TMPDIR: temporary, LANG: 'C.UTF-8', TERM: 'dumb' };
}

function put(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof text === 'string' ? text : JSON.stringify(text));
  }
}

async function inPairs(items, work) {
  const results = new Array(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const k = next++;
      results[k] = await work(items[k]);
    }
  };
  await Promise.all([worker(), worker()]);
  return results;
}
