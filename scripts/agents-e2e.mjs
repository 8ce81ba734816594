// The real agents, end to end: installs them (once, into .cache/agents), runs each of them against the scripted model
// server in a clean home folder without a network, and lets `loopfuse scan` and `loopfuse watch` find what they did.
// Give names to try only those (claude-code, codex, …); --keep leaves the home folder for a look.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agents } from './agents-e2e/agents.mjs';
import { installAgent } from './agents-e2e/install-agent.mjs';
import { isolation, runWrapped } from './agents-e2e/isolated.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const words = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith('--'));
const unknown = names.filter((name) => !agents.some((agent) => agent.name === name));
if (unknown.length > 0) {
  console.error(`no agent ${JSON.stringify(unknown[0])}; there are ${agents.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

const begun = Date.now();
const node = execFileSync(process.execPath, [here('on-node.mjs'), '24', '-p', 'process.execPath'], {
  encoding: 'utf8',
}).trim();
for (const agent of agents) {
  if (agent.package === undefined || (names.length > 0 && !names.includes(agent.name))) continue;
  const since = Date.now();
  try {
    await installAgent(agent, node);
  } catch (cause) {
    console.error(cause.message);
    process.exit(1);
  }
  if (Date.now() - since > 500) console.log(`installed ${agent.package} in ${seconds(since)}`);
}
const wrapping = isolation();
if (wrapping === undefined) console.log('This system grants no namespaces: the agents keep their network.');
const home = realpathSync(mkdtempSync(join(tmpdir(), 'loopfuse-agents-')));
const code = await runWrapped(wrapping ?? [], node, [here('agents-e2e/rehearse.mjs'), home, ...names]);
if (words.includes('--keep')) console.log(`Kept: ${home}`);
else rmSync(home, { recursive: true, force: true, maxRetries: 5 });
console.log(`It took ${seconds(begun)}.`);
process.exit(code);

function seconds(since) {
  return `${Math.round((Date.now() - since) / 1000)} s`;
}
