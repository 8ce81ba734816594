// Runs every agent through `loopfuse run` in five conversations and looks at both sides of the gateway. Prints a table; ends
// with 0 only if everything holds. Started by ../gateway-e2e.mjs, where there is no network but loopback.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  alternates,
  chants,
  innocent,
  loopsForever,
  recoversAfterSteer,
  startModelServer,
  workspaceFiles,
} from '@loopfuse/model-server';
import { askRoute, readBody, wires } from '@loopfuse/wire';
import { agents } from '../agents-e2e/agents.mjs';
import { binOf } from '../agents-e2e/install-agent.mjs';
import { runProgram } from '../agents-e2e/run-program.mjs';
import { tableOf } from '../agents-e2e/table.mjs';
import { startRecorder } from './recorder.mjs';

const cli = fileURLToPath(new URL('../../packages/cli/bin/loopfuse.js', import.meta.url));
const between = fileURLToPath(new URL('between.mjs', import.meta.url));
const nodeFolder = dirname(process.execPath);
const [home, ...names] = process.argv.slice(2);
const chosen = agents.filter(({ name }) => names.includes(name));

const scenes = {
  innocent: { script: innocent, loops: false },
  repeat: { script: loopsForever, loops: true },
  alternate: { script: alternates, loops: true },
  chant: { script: () => chants({ times: 300, pace: { delay: 1 } }), loops: true },
  listens: { script: () => recoversAfterSteer({ marker: /Loop notice/ }), loops: false },
};
/** Rounds of the loop, calls in a round, within which it must be broken. */
const most = { repeat: 5, alternate: 10 };
const mostCharacters = 2000;
/** Words by which agents say that they, and not we, saw the loop. */
const theirOwn = /potential loop detected|loop detection halted|to avoid a loop|Loop detected, stopping/i;

/** Files in which agents keep their settings. */
const settings = [
  '.gemini/settings.json',
  '.qwen/settings.json',
  '.pi/agent/models.json',
  '.cline/data/settings/providers.json',
  '.codex/config.toml',
  '.claude/settings.json',
];

const problems = [];
const rows = [];
for (const agent of chosen)
  for (const [scene, { script, loops }] of Object.entries(scenes))
    rows.push(await converse(agent, scene, script(), loops));

console.log(`\n${tableOf(rows)}\n`);
for (const problem of problems) console.log(`NOT AS IT SHOULD BE: ${problem}`);
const all = `${chosen.length} agents, ${rows.length} runs`;
console.log(problems.length === 0 ? `All holds: ${all}.` : `${problems.length} problems: ${all}.`);
process.exit(problems.length === 0 ? 0 : 1);

async function converse(agent, scene, script, loops) {
  const where = `${agent.name}, ${scene}`;
  const own = join(home, `${agent.name}-${scene}`);
  const folder = join(own, 'project');
  put(folder, workspaceFiles);
  const model = await startModelServer({ script });
  const upstream = await startRecorder(model.url);
  const place = { url: upstream.url, home: own, prompt: 'Say what the main function does.' };
  put(own, agent.prepare?.(place) ?? {});
  const env = environment(agent, own);
  if (agent.before) {
    const { args, env: more } = agent.before(place);
    await runProgram(join(binOf(agent), agent.command), args, { cwd: folder, env: { ...env, ...more } });
  }
  const { args, env: more } = agent.run(place);
  const report = join(own, 'report.json');
  const words = ['run', '--json', report, '--', agent.command, ...args];
  const ended = await runProgram(process.execPath, [cli, ...words], {
    cwd: folder,
    env: { ...env, ...more },
    seconds: 120,
  });
  await upstream.close();
  await model.close();

  const complain = (what) => problems.push(`${where}: ${what}. It said:\n${ended.said.slice(-1200)}`);
  const summary = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
  const client = existsSync(join(own, 'client.json')) ? JSON.parse(readFileSync(join(own, 'client.json'), 'utf8')) : [];
  if (ended.timedOut) complain('it did not come to its end in time');
  if (summary === undefined) complain('there is no report');
  if (changedSettings(own)) complain('its configuration was changed');
  if (theirOwn.test(ended.said)) complain('the agent’s own detector was faster');
  const asked = client.filter(({ path, method }) => method === 'POST' && askRoute(...path.split('?')) !== undefined);
  const text = asked.map(textOf).join('');
  const row = {
    agent: agent.name,
    scene,
    exit: ended.code,
    requests: asked.length,
    upstream: model.requests.filter(({ turn }) => turn !== undefined).length,
    steps: summary?.actions.map(({ action }) => action).join(' ') || 'none',
    afterwards: loops || scene === 'listens' ? summary?.requestsAfterLoop : undefined,
    calls: Math.max(0, ...(summary?.sessions ?? []).map(({ calls }) => calls)),
    characters: scene === 'chant' ? text.length : undefined,
    seconds: ((ended.ended - ended.begun) / 1000).toFixed(1),
  };
  console.log(Object.values(row).join('  '));
  if (loops) {
    if (ended.code !== 86) complain(`it ended with ${ended.code}, not with 86`);
    if (summary?.ended !== 'loop') complain('the report does not say that a loop ended it');
    if (most[scene] !== undefined && row.calls > most[scene]) complain(`it was broken only after ${row.calls} calls`);
    if (scene === 'chant' && text.length > mostCharacters) complain(`${text.length} characters reached the agent`);
    if (!/Loopfuse stopped this run/.test(text)) complain('the agent got no reason');
  } else {
    if (ended.code !== 0) complain(`it ended with ${ended.code}`);
    if (summary?.ended !== 'agent') complain('the report says that a loop ended it');
  }
  if (scene === 'innocent') {
    if (summary?.actions.length !== 0) complain('something was done about innocent work');
    const plain = (exchanges) =>
      exchanges.map(({ method, path, request, status, response }) => ({
        method,
        path: path.replace(/^\/m\d+/, ''),
        request,
        status,
        response,
      }));
    if (asked.length < 4) complain(`it asked the model ${asked.length} times only`);
    if (JSON.stringify(sorted(plain(client))) !== JSON.stringify(sorted(plain(upstream.exchanges))))
      complain('the two sides of the gateway saw different bytes');
    else row.steps = 'same bytes';
  }
  if (scene === 'listens') {
    if (!/You are right/.test(text)) complain('the answer of the model did not arrive');
    if (!(summary?.actions.length > 0)) complain('nothing was done about the loop');
  }
  rmSync(own, { recursive: true, force: true, maxRetries: 5 });
  return row;
}

/** Requests that run side by side may arrive in another order. */
function sorted(exchanges) {
  return exchanges.map((one) => JSON.stringify(one)).sort();
}

function textOf({ path, contentType, response }) {
  const { protocol } = askRoute(...path.split('?'));
  const body = readBody(wires[protocol].readAnswer(), contentType);
  return [...body.push(Buffer.from(response, 'latin1')), ...body.end()]
    .map((event) => (event.type === 'text' ? event.text : ''))
    .join('');
}

/** Whether the address of the gateway got into the settings. Some agents write to theirs by themselves. */
function changedSettings(own) {
  const files = settings.map((file) => join(own, file)).filter((file) => existsSync(file));
  return files.some((file) => /127\.0\.0\.1:\d+\/m\d/.test(readFileSync(file, 'utf8')));
}

/** A folder with a program in the agent's name comes first on the path. */
function environment(agent, own) {
  const bin = join(own, 'bin');
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(own, 'tmp'), { recursive: true });
  const real = join(binOf(agent), agent.command);
  const call = [process.execPath, between, real, join(own, 'client.json')].map((word) => `'${word}'`).join(' ');
  writeFileSync(join(bin, agent.command), `#!/bin/sh\nexec ${call} "$@"\n`, { mode: 0o755 });
  return {
    PATH: [bin, nodeFolder, process.env.PATH].join(':'),
    HOME: own,
    TMPDIR: join(own, 'tmp'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
  };
}

function put(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof text === 'string' ? text : JSON.stringify(text));
  }
}
