// Builds what is installed into agents: the hook command and the opencode plugin, one file each.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Sources, not what tsc made of them, so that nothing must be built first and what is unused falls away. */
const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  conditions: ['loopfuse-source'],
  minify: true,
  legalComments: 'none',
  logLevel: 'error',
};

export async function bundle(folder = here('bundle')) {
  const hook = { ...shared, format: 'cjs' };
  const { outputFiles } = await build({ ...hook, entryPoints: [here('src/main.ts')], write: false });
  const source = inAscii(outputFiles[0].text);
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 16);
  const loader = await build({
    ...hook,
    entryPoints: [here('src/loader.ts')],
    define: { HOOK_SOURCE: JSON.stringify(source), HOOK_HASH: JSON.stringify(hash) },
    write: false,
  });
  const plugin = await build({
    ...shared,
    format: 'esm',
    entryPoints: [here('src/opencode/index.ts')],
    write: false,
  });
  mkdirSync(folder, { recursive: true });
  replace(`${folder}/hook.cjs`, loader.outputFiles[0].text);
  replace(`${folder}/opencode.js`, plugin.outputFiles[0].text);
}

/** V8 keeps a text that is all ASCII in half the space and reads it faster. In strings and expressions an escape is the same. */
function inAscii(source) {
  if (/\\[^\x00-\x7f]/.test(source))
    throw new Error('a backslash before a letter beyond ASCII cannot be written as an escape');
  return source.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Puts the bundles into the folders for the agents' own catalogues. */
export function fillCatalogue(from = here('bundle'), folder = here('catalogue')) {
  const hook = readFileSync(`${from}/hook.cjs`, 'utf8');
  for (const agent of ['claude-code', 'gemini-cli']) replace(`${folder}/${agent}/hook.cjs`, hook);
  const plugin = readFileSync(`${from}/opencode.js`, 'utf8');
  replace(`${folder}/opencode/index.js`, `const LOOPFUSE_POLICY = 'unattended';\n${plugin}`);
}

/** At once: tests that run side by side may read it. */
function replace(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundle();
  fillCatalogue();
}
