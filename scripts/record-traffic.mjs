// Records what the real agents and the scripted model server say to each other, as fixtures of packages/wire: one file for
// each agent with the requests and the answers of a short session, byte for byte where it matters. Texts of the agents'
// makers (prompts, descriptions of tools) are cut short, and paths of this machine are replaced.
// node scripts/record-traffic.mjs [NAME…]; the agents are installed as by `npm run test:agents`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { innocent, startModelServer, workspaceFiles } from '@loopfuse/model-server';
import { askRoute } from '@loopfuse/wire';
import { agents } from './agents-e2e/agents.mjs';
import { binOf, installAgent } from './agents-e2e/install-agent.mjs';
import { runProgram } from './agents-e2e/run-program.mjs';

const names = process.argv.slice(2);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const node = execFileSync(process.execPath, [here('on-node.mjs'), '24', '-p', 'process.execPath'], {
  encoding: 'utf8',
}).trim();
/** So many requests are kept of every agent. */
const kept = 3;
/** Texts longer than this are cut. */
const longest = 160;

for (const agent of agents) {
  if (agent.package === undefined || (names.length > 0 && !names.includes(agent.name))) continue;
  await installAgent(agent, node);
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'loopfuse-traffic-')));
  const server = await startModelServer({ script: innocent() });
  const proxy = await startRecorder(server.url);
  const folder = join(home, 'project');
  put(folder, workspaceFiles);
  const place = { url: proxy.url, home, prompt: 'Say what the main function does.' };
  put(home, agent.prepare?.(place) ?? {});
  const env = { PATH: `${binOf(agent)}:${dirname(node)}:${process.env.PATH}`, HOME: home, TMPDIR: home, TERM: 'dumb' };
  const start = ({ args, env: own }) => runProgram(agent.command, args, { cwd: folder, env: { ...env, ...own } });
  if (agent.before) await start(agent.before(place));
  const { code } = await start(agent.run(place));
  await proxy.close();
  await server.close();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  const scrub = (text) => text.replaceAll(home, '/home/user').replaceAll(proxy.url, 'http://127.0.0.1:1');
  const asked = proxy.exchanges.filter(({ protocol }) => protocol !== undefined);
  for (const protocol of new Set(asked.map((one) => one.protocol))) {
    const exchanges = asked
      .filter((one) => one.protocol === protocol)
      .slice(0, kept)
      .map(({ path, headers, request, contentType, response }) => ({
        ...{
          path,
          headers,
          contentType,
          request: shortened(JSON.parse(scrub(request))),
          response: shortenedStream(scrub(response)),
        },
      }));
    const file = here(`../packages/wire/src/${protocol}/fixtures/${agent.name}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ agent: agent.package, exchanges }, null, 1)}\n`);
  }
  console.log(`${agent.name}: ${asked.length} requests, ended with ${code}`);
}

/** Passes everything on, and keeps it. */
async function startRecorder(upstream) {
  const exchanges = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray());
    const [path, search] = incoming.url.split('?');
    const headers = { ...incoming.headers, 'accept-encoding': 'identity' };
    const forwarded = request(upstream + incoming.url, { method: incoming.method, headers }, async (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      const chunks = [];
      answer.on('data', (chunk) => {
        chunks.push(chunk);
        outgoing.write(chunk);
      });
      answer.on('end', () => {
        outgoing.end();
        exchanges.push({
          ...{
            path: incoming.url,
            protocol: incoming.method === 'POST' ? askRoute(path, search)?.protocol : undefined,
          },
          headers: sessionHeaders(incoming.headers),
          ...{ request: body.toString(), contentType: answer.headers['content-type'] },
          response: Buffer.concat(chunks).toString(),
        });
      });
    });
    forwarded.on('error', () => outgoing.destroy());
    forwarded.end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    exchanges,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Only what names the agent and its session. */
function sessionHeaders(headers) {
  const wanted = Object.entries(headers).filter(([name]) =>
    /session|thread|agent|turn|conversation|interaction/.test(name),
  );
  return Object.fromEntries(wanted);
}

/** The same framing around shortened chunks. */
function shortenedStream(text) {
  return text.replace(
    /^(data: )({.*?)(\r?)$/gm,
    (_, name, data, end) => `${name}${JSON.stringify(shortened(JSON.parse(data)))}${end}`,
  );
}

function shortened(value) {
  if (typeof value === 'string') return value.length > longest ? `${value.slice(0, longest)}…` : value;
  if (Array.isArray(value)) return value.map(shortened);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'tools' ? fewTools(inner) : shortened(inner)]),
  );
}

/** Two tools are enough. */
function fewTools(tools) {
  if (!Array.isArray(tools)) return shortened(tools);
  return tools.slice(0, 2).map((tool) => shortened(tool));
}

function put(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof text === 'string' ? text : JSON.stringify(text));
  }
}
