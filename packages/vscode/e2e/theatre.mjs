import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { startModelServer } from '@loopfuse/model-server';
import { openChromium } from '../../../scripts/chromium.mjs';
import { startCodeServer } from './code-server.mjs';
import { Stage } from './stage.mjs';
import { Workbench } from './workbench.mjs';

/**
 * Runs scenes: with one editor, one scripted model and one browser, all on this machine and deleted afterwards. A scene gets a
 * window with its own folder, unless it can use the window of the previous scene with a new chat.
 */
export class Theatre {
  home = mkdtempSync(join(realpathSync(tmpdir()), 'loopfuse-vscode-'));
  #windows = 0;
  #stage;

  constructor(pictures) {
    this.pictures = pictures;
  }

  static async open({ extensions, pictures }) {
    const theatre = new Theatre(pictures);
    try {
      await theatre.startModel(() => ({}));
      theatre.editor = await startCodeServer({ home: theatre.home, extensions });
      theatre.browser = await openChromium();
    } catch (cause) {
      await theatre.close();
      throw cause;
    }
    return theatre;
  }

  async close() {
    await this.browser?.close();
    await this.editor?.close();
    await this.server?.close();
    rmSync(this.home, { recursive: true, force: true });
  }

  async startModel(script, port = 0) {
    this.server = await startModelServer({ script, port });
  }

  /** Writes the user's settings: the scripted model, and those of the scene. */
  set(settings) {
    this.editor.set({
      'loopfuse.provider': 'openai-compatible',
      'loopfuse.model': 'scripted-model',
      'loopfuse.baseURL': `${this.server.url}/v1`,
      'loopfuse.prices': { 'scripted-model': { input: 3, output: 15 } },
      ...settings,
    });
  }

  /** The stage of a scene, with its window open and the chat shown in it. */
  async stageFor({ model, settings = {}, fresh = false, chat = true, folder: hasFolder = true }) {
    this.server.setScript(model);
    if (!fresh && this.#stage?.reusable && isDeepStrictEqual(this.#stage.settings, settings)) {
      await this.#stage.chat.startAnew();
      this.#stage.clear(); // not before: what goes on in the old chat may still write files
      return this.#stage;
    }
    await this.strike();
    this.set(settings);
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 } });
    const workbench = new Workbench(await context.newPage());
    const folder = join(this.home, `projects/shop-${++this.#windows}`);
    this.#stage = new Stage(this, { workbench, settings, folder, reusable: !fresh });
    this.#stage.clear();
    await workbench.open(this.editor.urlOf(hasFolder ? folder : undefined));
    if (chat) await workbench.openChat();
    return this.#stage;
  }

  /** Closes the window, so that the next scene gets its own. */
  async strike() {
    await this.#stage?.workbench.page.context().close();
    this.#stage = undefined;
  }

  /** Saves a screenshot of a failed scene. Returns its path and the end of the log. */
  async remains(name) {
    if (this.#stage === undefined) return '';
    const file = join(this.pictures, 'failures', `${name.replace(/\W+/g, '-')}.png`);
    mkdirSync(dirname(file), { recursive: true });
    const taken = await this.#stage.picture(file).then(() => file, String);
    return `Picture: ${taken}\nThe log's end:\n${this.#stage.log().split('\n').slice(-15).join('\n')}`;
  }
}
