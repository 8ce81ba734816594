// Drives `loopfuse chat` for real: in a terminal of tmux, with the scripted model server as the model. At certain moments
// the screen is compared with how it looked before (packages/cli/src/commands/chat/golden; --update writes it again).
// Give parts of names of scenes to play only those.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startModelServer, workspaceFiles } from '@loopfuse/model-server';
import { scenes } from './terminal/scenes.mjs';
import { Screen } from './terminal/screen.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'packages/cli/bin/loopfuse.js');
const golden = join(root, 'packages/cli/src/commands/chat/golden');
/** For how long a screen that is not as before is looked at again, in milliseconds. */
const lookAgain = 10_000;
const update = process.argv.includes('--update');
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));

const chosen = Object.entries(scenes).filter(
  ([name]) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
);
if (chosen.length === 0) throw new RangeError(`No scene is called ${wanted.join(' or ')}`);

installTmux();
mkdirSync(golden, { recursive: true });
let problems = 0;
const begun = Date.now();
for (const [name, scene] of chosen) {
  const since = Date.now();
  const found = await play(scene);
  problems += found.length;
  console.log(`${found.length === 0 ? 'ok  ' : 'FAIL'} ${name} (${((Date.now() - since) / 1000).toFixed(1)} s)`);
  for (const problem of found) console.log(`\n${problem}\n`);
}
console.log(
  `${problems === 0 ? 'All as before' : `${problems} problems`}, ${Math.round((Date.now() - begun) / 1000)} s.`,
);
process.exitCode = problems === 0 ? 0 : 1;

async function play({ model, flags = [], setUp = true, env = {}, size, pipe, shows = 'Ask for something', play: act }) {
  const found = [];
  const folder = folderOfFixedLength();
  const work = join(folder, 'project');
  for (const [path, text] of Object.entries(workspaceFiles)) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), text);
  }
  const server = await startModelServer({ script: model });
  const screen = new Screen(folder);
  const normalise = (text) => normalised(text, folder);

  async function start() {
    screen.start(
      [
        ...[process.execPath, bin, 'chat', '-C', work, '--price', '3,15'],
        ...(setUp ? ['--provider', 'openai-compatible', '-m', 'scripted-model', '--base-url', `${server.url}/v1`] : []),
        ...flags,
      ],
      {
        ...size,
        cwd: root,
        pipe,
        env: { PATH: process.env.PATH, HOME: folder, TERM: 'screen-256color', LC_ALL: 'C.UTF-8', TZ: 'UTC', ...env },
      },
    );
    await screen.until(shows);
  }

  try {
    await start();
    await act({
      screen,
      server,
      async send(text) {
        screen.type(text);
        await screen.until(text);
        screen.press('Enter');
      },
      async look(name, more = (text) => text) {
        const problem = await compareInTime(name, async () =>
          more(await screen.settled((text) => more(normalise(text)))),
        );
        if (problem !== undefined) found.push(problem);
      },
      read: (path) => readFileSync(join(work, path), 'utf8'),
      inHome: (path) => readFileSync(join(folder, path), 'utf8'),
      has: (path, text = '') => existsSync(join(work, path)) && readFileSync(join(work, path), 'utf8').includes(text),
      async restart() {
        screen.close();
        await start();
      },
    });
  } catch (cause) {
    found.push(cause.stack);
  } finally {
    screen.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return found;
}

/** A fresh folder whose path has always the same length, so that lines are laid out as in the captures. */
function folderOfFixedLength() {
  const random = 6;
  const prefix = join(realpathSync(tmpdir()), 'loopfuse-');
  return mkdtempSync(prefix.padEnd(44 - random, '-'));
}

/** What differs from run to run, in as many columns. */
function normalised(text, folder) {
  return (
    text
      .replaceAll(folder, 'FOLDER'.padEnd(folder.length, '_'))
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '00000000-0000-0000-0000-000000000000')
      .replace(/\d{4}-\d\d-\d\d( \d\d:\d\d)?/g, (date) => 'YYYY-MM-DD hh:mm'.slice(0, date.length))
      .replace(/[⠋⠙⠹⠸⠼⠴⠦⠧](?= )/g, '⠋')
      .replace(/(Working|Cancelling) \d+ s/g, '$1 0 s')
      // What a turn that was broken off has used is an estimate of what came by then.
      .replace(/ ([·-]) (?:[\d.]{1,12}k? in, |[≈~] \$).*$/gm, ' $1 tokens used')
      .replace(/[ \n]+$/, '')
      .replace(/ +$/gm, '')
      .concat('\n')
  );
}

/** A busy machine may make the screen stand still before it is finished: what is not as before is looked at again for a while. */
async function compareInTime(name, look) {
  const end = Date.now() + lookAgain;
  for (;;) {
    const problem = compare(name, await look());
    if (problem === undefined || Date.now() > end) return problem;
  }
}

function compare(name, screen) {
  const file = join(golden, `${name}.txt`);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  if (before === screen) return undefined;
  if (update) {
    writeFileSync(file, screen);
    console.log(`     ${before === undefined ? 'new' : 'changed'}: ${name}`);
    return undefined;
  }
  return before === undefined
    ? `There is no golden/${name}.txt; --update makes one of this:\n${screen}`
    : `The screen "${name}" is not as it was (- before, + now):\n${difference(before.split('\n'), screen.split('\n'))}`;
}

/** The lines that are not the same, in their places. */
function difference(before, now) {
  const lines = [];
  for (let k = 0; k < Math.max(before.length, now.length); k++) {
    if (before[k] === now[k]) lines.push(`  ${now[k]}`);
    else
      lines.push(
        ...[before[k]].filter(isLine).map((line) => `- ${line}`),
        ...[now[k]].filter(isLine).map((line) => `+ ${line}`),
      );
  }
  return lines.join('\n');
}

function isLine(line) {
  return line !== undefined;
}

function installTmux() {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
  } catch {
    console.log('Installing tmux …');
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'tmux'], { stdio: 'ignore' });
  }
}
