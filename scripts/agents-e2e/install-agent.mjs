import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../.cache/agents', import.meta.url));

/** The folder of an agent's programs, to be put on the path. */
export function binOf({ name }) {
  return join(cache, name, 'node_modules/.bin');
}

/**
 * Installs an agent at its version into `.cache/agents/<name>`, unless it is there already. A registry that fails gets a
 * second chance. Rejects with the name of the agent and what npm said.
 */
export async function installAgent(agent, node) {
  const folder = join(cache, agent.name);
  const mark = join(folder, 'installed.txt');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === agent.package) return;
  let said = '';
  for (let attempt = 1; attempt <= 2; attempt++) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const ended = await npmInstall(folder, agent.package, node);
    said = ended.said;
    if (ended.code === 0 && existsSync(join(binOf(agent), agent.command))) {
      writeFileSync(mark, agent.package);
      return;
    }
  }
  throw new Error(`${agent.name}: ${agent.package} could not be installed, twice. npm said:\n${said.slice(-2000)}`);
}

const patience = 240_000;

function npmInstall(folder, wanted, node) {
  // A package file of its own, or npm takes the repository's for the one to install into.
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const args = ['install', '--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error', wanted];
  return new Promise((resolve) => {
    const child = spawn('npm', args, {
      cwd: folder,
      env: { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}` },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: patience,
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    child.on('error', (cause) => resolve({ code: -1, said: cause.message }));
    child.on('close', (code, signal) => resolve({ code: code ?? signal, said: `${said}${signal ?? ''}` }));
  });
}
