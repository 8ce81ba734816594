/**
 * A real VS Code on 127.0.0.1: code-server from npm, on a Node 24 of its own, both kept in `.cache`.
 *
 *     installCodeServer();
 *     const editor = await startCodeServer({ home, extensions: ['an-extension.vsix'] });
 *     editor.urlOf('/some/folder'); // open this in a browser
 *     await editor.close();
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const version = '4.139.1';
const cache = fileURLToPath(new URL('../../../.cache', import.meta.url));
const onNode = fileURLToPath(new URL('../../../scripts/on-node.mjs', import.meta.url));
const folder = join(cache, `code-server-${version}`);
const entry = join(folder, 'node_modules/code-server/out/node/entry.js');
const node = join(cache, 'node-24/node_modules/node/bin/node');
/** Written when the installation is complete, because an interrupted one leaves files behind. */
const installed = join(folder, 'installed');

/** The libraries that code-server's native modules are compiled against, each with a file that shows that it is installed. */
const libraries = {
  'libkrb5-dev': ['/usr/include/gssapi/gssapi.h'],
  'libsecret-1-dev': ['/usr/include/libsecret-1/libsecret/secret.h'],
  'libx11-dev': ['/usr/include/X11/Xlib.h'],
  'libxkbfile-dev': ['/usr/include/X11/extensions/XKBfile.h'],
  'pkg-config': ['/usr/bin/pkg-config'],
  'build-essential': ['/usr/bin/g++', '/usr/bin/make'],
  python3: ['/usr/bin/python3'],
};

/** Installs what is missing. The first time that takes some minutes. */
export function installCodeServer() {
  if (existsSync(installed)) return;
  installLibraries();
  for (const words of ['once; this takes some minutes', 'once more, because that failed']) {
    console.log(`Installing code-server ${version}, ${words} …`);
    if (install()) return writeFileSync(installed, `${version}\n`);
  }
  throw new Error(`code-server ${version} could not be installed into ${folder}: npm says why, above.`);
}

function install() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const npm = join(execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim(), 'npm/bin/npm-cli.js');
  const { status } = spawnSync(
    process.execPath,
    [onNode, '24', npm, 'install', '--prefix', folder, '--no-save', '--loglevel=error', `code-server@${version}`],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  return status === 0 && existsSync(entry);
}

function installLibraries() {
  const missing = Object.keys(libraries).filter((name) => !libraries[name].every((file) => existsSync(file)));
  if (missing.length === 0) return;
  console.log(`Installing from Debian: ${missing.join(', ')} …`);
  const apt = (...words) =>
    spawnSync('apt-get', ['-qq', ...words], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  const names = ['install', '-y', '--no-install-recommends', ...missing];
  if (!apt(...names) && !(apt('update') && apt(...names)))
    throw new Error(`code-server needs ${missing.join(', ')}: install them with apt-get, as root, and run this again.`);
}

/**
 * Starts an editor without any state: settings, extensions and home are in `home`. Its `logs` also contain the output channels.
 */
export async function startCodeServer({ home, extensions: packed, log = () => {} }) {
  const data = join(home, 'editor');
  const extensions = join(home, 'extensions');
  // The editor takes settings with the machine scope only from the file of the machine that it runs on.
  const set = (settings) => {
    for (const place of ['User', 'Machine']) {
      mkdirSync(join(data, place), { recursive: true });
      writeFileSync(join(data, place, 'settings.json'), JSON.stringify({ ...quiet, ...settings }, null, 2));
    }
  };
  set({});
  const env = environment(home);
  const places = ['--user-data-dir', data, '--extensions-dir', extensions];
  const install = packed.flatMap((vsix) => ['--install-extension', vsix]);
  const { status, stdout, stderr } = spawnSync(node, [entry, ...places, ...install, '--force'], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${packed.join(' and ')} cannot be installed:\n${stdout}${stderr}`);
  const port = await freePort();
  const server = spawn(
    node,
    [
      entry,
      ...places,
      ...['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`],
      ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
      ...['--reconnection-grace-time', '20'],
    ],
    { env, cwd: home, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  let said = '';
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-20_000);
      log(text);
    });
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/healthz`, server, () => said);
  return {
    url,
    /** Writes the user's settings, for windows opened from now on. */
    set,
    logs: join(data, 'logs'),
    urlOf: (folder) => (folder === undefined ? `${url}/?ew=true` : `${url}/?folder=${encodeURIComponent(folder)}`),
    async close() {
      const gone = new Promise((exited) => server.once('exit', exited));
      if (server.exitCode === null) {
        process.kill(-server.pid, 'SIGKILL');
        await gone;
      }
    },
  };
}

/** Settings against pop-ups, animations and questions. */
const quiet = {
  'workbench.startupEditor': 'none',
  'workbench.colorTheme': 'Dark 2026',
  'workbench.preferredDarkColorTheme': 'Dark 2026',
  'workbench.preferredLightColorTheme': 'Light 2026',
  'workbench.tips.enabled': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'chat.disableAIFeatures': true,
  'extensions.ignoreRecommendations': true,
  'security.workspace.trust.enabled': false,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'git.enabled': false,
  'git.openRepositoryInParentFolders': 'never',
  'files.hotExit': 'off',
  'window.restoreWindows': 'none',
};

/** The keys of the developer must not get into the tests. */
function environment(home) {
  const { PATH, LANG = 'C.UTF-8' } = process.env;
  return { PATH: `${join(cache, 'node-24/node_modules/node/bin')}:${PATH}`, LANG, HOME: home, SHELL: '/bin/bash' };
}

async function answering(url, server, said) {
  while (server.exitCode === null) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((later) => setTimeout(later, 100));
  }
  throw new Error(`code-server ended with code ${server.exitCode}:\n${said()}`);
}

async function freePort() {
  const probe = createServer();
  await new Promise((listening) => probe.listen(0, '127.0.0.1', listening));
  const { port } = probe.address();
  await new Promise((closed) => probe.close(closed));
  return port;
}
