// The official SDK clients through the gateway: they stream, call a tool, leave in mid-stream and try again, as they do
// without it. Installs them once, into .cache/sdks, and runs on Node 24.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = [
  'openai@7.53.0',
  '@anthropic-ai/sdk@1.8.0',
  '@google/genai@2.32.0',
  'ai@7.0.169',
  '@ai-sdk/openai@4.0.114',
];
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = here('../.cache/sdks');
const mark = join(folder, 'installed.txt');
const node = execFileSync(process.execPath, [here('on-node.mjs'), '24', '-p', 'process.execPath'], {
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .at(-1); // an installation says what it added first
if (!existsSync(mark) || readFileSync(mark, 'utf8') !== packages.join(' ')) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const args = [
    'install',
    '--no-save',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    '--legacy-peer-deps',
    '--loglevel=error',
  ];
  execFileSync('npm', [...args, ...packages], { cwd: folder, stdio: 'inherit' });
  writeFileSync(mark, packages.join(' '));
}
const { status } = spawnSync(node, ['--test', here('gateway-e2e/sdks.mjs')], {
  stdio: 'inherit',
  env: { ...process.env, SDKS: folder },
});
process.exit(status ?? 1);
