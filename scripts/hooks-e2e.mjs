// Loopfuse in the hooks of the real agents, end to end: installs the agents (once, into .cache/agents), lets
// `loopfuse install` put the hooks into a clean home folder of each, runs them against the scripted model server without a
// network, breaks what can break, and takes the hooks out again. Give names to try only those (claude-code, codex, …);
// --keep leaves the home folders for a look.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installAgent } from './agents-e2e/install-agent.mjs';
import { isolation, runWrapped } from './agents-e2e/isolated.mjs';
import { hookedAgents } from './hooks-e2e/hooked-agents.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const words = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith('--'));
const unknown = names.filter((name) => !hookedAgents.some((agent) => agent.name === name));
if (unknown.length > 0) {
  console.error(`no agent ${JSON.stringify(unknown[0])}; there are ${hookedAgents.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

const begun = Date.now();
const node = execFileSync(process.execPath, [here('on-node.mjs'), '24', '-p', 'process.execPath'], {
  encoding: 'utf8',
}).trim();
for (const { name, agent } of hookedAgents) {
  if (names.length > 0 && !names.includes(name)) continue;
  try {
    await installAgent(agent, node);
  } catch (cause) {
    console.error(cause.message);
    process.exit(1);
  }
}
const wrapping = isolation();
if (wrapping === undefined) console.log('This system grants no namespaces: the agents keep their network.');
const root = realpathSync(mkdtempSync(join(tmpdir(), 'loopfuse-hooks-')));
const code = await runWrapped(wrapping ?? [], node, [here('hooks-e2e/rehearse.mjs'), root, ...names]);
if (words.includes('--keep')) console.log(`Kept: ${root}`);
else rmSync(root, { recursive: true, force: true, maxRetries: 5 });
console.log(`It took ${Math.round((Date.now() - begun) / 1000)} s.`);
process.exit(code);
