import { ChatView } from './chat-view.mjs';
import { textOf } from './text-of.mjs';
import { patience, until } from './until.mjs';

/** How long the quick input may take to show itself or what was typed before it is opened again, in milliseconds. */
const shortly = 15_000;

/** VS Code in a browser's page, as far as a person touches it here. Every method waits until what it does has happened. */
export class Workbench {
  constructor(page) {
    this.page = page;
    this.page.setDefaultTimeout(patience);
    this.chat = new ChatView(page);
  }

  async open(url) {
    await this.page.goto(url);
    await this.ready();
  }

  /** "Reload Window", as a person does it: the editor writes down what it has to remember first. */
  async reload() {
    const reloaded = this.page.waitForEvent('load');
    await this.run('Developer: Reload Window');
    await reloaded;
    await this.ready();
  }

  /** Waits until the editor wears a theme of this kind. */
  async dressed(tone) {
    await this.page.locator(`.monaco-workbench.${tone === 'dark' ? 'vs-dark' : 'vs'}`).waitFor();
  }

  /** Waits until our extension has been started, and with it everything that extensions bring along. */
  async ready() {
    await this.page.locator('.monaco-workbench .statusbar-item').first().waitFor();
    await this.status('Loopfuse: ').waitFor();
  }

  /** Runs a command by its title, as "Loopfuse: New Chat". */
  async run(title) {
    await this.#find('F1', `>${title}`, title);
  }

  /** Opens the quick input with a key and takes what is searched for; again, if the focus is taken away meanwhile: that closes it. */
  async #find(key, query, text) {
    await until(`the quick input offers ${text}`, async () => {
      const input = await this.quickInput(key);
      await input.fill(query, { timeout: shortly });
      await this.#row(text).click({ timeout: shortly });
      return true;
    });
  }

  /** Opens the quick input with a key and waits for it. */
  async quickInput(key) {
    await this.page.keyboard.press(key);
    const input = this.page.locator('.quick-input-widget:visible .quick-input-box input');
    await input.waitFor({ timeout: shortly });
    return input;
  }

  /** Takes the entry of the quick input that has this text. */
  async choose(text) {
    await this.#row(text).click();
  }

  #row(text) {
    return this.page.locator('.quick-input-widget .quick-input-list .monaco-list-row', { hasText: text }).first();
  }

  /** Types an answer into the quick input that is open. */
  async answer(text) {
    const input = this.page.locator('.quick-input-widget:visible .quick-input-box input');
    await input.fill(text);
    await input.press('Enter');
  }

  /** The same, once the quick input has this title. */
  async answerTo(title, text) {
    await this.page.locator('.quick-input-widget:visible .quick-input-title', { hasText: title }).waitFor();
    await this.answer(text);
  }

  /** Takes an entry of the quick input, if one with this text is offered before a text is asked for. */
  async chooseIfAsked(text) {
    const widget = this.page.locator('.quick-input-widget:visible');
    const row = widget.locator('.monaco-list-row', { hasText: text }).first();
    const secret = widget.locator('input[type="password"]');
    await row.or(secret).first().waitFor();
    if (await row.isVisible()) await row.click();
    await secret.waitFor();
  }

  /** Shows our part of the side bar, and waits for the chat in it. */
  async openChat() {
    const icon = this.page.locator('.activitybar a.action-label[aria-label^="Loopfuse"]');
    await icon.waitFor();
    if (!(await this.page.locator('.sidebar .composite.title', { hasText: 'Loopfuse' }).isVisible()))
      await icon.click();
    await this.page.locator('.sidebar .composite.title', { hasText: /Loopfuse/i }).waitFor();
    await this.page.mouse.move(800, 400);
    await this.chat.composer.waitFor();
  }

  async openExplorer() {
    await this.page.locator('.activitybar a.action-label[aria-label^="Explorer"]').first().click();
    await this.page.locator('.sidebar .explorer-folders-view').waitFor();
    await this.page.mouse.move(800, 400);
  }

  /** A notification with this text; its buttons are found by name. */
  toast(text) {
    return this.page.locator('.notifications-toasts .notification-list-item', { hasText: text }).first();
  }

  async press(toast, name) {
    await toast.getByRole('button', { name }).first().click();
  }

  /** Entries of the status bar with this text. */
  status(text) {
    return this.page.locator('.statusbar-item', { hasText: text }).first();
  }

  /** Waits for a command in the palette, and leaves it there. */
  async offers(title) {
    await until(`the palette offers ${title}`, async () => {
      const input = await this.quickInput('F1');
      await input.fill(`>${title}`, { timeout: shortly });
      await this.#row(title).waitFor({ timeout: shortly });
      return true;
    });
    await this.page.keyboard.press('Escape');
  }

  /** Starts a clock of what the page's thread does; what it gives tells milliseconds since. */
  async metrics() {
    const devtools = await this.page.context().newCDPSession(this.page);
    await devtools.send('Performance.enable');
    const read = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics');
      return Object.fromEntries(metrics.map(({ name, value }) => [name, value * 1000]));
    };
    const before = await read();
    return async () => {
      const now = await read();
      return Object.fromEntries(Object.entries(now).map(([name, value]) => [name, value - before[name]]));
    };
  }

  /** Hands events to the chat by way of another extension. */
  async receive(events) {
    await this.run('Somebody else: Show an event');
    await this.answer(JSON.stringify(events));
  }

  async openSessionsTree() {
    const pane = this.page
      .locator('.sidebar .pane')
      .filter({ has: this.page.locator('.pane-header', { hasText: /sessions/i }) });
    const header = pane.locator('.pane-header');
    await header.waitFor();
    if ((await header.getAttribute('aria-expanded')) !== 'true') await header.click();
    await pane.locator('.monaco-list').waitFor();
    return new Tree(pane);
  }

  /** Opens a file of the folder in a text editor. */
  async openFile(path) {
    await this.#find('Control+P', path, path.split('/').at(-1));
    await this.page.locator('.editor-instance .view-lines').last().waitFor();
  }

  /** Types at the end of the text editor that was opened last. */
  async typeAtEnd(text) {
    await this.lines.click();
    await this.page.keyboard.press('Control+End');
    await this.page.keyboard.type(text);
  }

  async closeEditors() {
    await this.run('View: Close All Editors');
    await this.page.locator('.editor-group-container .tab').first().waitFor({ state: 'detached' });
  }

  /** The lines of the text editor that was opened last. */
  get lines() {
    return this.page.locator('.editor-instance .view-lines').last();
  }

  /** Where the caret stands in it, as the status bar says. */
  async cursorLine() {
    const words = await textOf(this.page.locator('.statusbar-item[id="status.editor.selection"]'));
    return Number(/Ln (\d+)/.exec(words)?.[1]);
  }
}

/** A tree in the side bar. */
class Tree {
  constructor(pane) {
    this.pane = pane;
  }

  row(text) {
    return this.pane.locator('.monaco-list-row').filter({ hasText: text });
  }

  async expand(row) {
    if ((await row.getAttribute('aria-expanded')) !== 'true') await row.locator('.monaco-tl-twistie').click();
  }
}
