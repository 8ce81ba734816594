// A conversation of many turns against the scripted model: memory, the size of the session file, and what the loop
// guard takes of each turn. `node --expose-gc scripts/endurance.mjs [turns]`
import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const turns = Number(process.argv[2] ?? 2000);
const home = mkdtempSync(join(tmpdir(), 'loopfuse-endurance-'));
const root = join(home, 'work');
const files = 50;
mkdirSync(root, { recursive: true });
for (let k = 0; k < files; k++)
  writeFileSync(
    join(root, `f${k}.txt`),
    Array.from({ length: 60 }, (_, line) => `file ${k}, line ${line}: ${(k * 7919 + line * 104729) % 99991}`).join(
      '\n',
    ),
  );

const bundle = async (name, contents) => {
  const outfile = join(home, name);
  await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('..', import.meta.url)), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['loopfuse-source'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    outfile,
    logLevel: 'error',
  });
  return outfile;
};

// Every turn says something and looks at something else; every tenth writes what it found.
const model = await bundle(
  'model.mjs',
  `import { startModelServer } from '../testkit/src/model-server/index.ts';
   let n = 0;
   const server = await startModelServer({ keep: 1, script: ({ tools }) => {
     if (tools.length === 0) return { parts: [{ text: 'Notes up to step ' + n + '.' }] };
     n++;
     const call = n % 10 === 0
       ? { tool: 'write_file', input: { path: 'notes.txt', content: 'step ' + n } }
       : { tool: 'read_file', input: { path: 'f' + (n * 17 % ${files}) + '.txt', offset: 1 + n % 40 } };
     return { parts: [{ text: 'Step ' + n + ': next I look at ' + JSON.stringify(call.input).slice(0, 40) + '. ' }, { call }] };
   } });
   process.send(server.url);
   process.on('disconnect', () => process.exit());`,
);
const agent = await bundle('agent.mjs', "export * from './src/index.ts';");
const { createClient, createModel } = await import(agent);
const server = fork(model);
const url = await new Promise((resolve) => server.once('message', resolve));

const sessionFile = join(home, 'session.json');
const chosen = createModel({ provider: 'openai-compatible', model: 'scripted', baseURL: `${url}/v1` }, {});
const client = createClient({
  model: chosen.model,
  root,
  sessionFile,
  approval: 'yolo',
  maxTurns: turns,
  contextTokens: 32_000,
});
let inGuard = 0;
let events = 0;
const { observe } = client.guard;
client.guard.observe = (event) => {
  const before = performance.now();
  const decision = observe(event);
  inGuard += performance.now() - before;
  events++;
  return decision;
};

const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
const begun = performance.now();
let turn = 0;
let compressed = 0;
let last;
for await (const event of client.sendMessageStream('Look at all of the files, again and again, and keep notes.')) {
  last = event;
  if (event.type === 'history-compressed') compressed++;
  if (event.type !== 'token-usage') continue;
  turn++;
  if (turn % Math.ceil(turns / 8) === 0) {
    globalThis.gc?.();
    console.log(
      `turn ${turn}: heap ${megabytes(process.memoryUsage().heapUsed)}, history ${client.history.length} messages, file ${megabytes(statSync(sessionFile).size)}`,
    );
  }
}
const total = performance.now() - begun;
console.log(`ended with ${last.type} after ${turn} turns, ${compressed} compressions`);
console.log(
  `${(total / turn).toFixed(2)} ms a turn; the guard took ${(inGuard / turn).toFixed(3)} ms of it for ${(events / turn).toFixed(1)} events: ${((100 * inGuard) / total).toFixed(2)} %`,
);
server.disconnect();
rmSync(home, { recursive: true, force: true });
