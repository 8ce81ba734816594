// Runs what compose.yaml describes, as far as a machine without containers can: Redis and the gateways with the commands that
// stand in it, and Debian's nginx with our configuration, on free ports. An agent that loops is stopped, though its requests
// land on both gateways, one of which is killed on the way; Redis is killed and started again.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { askModel, loopsForever, startModelServer } from '../packages/model-server/dist/index.js';
import { installRedis } from '../packages/testkit/dist/redis-server.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (name) => readFileSync(join(root, name), 'utf8');
const work = mkdtempSync(join(tmpdir(), 'loopfuse-deploy-'));
const token = 'a-token-for-the-test';
const running = [];
let logged = '';

installRedis();
install('nginx', '/usr/sbin/nginx', 'nginx-light');
const { services } = parse(read('compose.yaml'), { merge: true });
assert.deepEqual(Object.keys(services), ['redis', 'gateway-1', 'gateway-2', 'balancer']);
checkDockerfile();

const model = await startModelServer({ script: loopsForever() });
try {
  const [redisPort, onePort, otherPort, port] = await freePorts(4);
  const ports = { 'gateway-1': onePort, 'gateway-2': otherPort };
  let redis = await startRedis(redisPort);
  const gateways = {};
  for (const name of ['gateway-1', 'gateway-2']) gateways[name] = await startGateway(name, ports[name], redisPort);
  await startBalancer(port, ports);
  const base = `http://127.0.0.1:${port}/~${token}`;

  assert.equal((await fetch(`http://127.0.0.1:${port}/v1/models`)).status, 401, 'no token, no answer');
  assert.match(await (await fetch(`${base}/`)).text(), /<title>Loopfuse gateway<\/title>/);
  assert.match(await (await fetch(`${base}/metrics`)).text(), /loopfuse_store_up 1/);
  console.log('balancer, page and metrics answer');

  const whole = await drive(base, 'looping');
  assert.ok(whole.stopped && whole.calls <= 5, `stopped after ${whole.calls} calls`);
  console.log(`a loop over two gateways is stopped after ${whole.calls} calls`);

  const killed = await drive(base, 'killed', async (calls) => {
    if (calls === 2) await end(gateways['gateway-1']);
  });
  assert.ok(killed.stopped && killed.calls <= 6, `stopped after ${killed.calls} calls`);
  console.log(`with one gateway killed on the way, after ${killed.calls}`);

  const away = await drive(base, 'away', async (calls) => {
    if (calls === 1) await end(redis);
    if (calls === 2) redis = await startRedis(redisPort);
  });
  assert.ok(away.stopped && away.calls <= 6, `stopped after ${away.calls} calls`);
  console.log(`with Redis killed and started again on the way, after ${away.calls}`);
  assert.match(logged, /fault: Redis at /);
  assert.match(logged, /going on with what this process remembers/);
  for (let k = 0; !logged.includes('the store works again'); k++) {
    assert.ok(k < 20, 'the store works again by itself');
    await drive(base, `after-${k}`);
    await pause(500);
  }
  assert.ok(!logged.includes(token), 'the token is in no log');
} catch (cause) {
  console.error(logged.replaceAll(token, '***'));
  throw cause;
} finally {
  for (const child of running) await end(child);
  await model.close();
  rmSync(work, { recursive: true, force: true });
}

/** Every file that is copied is there, and the last command is one that we have. */
function checkDockerfile() {
  const lines = read('Dockerfile').split('\n');
  const entry = JSON.parse(/^ENTRYPOINT (.+)$/m.exec(read('Dockerfile'))[1]);
  assert.ok(existsSync(join(root, entry[1])), `${entry[1]} is not there`);
  const command = JSON.parse(lines.find((line) => line.startsWith('CMD ')).slice(4));
  execFileSync('node', [join(root, entry[1]), command[0], '--help']);
  for (const [, path] of read('Dockerfile').matchAll(/^COPY --from=build \/app\/(\S+)/gm))
    assert.ok(existsSync(join(root, path)), `${path} is not there`);
}

async function startRedis(port) {
  const [, ...args] = wordsOf(services.redis.command);
  const child = start('redis-server', [...args, '--port', String(port), '--bind', '127.0.0.1', '--dir', work]);
  await answers(port);
  return child;
}

async function startGateway(name, port, redisPort) {
  const args = wordsOf(services[name].command).map((word) =>
    word === '0.0.0.0'
      ? '127.0.0.1'
      : word === '8787'
        ? String(port)
        : word.replace('//redis:6379', `//127.0.0.1:${redisPort}`),
  );
  const upstream = ['openai', 'anthropic', 'gemini'].flatMap((one) => ['--upstream', `${one}=${model.url}`]);
  const env = { ...process.env, LOOPFUSE_GATEWAY_TOKEN: token };
  const child = start(process.execPath, [join(root, 'packages/cli/bin/loopfuse.js'), ...args, ...upstream], env);
  await answers(port);
  return child;
}

async function startBalancer(port, ports) {
  const file = join(work, 'nginx.conf');
  let text = read('deploy/nginx.conf')
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replaceAll('/tmp/nginx', `${work}/nginx`);
  for (const [name, own] of Object.entries(ports)) text = text.replace(`${name}:8787`, `127.0.0.1:${own}`);
  writeFileSync(file, text);
  execFileSync('/usr/sbin/nginx', ['-t', '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  start('/usr/sbin/nginx', ['-c', file, '-g', 'daemon off; user root;']);
  await answers(port);
}

/** A small agent that repeats what the model calls. */
async function drive(url, session, onCalls = async () => {}) {
  const empty = { text: '', reasoning: '', calls: [], results: [] };
  const tools = [{ name: 'read_file', description: 'reads', takes: 'object', parameters: { type: 'object' } }];
  const messages = [{ ...empty, role: 'user', text: 'Go on.' }];
  for (let calls = 0; calls < 20; calls++) {
    const answer = await askModel({
      ...{ url, protocol: 'openai-chat', stream: true, messages, tools, system: 'You are an agent.' },
      headers: { 'x-loopfuse-session': session },
    });
    assert.equal(answer.status, 200);
    if (answer.calls.length === 0) return { calls, stopped: /Loopfuse stopped this run/.test(answer.text) };
    messages.push({ ...empty, role: 'assistant', text: answer.text, calls: answer.calls });
    messages.push({
      ...empty,
      role: 'tool',
      results: answer.calls.map(({ id, tool }) => ({ id, tool, text: 'the same' })),
    });
    await onCalls(calls + 1);
  }
  return { calls: 20, stopped: false };
}

function start(command, args, env = process.env) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      logged += text;
    });
  running.push(child);
  return child;
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(child.spawnfile.endsWith('nginx') ? 'SIGTERM' : 'SIGKILL');
  await exit;
}

async function answers(port) {
  for (let attempt = 0; attempt < 600; attempt++) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isThere) return;
    await pause(50);
  }
  throw new Error(`nothing listens on port ${port}`);
}

/** A command line as compose splits it, as far as ours need. */
function wordsOf(command) {
  return command.match(/"[^"]*"|\S+/g).map((word) => word.replaceAll('"', ''));
}

async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function install(name, binary, packageName) {
  if (existsSync(binary)) return;
  console.log(`Installing ${name} from Debian …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', packageName]])
    execFileSync('apt-get', ['-qq', ...args], { stdio: 'inherit', env });
}
