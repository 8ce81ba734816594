// The real agents through `loopfuse run`, end to end: installs them (once, into .cache/agents), runs each of them against
// the scripted model server in a clean home folder without a network, and looks at both sides of the gateway.
// Give names to try only those (claude-code, codex, …); --keep leaves the home folder for a look.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agents } from './agents-e2e/agents.mjs';
import { installAgent } from './agents-e2e/install-agent.mjs';
import { isolation, runWrapped } from './agents-e2e/isolated.mjs';

/** The agents that `loopfuse run` knows how to point at a gateway. */
const guarded = ['claude-code', 'codex', 'gemini-cli', 'qwen-code', 'opencode', 'copilot-cli', 'cline', 'pi'];
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const words = process.argv.slice(2);
const wanted = words.filter((word) => !word.startsWith('--'));
const unknown = wanted.find((name) => !guarded.includes(name));
if (unknown !== undefined) {
  console.error(`no agent ${JSON.stringify(unknown)}; there are ${guarded.join(', ')}`);
  process.exit(2);
}
const names = wanted.length > 0 ? wanted : guarded;
const begun = Date.now();
const node = execFileSync(process.execPath, [here('on-node.mjs'), '24', '-p', 'process.execPath'], {
  encoding: 'utf8',
}).trim();
for (const agent of agents.filter(({ name }) => names.includes(name))) await installAgent(agent, node);
const home = realpathSync(mkdtempSync(join(tmpdir(), 'guarded-agents-')));
const code = await runWrapped(isolation() ?? [], node, [here('gateway-e2e/rehearse.mjs'), home, ...names]);
if (words.includes('--keep')) console.log(`Kept: ${home}`);
else rmSync(home, { recursive: true, force: true, maxRetries: 5 });
console.log(`It took ${Math.round((Date.now() - begun) / 1000)} s.`);
process.exit(code);
