/**
 * Builds the extension into `dist`: the host in one file, the page by Vite. With `--host` only the host.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** One CommonJS file, because that is what every extension host loads; sources of the workspace, not what was built. */
async function buildHost() {
  rmSync(new URL('dist/extension.cjs', import.meta.url), { force: true });
  const { metafile } = await build({
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
    metafile: true,
  });
  noteBundled('host', Object.keys(metafile.inputs));
}

async function buildPage() {
  const { build: buildWithVite } = await import('vite');
  const { output } = await buildWithVite({
    configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)),
    logLevel: 'warn',
  });
  noteBundled(
    'page',
    output.flatMap(({ moduleIds = [] }) => moduleIds),
  );
}

/** Leaves beside the bundle which files went into it, for the notices of third parties. */
function noteBundled(part, files) {
  const paths = files.map((file) => resolve(folder, file)).sort();
  writeFileSync(new URL(`dist/bundled-${part}.json`, import.meta.url), JSON.stringify(paths));
}

await buildHost();
if (!process.argv.includes('--host')) await buildPage();
