import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sessionFolder } from '@loopfuse/agent';
import { workspaceFiles } from '@loopfuse/model-server';
import { until } from './until.mjs';

const channel = 'loopfuse.loopfuse-vscode/Loopfuse.log';

/** A window with its folder, and what scenes can do with them and look at. The results are those of the current scene. */
export class Stage {
  #theatre;
  #since = 0;
  #logFilesBefore;
  #logLengthBefore = 0;

  constructor(theatre, { workbench, settings, folder, reusable }) {
    this.#theatre = theatre;
    this.#logFilesBefore = new Set(this.#logFiles());
    this.workbench = workbench;
    this.chat = workbench.chat;
    this.settings = settings;
    this.folder = folder;
    this.home = theatre.home;
    this.reusable = reusable;
  }

  /** The model; another one after `stopModel`. */
  get server() {
    return this.#theatre.server;
  }

  /** Forgets the previous scene. */
  clear() {
    mkdirSync(this.folder, { recursive: true });
    for (const name of readdirSync(this.folder)) rmSync(join(this.folder, name), { recursive: true, maxRetries: 10 });
    for (const [path, text] of Object.entries(workspaceFiles)) this.write(path, text);
    this.#since = Date.now();
    this.#logLengthBefore = this.#wholeLog().length;
  }

  write = (path, text) => {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  };

  read = (path) => readFileSync(join(this.folder, path), 'utf8');

  has = (path, text = '') => existsSync(join(this.folder, path)) && this.read(path).includes(text);

  /** The sessions of the folder as they are saved, the latest first. */
  sessions = () => {
    const saved = sessionFolder(this.home, this.folder);
    if (!existsSync(saved)) return [];
    return readdirSync(saved)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(join(saved, name), 'utf8')))
      .filter(({ updatedAt }) => Date.parse(updatedAt) >= this.#since)
      .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  };

  /** The text of the output channel. */
  log = () => this.#wholeLog().slice(this.#logLengthBefore);

  /** Waits for a line in the output channel. */
  logged = (pattern) =>
    until(`the log has ${pattern}`, () =>
      this.log()
        .split('\n')
        .find((line) => pattern.test(line)),
    );

  print = (line) => console.log(`     ${line}`);

  /** Takes screenshots in a dark and in a light theme. */
  look = async (name) => {
    for (const [tone, other] of [
      ['dark', 'light'],
      ['light', 'dark'],
    ]) {
      await this.picture(join(this.#theatre.pictures, `${name}-${tone}.png`));
      await this.workbench.run('Preferences: Toggle between Light/Dark Themes');
      await this.workbench.dressed(other);
      await this.chat.dressed(other);
    }
  };

  /** Takes one screenshot in the current theme, for what a command would close. */
  pictureOf = (name) => this.picture(join(this.#theatre.pictures, `${name}.png`));

  /** Changes the user's settings while the window is open. */
  set = (settings) => this.#theatre.set({ ...this.settings, ...settings });

  picture = (path) => this.workbench.page.screenshot({ path, animations: 'disabled' });

  /** Stops the model's server. Returns a function that starts it again at the same address. */
  stopModel = async () => {
    await this.server.close();
    return (script) => this.#theatre.startModel(script, this.server.port);
  };

  #wholeLog() {
    return this.#logFiles()
      .filter((file) => !this.#logFilesBefore.has(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('');
  }

  /** Of all windows so far, the oldest first. */
  #logFiles() {
    const { logs } = this.#theatre.editor;
    if (!existsSync(logs)) return [];
    return readdirSync(logs, { recursive: true })
      .filter((path) => path.endsWith(channel))
      .map((path) => join(logs, path))
      .sort((a, b) => statSync(a).birthtimeMs - statSync(b).birthtimeMs);
  }
}
