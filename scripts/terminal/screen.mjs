import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** How long something may take to show up, in milliseconds; machines that do other work are slow. */
const patience = 40_000;
/** How long a screen must stay as it is to be taken for finished. */
const still = 250;

/** One name for every server: one that is being closed may still be there. */
let servers = 0;

/** A terminal of 100 by 30 in a tmux server of its own, with a program in it. */
export class Screen {
  #folder;
  #socket = '';

  /** The server's socket lies in the folder. */
  constructor(folder) {
    this.#folder = folder;
  }

  #tmux(...args) {
    return execFileSync('tmux', ['-S', this.#socket, '-f', '/dev/null', ...args], { encoding: 'utf8', stdio: 'pipe' });
  }

  /** Runs a command line; the screen stays when it has ended, and says with which code. */
  start(command, { columns = 100, rows = 30, cwd, env = {}, pipe = '' }) {
    this.#socket = join(this.#folder, `tmux-${++servers}`);
    const words = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
    const line = `env -i ${words.join(' ')} ${command.map(quoted).join(' ')} ${pipe}; echo "exit $?"; exec sleep 600`;
    this.#tmux('new-session', '-d', '-s', 'main', '-c', cwd, '-x', String(columns), '-y', String(rows), line);
    this.#tmux('set-option', '-g', 'escape-time', '0');
  }

  type(text) {
    this.#tmux('send-keys', '-t', 'main', '-l', text);
  }

  press(...keys) {
    this.#tmux('send-keys', '-t', 'main', ...keys);
  }

  resize(columns, rows) {
    this.#tmux('resize-window', '-t', 'main', '-x', String(columns), '-y', String(rows));
  }

  /** The program that was started, as long as it runs. */
  get pid() {
    const shell = this.#tmux('display-message', '-p', '-t', 'main', '#{pane_pid}').trim();
    return Number(readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim().split(' ')[0]);
  }

  /** What is on the screen; lines that the terminal itself has broken are whole. */
  capture() {
    return this.#tmux('capture-pane', '-p', '-J', '-t', 'main');
  }

  /** Everything since the start, what has left the screen included. */
  transcript() {
    return this.#tmux('capture-pane', '-p', '-S', '-', '-t', 'main');
  }

  /** Waits until the screen shows something; throws with the screen where it never does. */
  async until(what, where = () => this.capture()) {
    const end = Date.now() + patience;
    for (;;) {
      const screen = where();
      if (typeof what === 'string' ? screen.includes(what) : what.test(screen)) return;
      if (Date.now() > end) throw new Error(`the screen never showed ${what}. It shows:\n${screen}`);
      await wait(50);
    }
  }

  /** The screen, once it has stopped changing. */
  async settled(normalise) {
    const end = Date.now() + patience;
    let before = normalise(this.capture());
    for (let since = Date.now(); Date.now() - since < still; ) {
      await wait(60);
      const now = normalise(this.capture());
      if (now !== before) since = Date.now();
      before = now;
      if (Date.now() > end) throw new Error(`the screen never stopped changing. It shows:\n${now}`);
    }
    return before;
  }

  close() {
    try {
      this.#tmux('kill-server');
    } catch {
      // it is gone already
    }
  }
}

function quoted(word) {
  return `'${String(word).replaceAll("'", `'\\''`)}'`;
}
