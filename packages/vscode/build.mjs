/**
 * Builds the extension into `dist`: the host in one file, the page by Vite. With `--host` only the host.
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** One CommonJS file, because that is what every extension host loads; sources of the workspace, not what was built. */
async function buildHost() {
  rmSync(new URL('dist/extension.cjs', import.meta.url), { force: true });
  await build({
    absWorkingDir: folder,
    entryPoints: ['src/host/extension.ts'],
    outfile: 'dist/extension.cjs',
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    conditions: ['loopfuse-source'],
    mainFields: ['module', 'main'],
    external: ['vscode'],
    legalComments: 'none',
    logLevel: 'warning',
  });
}

async function buildPage() {
  const { build: buildWithVite } = await import('vite');
  await buildWithVite({ configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)), logLevel: 'warn' });
}

await buildHost();
if (!process.argv.includes('--host')) await buildPage();
