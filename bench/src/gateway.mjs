/**
 * What the gateway costs beside a bare streaming proxy on the same HTTP stack (Node's own: request and answer are piped,
 * nothing is read).
 *
 *     npm run bench:gateway                               everything
 *     npm run bench:gateway -- --only throughput,delay    a part: throughput, delay, memory, growth
 *     npm run bench:gateway -- --rounds 9                 more rounds of throughput (5)
 *     npm run bench:gateway -- --deltas 1                 shorter answers for throughput (200)
 *     npm run bench:gateway -- --streams 1000             streams at once for the added time per delta (1,000)
 *     npm run bench:gateway -- --sessions 2000            live sessions for the memory of one (2,000)
 *     npm run bench:gateway -- --requests 10000           requests for the growth of memory (100,000)
 *     npm run bench:gateway -- --store disk:FOLDER        where sessions are kept (memory:)
 *     npm run bench:gateway -- --profile FOLDER           a processor profile of the gateway
 *     npm run bench:gateway -- --json                     the figures as JSON
 *
 * Client, upstream, gateway and bare proxy are four processes. Throughput is measured in rounds in which the two take
 * turns, so that other work on the machine disturbs both alike. On a machine whose cores are all busy, processor time is
 * what to look at: it is what limits a gateway that has a core to itself.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const parts = { throughput, delay, memory, growth };
const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(parts).join(',') },
    requests: { type: 'string', default: '100000' },
    sessions: { type: 'string', default: '2000' },
    streams: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    deltas: { type: 'string', default: '200' },
    store: { type: 'string', default: 'memory:' },
    profile: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const wanted = flags.only.split(',');
const unknown = wanted.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined) {
  console.error(`--only: expected ${Object.keys(parts).join(', ')}, got ${JSON.stringify(unknown)}`);
  process.exit(2);
}
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const upstream = await start('gateway-upstream.mjs');
const bare = await start('gateway-bare.mjs', [upstream.url]);
const profile = flags.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${flags.profile}`];
const guarded = await start('gateway-serve.mjs', [upstream.url, flags.store], ['--expose-gc', ...profile]);
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

const result = { node: process.version, cores: availableParallelism(), load: loadavg()[0], store: flags.store };
for (const name of wanted) result[name] = await parts[name]();
assert.equal((await ask(guarded)).actions, 0, 'the gateway took the sessions of the bench for loops');
for (const { child } of [upstream, bare, guarded]) child.disconnect();
agent.destroy();
if (flags.json) console.log(JSON.stringify(result));
else report(result);

async function start(file, args = [], execArgv = []) {
  const child = fork(here(file), args, { execArgv });
  const [{ url }] = await once(child, 'message');
  return { child, url };
}

async function ask({ child }, word = 'time') {
  child.send(word);
  return (await once(child, 'message'))[0];
}

/** Requests of so many deltas, 16 at a time, one way and the other: each delta in a piece of its own, and all together. */
async function throughput() {
  const figures = {};
  for (const apart of [true, false])
    figures[apart ? 'apart' : 'together'] = await inTurns({ deltas: Number(flags.deltas), apart });
  return figures;
}

async function inTurns(how) {
  const count = 160;
  const ways = [bare, guarded].map((server) => ({ server, perSecond: [], cpuMs: [] }));
  // Until the engine has compiled what is hot.
  for (const { server } of ways) await load(server, 6 * count, 16, how);
  for (let round = 0; round < Number(flags.rounds); round++)
    for (const { server, perSecond, cpuMs } of round % 2 === 0 ? ways : ways.toReversed()) {
      const before = (await ask(server)).cpu;
      const begun = performance.now();
      await load(server, count, 16, { ...how, from: (round + 1) * count });
      perSecond.push(count / ((performance.now() - begun) / 1000));
      const after = (await ask(server)).cpu;
      cpuMs.push((after.user + after.system - before.user - before.system) / 1000 / count);
    }
  const [one, other] = ways.map(({ perSecond, cpuMs }) => ({ perSecond: median(perSecond), cpuMs: median(cpuMs) }));
  return { bare: one, guarded: other, share: other.perSecond / one.perSecond, cpuShare: one.cpuMs / other.cpuMs };
}

/** The time from the upstream's write to the client's read, with few and with many paced streams at once. */
async function delay() {
  const many = Number(flags.streams);
  const figures = [];
  for (const streams of [20, many]) {
    const measure = async (server) => {
      const times = [];
      await load(server, streams, streams, { deltas: 20, every: 250, times });
      times.sort((a, b) => a - b);
      return { p50: at(times, 0.5), p99: at(times, 0.99), deltas: times.length };
    };
    figures.push({ streams, bare: await measure(bare), guarded: await measure(guarded) });
  }
  return figures;
}

/** Live sessions of eight turns each. */
async function memory() {
  const sessions = Number(flags.sessions);
  await load(guarded, 100, 16, { deltas: 5 });
  const before = (await ask(guarded, 'memory')).used;
  for (let turn = 1; turn <= 8; turn++)
    await load(guarded, sessions, 32, { deltas: 40, turnOf: () => turn, nameOf: (k) => `live-${k}` });
  const after = (await ask(guarded, 'memory')).used;
  return { sessions, bytesPerSession: (after - before) / sessions };
}

/** Requests without end of sessions that come back: memory must not grow with them. */
async function growth() {
  const requests = Number(flags.requests);
  const part = Math.max(100, Math.floor(requests / 10));
  const points = [];
  for (let done = 0; done < requests; done += part) {
    await load(guarded, part, 32, { deltas: 3, turnOf: () => 1, nameOf: (k) => `again-${k % 500}` });
    points.push(Math.round((await ask(guarded, 'memory')).used / 1024));
  }
  return { requests, kilobytes: points };
}

/** Sends requests, so many at once. By default each of those at once plays sessions of ten turns. */
async function load(server, count, atOnce, { deltas, apart = false, every = 0, from = 0, times, turnOf, nameOf }) {
  let next = 0;
  const worker = async (_, nth) => {
    for (let own = 0; next < count; own++) {
      const k = next++;
      const turn = turnOf?.(k) ?? 1 + (own % 10);
      const session = nameOf?.(k) ?? `s-${from}-${nth}-${Math.floor(own / 10)}`;
      await one(server.url, { session, turn, deltas, apart, every, from: from + k, times });
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
}

function one(url, { session, turn, deltas, apart, every, from, times }) {
  const messages = [{ role: 'user', content: `Look at part ${session}.` }];
  for (let k = 1; k < turn; k++) {
    const call = { id: `c${k}`, type: 'function', function: { name: 'read', arguments: `{"path":"file-${k}"}` } };
    messages.push({ role: 'assistant', content: null, tool_calls: [call] });
    messages.push({ role: 'tool', tool_call_id: `c${k}`, content: resultOf(`${session} ${k}`) });
  }
  const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }];
  const body = JSON.stringify({ model: 'm', stream: true, messages, tools });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-loopfuse-session': session,
    'x-deltas': deltas,
    'x-every': every,
    'x-from': from,
    'x-apart': apart ? '1' : '0',
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/v1/chat/completions`, { method: 'POST', headers, agent }, (answer) => {
      if (times !== undefined)
        answer.on('data', (bytes) => {
          const now = performance.timeOrigin + performance.now();
          for (const [, sent] of bytes.toString().matchAll(/"content":" ([\d.]{1,24}) "/g))
            times.push(now - Number(sent));
        });
      else answer.resume();
      answer.on('end', resolve);
      answer.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Some 600 characters that are like no other result: the gateway must have nothing to say about these sessions. */
function resultOf(name) {
  const digest = createHash('sha512').update(name).digest('base64').replace(/\d/g, 'x');
  return Array.from({ length: 7 }, (_, k) => `${digest.slice(k * 12, k * 12 + 10)} = ${digest.slice(k, k + 70)}`).join(
    '\n',
  );
}

function at(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function median(values) {
  return at(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

function report({ node, cores, load, store, throughput, delay, memory, growth }) {
  const ms = (value) => `${value.toFixed(2)} ms`;
  const percent = (share) => `${(share * 100).toFixed(0)} %`;
  console.log(`Node ${node}, ${cores} cores, load ${load.toFixed(1)} at the beginning, sessions in ${store}`);
  for (const [how, { bare, guarded, share, cpuShare }] of Object.entries(throughput ?? {})) {
    const pieces = how === 'apart' ? 'each in a piece of its own' : 'all together';
    console.log(`requests of ${flags.deltas} deltas, ${pieces} (medians of ${flags.rounds} rounds):`);
    console.log(
      `  bare ${bare.perSecond.toFixed(0)}/s, guarded ${guarded.perSecond.toFixed(0)}/s = ${percent(share)}; processor time bare ${ms(bare.cpuMs)}, guarded ${ms(guarded.cpuMs)} a request = ${percent(cpuShare)}`,
    );
  }
  for (const { streams, bare, guarded } of delay ?? [])
    console.log(
      `a delta with ${streams} streams: bare p50 ${ms(bare.p50)} p99 ${ms(bare.p99)}, guarded p50 ${ms(guarded.p50)} p99 ${ms(guarded.p99)}; added p50 ${ms(guarded.p50 - bare.p50)} p99 ${ms(guarded.p99 - bare.p99)}`,
    );
  if (memory !== undefined)
    console.log(
      `memory of a live session: ${(memory.bytesPerSession / 1000).toFixed(1)} kB (${memory.sessions} sessions of 8 turns)`,
    );
  if (growth !== undefined)
    console.log(`memory used over ${growth.requests} requests of 500 sessions: ${growth.kilobytes.join(', ')} kB`);
}
