// Checks that no regular expression of ours can take more than linear time, whatever text it gets. Every expression in
// the sources of the packages, scripts, benches and examples is given to recheck. In the core there are no exceptions;
// elsewhere an exception is an entry in regexes/exceptions.mjs that says what keeps the input short.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { regexesIn } from './regexes/collect.mjs';
import { isSlowOn } from './regexes/confirm.mjs';
import { exceptions } from './regexes/exceptions.mjs';

if (process.platform === 'linux' && process.arch === 'x64') process.env.RECHECK_BACKEND ??= 'native';
const { check } = await import('recheck');

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = createRequire(import.meta.url)('recheck/package.json');
const cacheFile = join(root, 'node_modules/.cache/loopfuse/regexes.json');

/** Tests, and what looks for texts on pages and screens that we write ourselves. */
const forTests =
  /\.test\.|\/fixtures\/|\/testing\/|^packages\/vscode\/e2e\/|^packages\/vscode\/scripts\/webview\/|^scripts\/terminal|^scripts\/dashboard|^scripts\/agents-e2e/;
const core = 'packages/core/';
/** One that takes for ever, and one that does not: if these are not distinguished, nothing is. */
const slow = { source: String.raw`^(?:[\w.]+\.)*\w+Error:`, flags: '' };
const quick = { source: String.raw`^\w+Error:`, flags: '' };

const found = sourceFiles().flatMap((file) =>
  regexesIn(file, readFileSync(join(root, file), 'utf8')).map((one) => ({ file, ...one })),
);
const literals = found.filter(({ source }) => source !== undefined);
const verdicts = await checkAll([slow, quick, ...literals]);
if (verdicts.get(keyOf(slow)).status !== 'vulnerable' || verdicts.get(keyOf(quick)).status !== 'safe')
  throw new Error('recheck does not tell a slow expression from a quick one on this machine: its answers mean nothing');

const used = new Set();
const problems = [];
for (const one of found) {
  const verdict = one.source === undefined ? undefined : verdicts.get(keyOf(one));
  if (verdict?.status === 'safe') continue;
  const exception = exceptions.find(({ file, regex }) => file === one.file && regex === shown(one));
  if (exception) used.add(exception);
  if (exception && !one.file.startsWith(core)) continue;
  problems.push(
    `${one.file}:${one.line}: ${shown(one)}\n    ${why(verdict)}${one.file.startsWith(core) ? ' (there are no exceptions in the core)' : ''}`,
  );
}
for (const exception of exceptions)
  if (!used.has(exception))
    problems.push(`scripts/regexes/exceptions.mjs: not needed any more: ${exception.file} ${exception.regex}`);

if (problems.length > 0) {
  console.error(
    `${problems.length} regular expression${problems.length === 1 ? '' : 's'} can take more than linear time:\n`,
  );
  for (const problem of problems) console.error(`- ${problem}`);
  console.error(
    '\nScan the text by hand, or let no two neighbours match the same character. Where the input is short for certain,\nsay who keeps it short in scripts/regexes/exceptions.mjs (not in the core).',
  );
  process.exitCode = 1;
} else
  console.log(
    `${literals.length} regular expressions (${new Set(literals.map(keyOf)).size} different) take linear time; ${exceptions.length} exceptions, none in the core.`,
  );

function sourceFiles() {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', 'packages', 'scripts', 'bench', 'examples'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  return listed
    .split('\n')
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file) && !file.endsWith('.d.ts') && !forTests.test(file));
}

/** A verdict for every expression, from the last run where recheck is the same. */
async function checkAll(regexes) {
  const cached = readCache();
  const verdicts = new Map();
  const open = new Map(regexes.map((one) => [keyOf(one), one]));
  for (const key of open.keys()) {
    if (cached[key] === undefined) continue;
    verdicts.set(key, cached[key]);
    open.delete(key);
  }
  const queue = [...open];
  const worker = async () => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const [key, { source, flags }] = next;
      verdicts.set(key, verdictOf({ source, flags }, await check(source, flags, { timeout: 120_000 })));
    }
  };
  await Promise.all(cpus().map(worker));
  mkdirSync(dirname(cacheFile), { recursive: true });
  writeFileSync(cacheFile, JSON.stringify({ version, verdicts: Object.fromEntries(verdicts) }));
  return verdicts;
}

/** An attack that recheck found by trying is tried here, too: where all repetitions are bounded, it may be none. */
function verdictOf(regex, { status, complexity, attack, error, checker }) {
  if (status === 'vulnerable' && checker === 'fuzz' && !isSlowOn(regex, attack)) return { status: 'safe' };
  return { status, complexity: complexity?.summary, attack: attack?.pattern, error: error?.kind };
}

function readCache() {
  try {
    const cache = JSON.parse(readFileSync(cacheFile, 'utf8'));
    return cache.version === version ? cache.verdicts : {};
  } catch {
    return {};
  }
}

function keyOf({ source, flags }) {
  return `/${source}/${flags}`;
}

function shown(one) {
  return one.source === undefined ? one.made : keyOf(one);
}

function why(verdict) {
  if (verdict === undefined) return 'is made from text that is not known here, and cannot be checked';
  if (verdict.status === 'unknown') return `could not be checked: ${verdict.error}`;
  return `${verdict.complexity ?? verdict.status}, for example on ${verdict.attack}`;
}
