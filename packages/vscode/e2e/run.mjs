// `npm run test:vscode`: tests the extension as it ships, in a real VS Code, with the scripted model server as the model.
// Give parts of names of scenes to play only those; --packed takes out/loopfuse.vsix as it is; --part=2/3 plays the second
// third of them. A scene that fails is played once more at the end, in a window of its own: a busy machine can make the
// editor take the focus away at the wrong moment. What fails twice has failed.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pack } from '../packaging/vsce.mjs';
import { installCodeServer } from './code-server.mjs';
import { scenes } from './scenes/index.mjs';
import { Theatre } from './theatre.mjs';

const seconds = 240;
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const vsix = path('../out/loopfuse.vsix');
const other = path('../out/somebody-else.vsix');
const pictures = path('../out/screenshots');
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));

const chosen = partOf(byWindow(Object.entries(scenes).filter(isWanted)));
if (chosen.length === 0) throw new RangeError(`No scene is called ${wanted.join(' or ')}`);

if (!process.argv.includes('--packed') || !existsSync(vsix))
  execFileSync(process.execPath, [path('../packaging/package.mjs'), '--quiet'], { stdio: 'inherit' });
pack(path('./other-extension'), other);
installCodeServer();
if (wanted.length === 0) rmSync(pictures, { recursive: true, force: true });
mkdirSync(pictures, { recursive: true });

const begun = Date.now();
const theatre = await Theatre.open({ extensions: [vsix, other], pictures });
const failed = [];
const again = [];
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => theatre.close().finally(() => process.exit(130)));
try {
  for (const entry of chosen) if (!(await passes(entry))) again.push(entry);
  for (const [name, scene] of again) {
    console.log(`Once more: ${name}`);
    if (!(await passes([name, { ...scene, fresh: true }]))) failed.push(name);
  }
} finally {
  await theatre.close();
}
const took = `${Math.round((Date.now() - begun) / 1000)} s`;
console.log(
  failed.length === 0
    ? `All as it should be${again.length === 0 ? '' : `, ${again.length} at the second look`}, ${took}.`
    : `${failed.length} failed, ${took}: ${failed.join('; ')}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

function isWanted([name]) {
  return wanted.length === 0 || wanted.some((word) => name.includes(word));
}

/** All of them, or the part that --part names. */
function partOf(all) {
  const word = process.argv.find((one) => one.startsWith('--part='));
  if (word === undefined) return all;
  const [, part, parts] = (/^--part=(\d+)\/(\d+)$/.exec(word) ?? []).map(Number);
  if (!(part >= 1 && part <= parts)) throw new RangeError(`Expected a part such as --part=2/3, got ${word}`);
  const edge = (k) => Math.round((all.length * k) / parts);
  return all.slice(edge(part - 1), edge(part));
}

/** Scenes that can share a window one after the other; those that are fresh at the end. */
function byWindow(all) {
  const groups = new Map();
  for (const entry of all) {
    const { settings = {}, fresh = false } = entry[1];
    const window = fresh ? 'fresh' : JSON.stringify(settings);
    groups.set(window, [...(groups.get(window) ?? []), entry]);
  }
  const fresh = groups.get('fresh') ?? [];
  groups.delete('fresh');
  return [...[...groups.values()].flat(), ...fresh];
}

/** Runs a scene and prints the result. */
async function passes([name, scene]) {
  const since = Date.now();
  const problem = await play(name, scene);
  console.log(`${problem === undefined ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - since) / 1000).toFixed(1)} s)`);
  if (problem !== undefined) console.log(`\n${problem}\n`);
  return problem === undefined;
}

/** Runs a scene. Returns the error in words and closes the window if it failed; undefined if it passed. */
async function play(name, scene) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the scene took more than ${seconds} seconds`)), seconds * 1000);
  });
  try {
    await Promise.race([theatre.stageFor(scene).then((stage) => scene.play(stage)), late]);
    return undefined;
  } catch (cause) {
    const problem = `${cause.stack}\n${cause.cause?.message ?? ''}\n${await theatre.remains(name)}`;
    await theatre.strike();
    return problem;
  } finally {
    clearTimeout(timer);
  }
}
