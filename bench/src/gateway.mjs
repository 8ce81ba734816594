/**
 * What the gateway costs beside a bare streaming proxy on the same HTTP stack: the same server, asked at a path that is no
 * question to a model, passes bytes on and reads nothing.
 *
 *     npm run bench:gateway                        everything
 *     npm run bench:gateway -- --requests 10000    fewer requests for the growth of memory (100,000)
 *     npm run bench:gateway -- --json              the figures as JSON
 *
 * Client, upstream and gateway are three processes. Throughput is measured in rounds in which the two take turns, so that
 * other work on the machine disturbs both alike; processor time of the gateway is what to look at on a busy machine.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: flags } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    sessions: { type: 'string', default: '2000' },
    streams: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const upstream = fork(here('gateway-upstream.mjs'));
const [{ url: upstreamUrl }] = await once(upstream, 'message');
const gateway = fork(here('gateway-serve.mjs'), [upstreamUrl], { execArgv: ['--expose-gc'] });
const [{ url }] = await once(gateway, 'message');
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const guarded = '/v1/chat/completions';
const bare = '/v1/bare/completions';

const result = {
  cores: availableParallelism(),
  load: loadavg()[0],
  ...(await throughput()),
  ...(await delay()),
  ...(await memory()),
};
result.growth = await growth();
upstream.disconnect();
gateway.disconnect();
agent.destroy();
if (flags.json) console.log(JSON.stringify(result));
else report(result);

/** Requests of 200 deltas, 16 at a time, one way and the other. */
async function throughput() {
  const figures = { [bare]: [], [guarded]: [] };
  const cpu = { [bare]: 0, [guarded]: 0 };
  const batch = 200;
  await load(guarded, 50, 16, { deltas: 200 });
  for (let round = 0; round < Number(flags.rounds); round++)
    for (const path of round % 2 === 0 ? [bare, guarded] : [guarded, bare]) {
      const before = (await ask()).cpu;
      const begun = performance.now();
      await load(path, batch, 16, { deltas: 200, from: round * batch });
      figures[path].push(batch / ((performance.now() - begun) / 1000));
      const after = (await ask()).cpu;
      cpu[path] += (after.user + after.system - before.user - before.system) / 1000;
    }
  const best = (path) => Math.max(...figures[path]);
  const count = batch * Number(flags.rounds);
  return {
    throughput: {
      bare: best(bare),
      guarded: best(guarded),
      share: best(guarded) / best(bare),
      bareCpuMs: cpu[bare] / count,
      guardedCpuMs: cpu[guarded] / count,
    },
  };
}

/** The time from the upstream's write to the client's read, with many paced streams at once. */
async function delay() {
  const streams = Number(flags.streams);
  const measure = async (path, count) => {
    const times = [];
    await load(path, count, count, { deltas: 20, every: 250, times });
    times.sort((a, b) => a - b);
    return { p50: at(times, 0.5), p99: at(times, 0.99), deltas: times.length };
  };
  const few = { bare: await measure(bare, 20), guarded: await measure(guarded, 20) };
  const many = { bare: await measure(bare, streams), guarded: await measure(guarded, streams) };
  return { delay: { few, many, streams } };
}

/** Live sessions of eight turns each. */
async function memory() {
  const sessions = Number(flags.sessions);
  await load(guarded, 100, 16, { deltas: 5 });
  const before = (await ask()).used;
  for (let turn = 1; turn <= 8; turn++) await load(guarded, sessions, 32, { deltas: 40, turn, named: true });
  const after = (await ask()).used;
  return { memory: { sessions, bytesPerSession: (after - before) / sessions } };
}

/** Requests without end of sessions that come back: memory must not grow with them. */
async function growth() {
  const requests = Number(flags.requests);
  const part = Math.max(100, Math.floor(requests / 10));
  const points = [];
  for (let done = 0; done < requests; done += part) {
    await load(guarded, part, 32, { deltas: 3, sessions: 500 });
    points.push(Math.round((await ask()).used / 1024));
  }
  return { requests, kilobytes: points };
}

async function ask() {
  gateway.send('memory');
  return (await once(gateway, 'message'))[0];
}

async function load(path, count, atOnce, { deltas, every = 0, from = 0, times, turn = 1, named = false, sessions }) {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const k = next++;
      const session = sessions === undefined ? (named ? `named-${k}` : `s-${from + k}`) : `again-${k % sessions}`;
      await one(path, { session, turn, deltas, every, from: from + k, times });
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
}

function one(path, { session, turn, deltas, every, from, times }) {
  const messages = [{ role: 'user', content: `Look at part ${session}.` }];
  for (let k = 1; k < turn; k++) {
    const tool_calls = [
      { id: `c${k}`, type: 'function', function: { name: 'read', arguments: `{"path":"file-${k}"}` } },
    ];
    messages.push({ role: 'assistant', content: null, tool_calls });
    messages.push({ role: 'tool', tool_call_id: `c${k}`, content: `line ${k} of ${session}\n`.repeat(30) });
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
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, { method: 'POST', headers, agent }, (answer) => {
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

function at(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function report({ cores, load, throughput, delay, memory, growth }) {
  const ms = (value) => `${value.toFixed(2)} ms`;
  console.log(`${cores} cores, load ${load.toFixed(1)} at the beginning`);
  console.log(
    `throughput, 200 deltas a request: bare ${throughput.bare.toFixed(0)}/s, guarded ${throughput.guarded.toFixed(0)}/s = ${(throughput.share * 100).toFixed(0)} %`,
  );
  console.log(
    `processor time of the gateway a request: bare ${ms(throughput.bareCpuMs)}, guarded ${ms(throughput.guardedCpuMs)}`,
  );
  for (const [name, { bare, guarded }] of [
    ['20 streams', delay.few],
    [`${delay.streams} streams`, delay.many],
  ])
    console.log(
      `a delta with ${name}: bare p50 ${ms(bare.p50)} p99 ${ms(bare.p99)}, guarded p50 ${ms(guarded.p50)} p99 ${ms(guarded.p99)}; added p50 ${ms(guarded.p50 - bare.p50)} p99 ${ms(guarded.p99 - bare.p99)}`,
    );
  console.log(
    `memory of a live session: ${(memory.bytesPerSession / 1000).toFixed(1)} kB (${memory.sessions} sessions of 8 turns)`,
  );
  console.log(`memory used over ${growth.requests} requests of 500 sessions: ${growth.kilobytes.join(', ')} kB`);
}
