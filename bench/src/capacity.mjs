/**
 * What many live sessions need: recorded sessions are played through two gateways on one Redis behind a balancer, first as
 * fast as they go, for the cost of a request, then at the pace at which they were recorded. One gateway is killed on the
 * way, and Redis is stopped and started.
 *
 *     npm run bench:capacity                         the sessions of the corpus
 *     npm run bench:capacity -- PATH                 sessions of your own
 *     npm run bench:capacity -- --live 500 --seconds 60 --json
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startRedis } from '../../packages/testkit/dist/redis-server.js';
import { playSession } from './capacity-agent.mjs';
import { startBalancer } from './capacity-balancer.mjs';
import { forecast } from './capacity-forecast.mjs';
import { ratesOf, recordedSessions } from './capacity-sessions.mjs';
import { startUpstream } from './capacity-upstream.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    live: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '30' },
    plays: { type: 'string', default: '400' },
    decisions: { type: 'string', default: '150' },
    json: { type: 'boolean', default: false },
  },
});
const { Redis } = createRequire(new URL('../../packages/store/package.json', import.meta.url))('ioredis');
const path = positionals[0] ?? fileURLToPath(new URL('../../corpus', import.meta.url));
const say = (text) => flags.json || console.log(text);

const recorded = await recordedSessions(path);
assert.ok(recorded.length > 0, `no sessions with three turns under ${path}`);
const rates = ratesOf(recorded);
assert.ok(rates.timedRequests > 0, 'no session says when its events happened');
const redis = await startRedis();
const client = new Redis(redis.url);
client.on('error', () => {}); // It is stopped on purpose, and comes back.
const upstream = await startUpstream(recorded);
const children = [];
const result = { node: process.version, cores: availableParallelism(), load: loadavg()[0], rates };
try {
  // In shadow nothing is changed, so that every recorded session is played to its end.
  const gateways = [await startGateway('shadow'), await startGateway('shadow')];
  const balancer = await startBalancer(gateways.map(({ url }) => url));
  result.cost = await measureCost(gateways, balancer);
  result.live = await measureLive(gateways, balancer);
  result.faults = await measureFaults(gateways, balancer);
  balancer.close();
  result.decisions = await checkDecisions();
  result.forecast = [10_000, 1_000_000].map((sessions) => forecast(sessions, result));
  if (flags.json) console.log(JSON.stringify(result, undefined, 2));
  else print(result);
} finally {
  for (const child of children) child.kill('SIGKILL');
  upstream.close();
  client.disconnect();
  await redis.remove();
}

async function startGateway(onLoop, store = redis.url) {
  const child = fork(fileURLToPath(new URL('./capacity-gateway.mjs', import.meta.url)), [upstream.url, store, onLoop]);
  children.push(child);
  const [{ url }] = await once(child, 'message');
  return {
    url,
    child,
    async usage() {
      const answer = once(child, 'message');
      child.send('usage');
      return (await answer)[0].usage;
    },
  };
}

/** As fast as they go, 32 at a time: processor time, Redis and network for each request. */
async function measureCost(gateways, { url }) {
  say(`Playing ${flags.plays} sessions as fast as they go …`);
  const plays = Number(flags.plays);
  await play(url, 32, Math.min(20, plays), 'warm'); // compiled code and open connections
  const before = await usageOf(gateways);
  const started = performance.now();
  const latencies = await play(url, 32, plays, 'cost');
  const seconds = (performance.now() - started) / 1_000;
  const used = difference(await usageOf(gateways), before);
  const keys = await client.zcard('loopfuse:recent');
  const requests = latencies.length;
  return {
    requests,
    seconds,
    gatewayMs: used.cpuMs / requests,
    redisMs: used.redisCpuMs / requests,
    redisCommands: used.commands / requests,
    redisBytesIn: used.bytesIn / requests,
    redisBytesOut: used.bytesOut / requests,
    redisBytesForSession: (await usageOf([])).memory / keys,
    ...percentiles(latencies),
  };
}

/** Many at once, each at the pace at which it was recorded. */
async function measureLive(gateways, { url }) {
  const live = Number(flags.live);
  const seconds = Number(flags.seconds);
  say(`Playing ${live} live sessions at their recorded pace for ${seconds} s …`);
  const until = Date.now() + seconds * 1_000;
  const before = await usageOf(gateways);
  const latencies = [];
  const meanGap = rates.secondsBetweenRequests * 1_000;
  await Promise.all(
    Array.from({ length: live }, async (_, k) => {
      await wait(Math.random() * Math.min(meanGap, seconds * 1_000));
      for (let n = 0; Date.now() < until; n++) {
        const session = (k * 31 + n) % recorded.length;
        await playSession({
          ...{ url: () => url, session, key: `live-${k}-${n}`, recorded: recorded[session] },
          pace: (gap) => wait(Math.min(gap ?? meanGap, Math.max(0, until - Date.now()))),
          until: () => Date.now() >= until,
          onAnswer: (ms) => latencies.push(ms),
        });
      }
    }),
  );
  const used = difference(await usageOf(gateways), before);
  return {
    ...{ live, seconds, requests: latencies.length, requestsPerSecond: latencies.length / seconds },
    coresUsed: used.cpuMs / 1_000 / seconds,
    ...percentiles(latencies),
  };
}

/** Every request of every session is answered while a gateway is killed and while Redis is away. */
async function measureFaults([first, second], { url }) {
  say('Killing a gateway, then stopping and starting Redis …');
  let killed = 0;
  const plays = Math.min(60, Number(flags.plays));
  const during = play(url, 16, plays, 'kill', () => {
    if (++killed === 50) first.child.kill('SIGKILL');
  });
  const afterKill = (await during).length;
  let answered = 0;
  const away = play(url, 16, plays, 'away', async () => {
    answered++;
    if (answered === 50) await redis.stop();
    if (answered === 150) await redis.start();
  });
  const afterRedis = (await away).length;
  if (answered < 150) await redis.start();
  const { faults } = await second.usage();
  assert.ok(faults > 0, 'a Redis that is away is reported');
  return {
    requestsWithAGatewayKilled: afterKill,
    requestsWithRedisAway: afterRedis,
    unanswered: 0,
    faultsReported: faults,
  };
}

/** A session that loops is stopped at the same request by two gateways that take turns as by one alone. */
async function checkDecisions() {
  say('Comparing the decisions of two gateways with those of one …');
  const alone = await startGateway('steer', 'memory:');
  const pair = await Promise.all([startGateway('steer'), startGateway('steer')]);
  const balancer = await startBalancer(pair.map(({ url }) => url));
  let stopped = 0;
  let requests = 0;
  const compared = recorded.slice(0, Number(flags.decisions));
  for (const [session, one] of compared.entries()) {
    const counts = [];
    for (const url of [alone.url, balancer.url]) {
      let count = 0;
      const ended = await playSession({
        ...{ url: () => url, session, key: `decide-${session}`, recorded: one },
        pace: async () => {},
        until: () => false,
        onAnswer: () => {
          count++;
        },
      });
      counts.push(`${ended} after ${count}`);
      requests += count;
      if (ended === 'stopped') stopped++;
    }
    assert.equal(counts[1], counts[0], `session ${session}: two gateways decide otherwise than one`);
  }
  balancer.close();
  return { sessions: compared.length, requests, stoppedByBoth: stopped / 2 };
}

async function play(url, atOnce, plays, name, onRequest = () => {}) {
  const latencies = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < plays) {
        const k = next++;
        const session = k % recorded.length;
        await playSession({
          ...{ url: () => url, session, key: `${name}-${k}`, recorded: recorded[session] },
          pace: async () => {},
          until: () => false,
          onAnswer(ms, status) {
            assert.equal(status, 200);
            latencies.push(ms);
            void onRequest();
          },
        });
      }
    }),
  );
  return latencies;
}

async function usageOf(gateways) {
  const info = Object.fromEntries(
    (await client.info())
      .split('\r\n')
      .flatMap((line) => (line.includes(':') ? [line.split(/:(.*)/s).slice(0, 2)] : [])),
  );
  const used = await Promise.all(gateways.map((gateway) => gateway.usage()));
  return {
    cpuMs: used.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    redisCpuMs: (Number(info.used_cpu_user) + Number(info.used_cpu_sys)) * 1_000,
    commands: Number(info.total_commands_processed),
    bytesIn: Number(info.total_net_input_bytes),
    bytesOut: Number(info.total_net_output_bytes),
    memory: Number(info.used_memory) - Number(info.used_memory_startup),
  };
}

function difference(after, before) {
  return Object.fromEntries(Object.keys(after).map((key) => [key, after[key] - before[key]]));
}

function percentiles(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function print({ rates: r, cost, live, faults, decisions, forecast: rows, cores, load, node }) {
  const n = (value, digits = 2) => Number(value.toFixed(digits)).toLocaleString('en-GB');
  console.log(`
${node}, ${cores} cores, load ${n(load, 1)}
Recorded: ${r.sessions} sessions, ${r.requests} requests; one every ${n(r.secondsBetweenRequests, 1)} s (median ${n(r.medianSecondsBetweenRequests, 1)} s), of ${n(r.requestBytes / 1e3, 1)} kB
A request costs: ${n(cost.gatewayMs)} ms of a gateway's core, ${n(cost.redisMs, 3)} ms of Redis's core, ${n(cost.redisCommands, 1)} commands,
  ${n(cost.redisBytesIn / 1e3)} kB to Redis, ${n(cost.redisBytesOut / 1e3)} kB from it (${cost.requests} requests in ${n(cost.seconds, 1)} s; p50 ${n(cost.p50Ms, 1)} ms, p99 ${n(cost.p99Ms, 1)} ms)
A session takes ${n(cost.redisBytesForSession / 1e3, 1)} kB of Redis
Live: ${live.live} sessions, ${n(live.requestsPerSecond, 1)} requests/s, ${n(live.coresUsed)} cores of gateways, p50 ${n(live.p50Ms, 1)} ms, p99 ${n(live.p99Ms, 1)} ms
Faults: ${faults.requestsWithAGatewayKilled} requests with a gateway killed, ${faults.requestsWithRedisAway} with Redis away, none unanswered
Decisions: ${decisions.sessions} sessions, ${decisions.stoppedByBoth} stopped, at the same request by two gateways as by one`);
  for (const row of rows) console.log(`\n${row.words.join('\n')}`);
}
