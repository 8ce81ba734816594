// Compiles and runs the TypeScript examples of the documentation: every fence of `ts` that begins with an import, in
// docs/concepts, the guides named below and two READMEs. What a line prints stands behind it, or on lines of its
// own, as `// → text`.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
// Inside the repository, so that packages are found as they are by a user of the workspace.
const work = join(root, '.cache/snippets');
const pages = [
  ...readdirSync(join(root, 'docs/concepts'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/concepts/${name}`),
  'docs/guide.md',
  'docs/false-alarms.md',
  'docs/migration.md',
  'packages/core/README.md',
  'packages/dashboard/README.md',
];

rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const snippets = pages.flatMap((page) =>
  fencesIn(readFileSync(join(root, page), 'utf8'))
    .filter((code) => code.startsWith('import '))
    .map((code, index) => ({ page, code, file: join(work, `${fileNameOf(page)}-${index + 1}.ts`) })),
);
for (const { file, code } of snippets) writeFileSync(file, code);
writeFileSync(
  join(work, 'tsconfig.json'),
  JSON.stringify({
    extends: '../../tsconfig.base.json',
    compilerOptions: {
      composite: false,
      declaration: false,
      declarationMap: false,
      noEmit: true,
      types: ['node'],
      customConditions: ['loopfuse-source'],
    },
    include: ['*.ts'],
  }),
);
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', work], { stdio: 'inherit' });
for (const { page, code, file } of snippets) {
  const script = file.replace(/\.ts$/, '.mjs');
  writeFileSync(script, transformSync(code, { loader: 'ts', format: 'esm' }).code);
  const printed = execFileSync(process.execPath, [script], { cwd: work, encoding: 'utf8', timeout: 60_000 });
  assert.equal(printed.trim(), promised(code), `${page}: an example does not print what it says`);
}
rmSync(work, { recursive: true, force: true });
console.log(`${snippets.length} examples of the documentation compile and print what they say.`);

function fileNameOf(page) {
  return page.replaceAll('/', '-').replace(/\.md$/, '');
}

/** The contents of the TypeScript fences of a page. */
function fencesIn(text) {
  return text
    .split('\n```ts\n')
    .slice(1)
    .map((part) => part.slice(0, part.indexOf('\n```')));
}

/** What an example says that it prints. */
function promised(code) {
  return code
    .split('\n')
    .filter((line) => line.includes('// → '))
    .map((line) => line.slice(line.indexOf('// → ') + 5))
    .join('\n');
}
