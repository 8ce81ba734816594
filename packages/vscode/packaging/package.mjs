/**
 * `npm run package -w packages/vscode`: builds the extension, packs it into `out/loopfuse.vsix`, lists the contents, and fails if
 * they are not as expected. The files are copied to a separate folder first, so that no other file is packed.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledPackages, thirdPartyNotices } from './third-party-notices.mjs';
import { pack } from './vsce.mjs';
import { vsixProblems } from './vsix-problems.mjs';
import { zipEntries } from './zip-entries.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'out');
const staged = join(out, 'staged');
const vsix = join(out, 'loopfuse.vsix');
const quiet = process.argv.includes('--quiet');

// The bundlers only strip types: what does not type-check must not ship.
execFileSync(
  process.execPath,
  [fileURLToPath(import.meta.resolve('typescript/bin/tsc')), '-b', root, join(root, 'tsconfig.webview.json')],
  {
    stdio: 'inherit',
  },
);
execFileSync(process.execPath, [join(root, 'build.mjs')], { stdio: 'inherit' });
const bundled = bundledPackages(
  ['host', 'page'].flatMap((part) => JSON.parse(readFileSync(join(root, `dist/bundled-${part}.json`), 'utf8'))),
);
const notices = thirdPartyNotices(bundled);
const manifest = stage();
pack(staged, vsix);
const bytes = readFileSync(vsix);
const entries = zipEntries(bytes);
if (!quiet) list();
const problems = vsixProblems({ entries, bytes: bytes.length, manifest, bundled, notices });
for (const problem of problems) console.error(`loopfuse.vsix: ${problem}`);
if (problems.length > 0) process.exit(1);
console.log(`out/loopfuse.vsix: ${entries.length} files, ${bytes.length.toLocaleString('en')} bytes`);

/** Copies the files that ship, and a manifest without the parts that are only for building. */
function stage() {
  rmSync(staged, { recursive: true, force: true });
  mkdirSync(staged, { recursive: true });
  const {
    scripts,
    devDependencies,
    private: _,
    ...manifest
  } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of [
    'README.md',
    'CHANGELOG.md',
    'LICENSE',
    'dist/extension.cjs',
    'dist/webview',
    'media',
    'walkthrough',
  ])
    cpSync(join(root, name), join(staged, name), { recursive: true });
  writeFileSync(join(staged, 'ThirdPartyNotices.txt'), notices);
  writeFileSync(join(staged, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(staged, '.vscodeignore'), ''); // nothing is ignored: every file in this folder was chosen
  return manifest;
}

function list() {
  for (const { name, size, packed } of entries.toSorted((a, b) => b.packed - a.packed))
    console.log(`${String(size).padStart(9)} ${String(packed).padStart(9)}  ${name}`);
}
