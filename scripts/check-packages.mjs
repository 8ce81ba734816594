// Checks what would be published: packs every public package, looks into the tarballs, lints them, resolves their types
// the way consumers do, installs them together in an empty project, imports every entry point and compiles against it.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { servePacked } from './packed-registry.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const adaptersFolder = join(root, 'packages/adapters/');
const work = mkdtempSync(join(tmpdir(), 'loopfuse-packages-'));
const quietInstall = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
/** An install that looks for versions that suit each other may go on for ever. */
const longestRun = 600_000;
const problems = [];

try {
  run('npm', ['run', '--silent', 'build:adapters'], root);
  const packages = publicPackages().map(pack);
  for (const one of packages) {
    console.log(`\n${one.manifest.name}@${one.manifest.version}: ${one.files.length} files, ${one.size} bytes packed`);
    for (const folder of folders(one.files)) console.log(`  ${folder}`);
    checkContents(one);
    await lint(one);
    await resolveTypes(one);
  }
  const adapters = packages.filter(({ folder }) => folder.startsWith(adaptersFolder));
  const others = packages.filter((one) => !adapters.includes(one));
  consume(others);
  for (const adapter of adapters) consumeAdapter(adapter, others);
  await tryWithNpx(others);
} catch (error) {
  problems.push(error.message);
} finally {
  rmSync(work, { recursive: true, force: true });
}

if (problems.length > 0) {
  console.error(`\n${problems.length} problem${problems.length === 1 ? '' : 's'} in what would be published:`);
  for (const problem of problems) console.error(`- ${problem}`);
  process.exitCode = 1;
} else console.log('\nEverything that would be published is in order.');

function publicPackages() {
  return [join(root, 'packages'), adaptersFolder]
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
    .filter(({ manifest }) => manifest.private !== true);
}

function pack({ folder, manifest }) {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', work], folder));
  const tarball = join(work, packed.filename);
  return { folder, manifest, tarball, size: packed.size, files: packed.files.map(({ path }) => path) };
}

function folders(files) {
  const counts = new Map();
  for (const file of files) {
    const folder = file.includes('/') ? `${file.split('/')[0]}/` : file;
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].map(([folder, count]) => (folder.endsWith('/') ? `${folder} (${count})` : folder));
}

/** What must be inside is; what is for us only is not. */
function checkContents({ folder, manifest, files }) {
  const inside = new Set(files);
  const complain = (what) => problems.push(`${manifest.name}: ${what}`);
  for (const file of ['LICENSE', 'README.md']) if (!inside.has(file)) complain(`${file} is missing from the package`);
  for (const file of files) {
    if (/\.test\.|\.tsbuildinfo$|(^|\/)fixtures\//.test(file))
      complain(`${file} is for us only and must not be published`);
    if (file.endsWith('.map') && !inside.has(file.slice(0, -4)))
      complain(`${file} is the map of a file that is not there`);
  }
  const leftOver = files.filter(
    (file) => isBuilt(file) && !sourcesFor(file).some((source) => existsSync(join(folder, source))),
  );
  if (leftOver.length > 0)
    complain(`${leftOver[0]} has no source any more (${leftOver.length} such files): delete dist and build`);
  const dangling = files.filter(
    (file) => file.endsWith('.map') && !sourcesOf(folder, file).every((source) => inside.has(source)),
  );
  if (dangling.length > 0)
    complain(`${dangling[0]} maps to a source that is not in the package (${dangling.length} such maps)`);
  for (const [subpath, target] of Object.entries(manifest.exports ?? {}))
    for (const file of targetsOf(target))
      if (!inside.has(file.replace('./', '')))
        complain(`exports["${subpath}"] names ${file}, which is not in the package`);
  for (const [name, file] of Object.entries(manifest.bin ?? {}))
    if (!inside.has(file.replace('./', ''))) complain(`bin "${name}" names ${file}, which is not in the package`);
}

function isBuilt(file) {
  return file.startsWith('dist/') && file.endsWith('.js');
}

function sourcesFor(file) {
  const source = file.replace(/^dist\//, 'src/').replace(/\.js$/, '');
  return [`${source}.ts`, `${source}.tsx`];
}

function sourcesOf(folder, map) {
  const { sources } = JSON.parse(readFileSync(join(folder, map), 'utf8'));
  return sources.map((source) => posix.join(posix.dirname(map), source));
}

function targetsOf(target) {
  return typeof target === 'string' ? [target] : Object.values(target).flatMap(targetsOf);
}

async function lint({ manifest, tarball }) {
  const { messages, pkg } = await publint({ pack: { tarball: bytesOf(tarball).buffer } });
  for (const message of messages) {
    const words = formatMessage(message, pkg, { color: false });
    if (message.type === 'suggestion') console.log(`  publint suggests: ${words}`);
    else problems.push(`${manifest.name}: publint ${message.type}: ${words}`);
  }
}

/** We publish ES modules only, so what old CommonJS consumers would meet is by design. */
async function resolveTypes({ manifest, tarball }) {
  const byDesign = ({ kind, resolutionKind }) =>
    kind === 'CJSResolvesToESM' ||
    (resolutionKind === 'node10' && ['NoResolution', 'UntypedResolution'].includes(kind));
  const result = await checkPackage(createPackageFromTarballData(bytesOf(tarball)));
  if (!result.types) return void problems.push(`${manifest.name}: the package has no types`);
  for (const problem of result.problems.filter((one) => !byDesign(one)))
    problems.push(`${manifest.name}: types: ${JSON.stringify(problem)}`);
}

/** A copy in memory of its own: Node reads small files into one that they share. */
function bytesOf(file) {
  return new Uint8Array(readFileSync(file));
}

/** Installs the tarballs together and uses them as a stranger would. */
function consume(packages) {
  const project = mkdtempSync(join(work, 'consumer-'));
  const write = (name, text) => writeFileSync(join(project, name), text);
  write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  const tarballs = packages.map(({ tarball }) => tarball);
  run('npm', [...quietInstall, ...tarballs], project);

  const entries = packages.flatMap(({ manifest }) =>
    Object.keys(manifest.exports ?? {})
      .filter((subpath) => !subpath.endsWith('.json'))
      .map((subpath) => manifest.name + subpath.slice(1)),
  );
  write(
    'import-all.mjs',
    `for (const entry of ${JSON.stringify(entries)}) {
      const names = Object.keys(await import(entry));
      console.log('  import ' + entry + ': ' + names.length + ' names');
      if (names.length === 0) throw new Error(entry + ' exports nothing');
    }`,
  );
  console.log('\nIn an empty project:');
  attempt('importing the entry points', () => console.log(run('node', ['import-all.mjs'], project).trimEnd()));

  copyFileSync(join(root, 'scripts/consumer/core.ts'), join(project, 'core.ts'));
  write(
    'all.ts',
    `${entries.map((entry, k) => `import * as entry${k} from '${entry}';`).join('\n')}\nexport const all = [${entries.map((_, k) => `entry${k}`).join(', ')}];\n`,
  );
  for (const [name, options] of [
    ['node16', { module: 'node16', moduleResolution: 'node16' }],
    ['bundler', { module: 'esnext', moduleResolution: 'bundler' }],
  ]) {
    compile(`core alone, ${name}`, ['core.ts'], { ...options, types: [] });
    compile(`everything, ${name}`, ['all.ts'], {
      ...options,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    });
  }

  for (const { manifest } of packages)
    for (const bin of Object.keys(manifest.bin ?? {}))
      attempt(`running ${bin} --help`, () => {
        run(join(project, 'node_modules/.bin', bin), ['--help'], project);
        console.log(`  ${bin} --help works`);
      });

  /** Declarations are checked too. */
  function compile(what, files, options) {
    const problem = compileIn(project, files, options);
    if (problem === undefined) console.log(`  compiles: ${what}`);
    else problems.push(`compiling ${what} fails:\n${problem}`);
  }
}

/** Installs an adapter with its SDK in an empty project, imports it, and compiles the ten lines of its guide. */
function consumeAdapter(adapter, others) {
  const { name, peerDependencies } = adapter.manifest;
  const short = name.replace('@loopfuse/', '');
  const project = mkdtempSync(join(work, `${short}-`));
  const write = (file, text) => writeFileSync(join(project, file), text);
  const pinned = JSON.parse(readFileSync(join(adaptersFolder, 'package.json'), 'utf8')).dependencies;
  const names = Object.keys(peerDependencies);
  const sdks = names.map((sdk) => `${sdk}@${pinned[sdk]}`);
  const needed = others.filter((one) => dependsOn(adapter.manifest, one.manifest.name, others));
  const tarballs = [adapter, ...needed].map(({ tarball }) => tarball);
  console.log(`\n${name}, with ${sdks.join(' and ')}:`);
  attempt(`${name}: installing, importing and compiling`, () => {
    const overrides = lockedBeside(names);
    write('package.json', JSON.stringify({ name: 'consumer', private: true, type: 'module', overrides }));
    run('npm', [...quietInstall, ...tarballs, ...sdks], project);
    write('import.mjs', `console.log('  import: ' + Object.keys(await import('${name}')).length + ' names');`);
    console.log(run('node', ['import.mjs'], project).trimEnd());
    copyFileSync(join(adapter.folder, 'ten-lines.ts'), join(project, 'ten-lines.ts'));
    const problem = compileIn(project, ['ten-lines.ts'], {
      module: 'nodenext',
      moduleResolution: 'nodenext',
      lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    });
    if (problem !== undefined) throw new Error(problem);
    console.log('  compiles: the ten lines of its guide');
  });
  rmSync(project, { recursive: true, force: true });
}

/**
 * What the SDKs need, in the versions of our lock file: the newest of those may want newer SDKs than ours, and npm looks for
 * a way out for as long as it is let. Of packages that are there in several versions npm chooses by itself.
 */
function lockedBeside(names) {
  const { packages } = JSON.parse(readFileSync(join(adaptersFolder, 'package-lock.json'), 'utf8'));
  const paths = Object.keys(packages).filter((path) => path !== '');
  const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return Object.fromEntries(
    paths
      .filter(
        (path) =>
          !names.includes(nameOf(path)) &&
          packages[path].name === undefined && // another package under this name
          paths.filter((one) => nameOf(one) === nameOf(path)).length === 1,
      )
      .map((path) => [nameOf(path), packages[path].version]),
  );
}

function dependsOn(manifest, name, packages) {
  return Object.keys(manifest.dependencies ?? {}).some(
    (one) =>
      one === name ||
      packages.some((other) => other.manifest.name === one && dependsOn(other.manifest, name, packages)),
  );
}

/** What the compiler says about our files; `undefined` where it is content. What is wrong in those of strangers is not ours to mend. */
function compileIn(project, files, options) {
  const compilerOptions = { strict: true, target: 'es2022', lib: ['es2022'], noEmit: true, ...options };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout, status } = spawnSync('node', [tsc, '-p', '.'], {
    cwd: project,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const ours = stdout
    .split('\n')
    .filter((line) => /^([\w-]+\.ts|node_modules\/(@loopfuse|loopfuse)\/|error )/.test(line));
  if (status !== 0 && stdout === '') ours.push(`the compiler did not run (status ${status})`);
  return ours.length === 0 ? undefined : ours.join('\n');
}

/** What somebody does who has read one line about us, in an empty folder and with an empty cache of npm's. */
async function tryWithNpx(packages) {
  const home = mkdtempSync(join(work, 'home-'));
  const upstream = run('npm', ['config', 'get', 'registry'], root).trim();
  const registry = await servePacked(packages, upstream.endsWith('/') ? upstream : `${upstream}/`);
  const log = join(home, '.loopfuse', 'sessions');
  mkdirSync(log, { recursive: true });
  copyFileSync(join(root, 'packages/cli/demo/stuck-edit.jsonl'), join(log, 'stuck-edit.jsonl'));
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: join(home, 'cache'), NO_COLOR: '1' },
    ...{ npm_config_registry: registry.address, npm_config_cache: join(home, 'npm'), npm_config_userconfig: '' },
  };
  try {
    const begun = Date.now();
    const folder = mkdtempSync(join(work, 'empty-'));
    const { status, stdout, stderr } = await runInBackground('npx', ['--yes', 'loopfuse', 'scan'], folder, env);
    const printed = `${stdout}${stderr}`;
    if (status !== 0 || !printed.includes('Found on this machine') || !printed.includes('1 of 1 session loops'))
      problems.push(`npx loopfuse scan in an empty folder ended with ${status}:\n${printed}`);
    else console.log(`\nnpx loopfuse scan in an empty folder: works, ${Math.round((Date.now() - begun) / 1000)} s`);
  } finally {
    registry.close();
  }
}

/** This process answers npm meanwhile, so it must not wait. */
function runInBackground(command, args, cwd, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text) => {
      stdout += text;
    });
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout, stderr }));
  });
}

function attempt(what, action) {
  try {
    action();
  } catch (error) {
    problems.push(`${what} fails:\n${error.message}`);
  }
}

/** Runs a command and gives what it printed; an error carries everything that was printed. */
function run(command, args, cwd) {
  try {
    return execFileSync(command, args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 26,
      timeout: longestRun,
      killSignal: 'SIGKILL',
    });
  } catch (error) {
    const ended = error.code === 'ETIMEDOUT' ? `, which was not done after ${longestRun / 60_000} minutes` : '';
    throw new Error(
      `${command} ${args.slice(0, 3).join(' ')} in ${cwd}${ended}:\n${error.stdout ?? ''}${error.stderr ?? ''}`.trim(),
    );
  }
}
