import { ChatView } from './chat-view.mjs';
import { textOf } from './text-of.mjs';
import { patience, shortly, until } from './until.mjs';

/** VS Code in a browser's page, as far as the scenes use it. Every method waits until its effect is visible. */
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

  /** "Reload Window", as a user does it: the editor saves its state first. */
  async reload() {
    await Promise.all([
      this.page.waitForEvent('load', { timeout: 2 * patience }),
      this.run('Developer: Reload Window'),
    ]);
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

  /**
   * Opens a quick input and goes through its `steps`, which are made of the methods below; from the beginning, if the
   * focus is taken away meanwhile: that closes it.
   */
  async asked(open, steps) {
    await until('the quick input is answered', async () => {
      await open();
      await steps();
      return true;
    });
  }

  /** Chooses the entry of the quick input with this text. */
  async choose(text) {
    await this.#row(text).click({ timeout: shortly });
  }

  #row(text) {
    return this.page.locator('.quick-input-widget .quick-input-list .monaco-list-row', { hasText: text }).first();
  }

  /** The title of the quick input that is open. */
  async titled(title) {
    const shown = this.page.locator('.quick-input-widget:visible .quick-input-title', { hasText: title });
    await shown.waitFor({ timeout: shortly });
  }

  /** Types an answer into the quick input that is open. */
  async answer(text) {
    const input = this.page.locator('.quick-input-widget:visible .quick-input-box input');
    await input.fill(text, { timeout: shortly });
    await input.press('Enter', { timeout: shortly });
  }

  /** The same, once the quick input has this title. */
  async answerTo(title, text) {
    await this.titled(title);
    await this.answer(text);
  }

  /** Chooses an entry of the quick input, if one with this text is offered before a text is asked for. */
  async chooseIfAsked(text) {
    const widget = this.page.locator('.quick-input-widget:visible');
    const row = widget.locator('.monaco-list-row', { hasText: text }).first();
    const secret = widget.locator('input[type="password"]');
    await row.or(secret).first().waitFor({ timeout: shortly });
    if (await row.isVisible()) await row.click({ timeout: shortly });
    await secret.waitFor({ timeout: shortly });
  }

  /** Shows our part of the side bar, and waits for the chat in it. */
  async openChat() {
    await this.#showInSideBar('Loopfuse', this.page.locator('.sidebar .composite.title', { hasText: 'Loopfuse' }));
    await this.chat.composer.waitFor();
  }

  async openExplorer() {
    await this.#showInSideBar('Explorer', this.page.locator('.sidebar .explorer-folders-view'));
  }

  /** A click on the icon hides the view if it is shown already. It may appear at the moment of the click; then the icon is clicked again. */
  async #showInSideBar(name, shown) {
    const icon = this.page.locator(`.activitybar a.action-label[aria-label^="${name}"]`).first();
    await icon.waitFor();
    await until(`${name} is shown`, async () => {
      if (!(await shown.isVisible())) await icon.click({ timeout: shortly });
      await shown.waitFor({ timeout: shortly });
      return true;
    });
    await this.page.mouse.move(800, 400);
  }

  #notification(text) {
    return this.page
      .locator('.notifications-toasts .notification-list-item, .notifications-center .notification-list-item', {
        hasText: text,
      })
      .first();
  }

  /** Waits for a notification with this text. It hides itself after some seconds; then it is in the list of them. */
  async notified(text) {
    const notification = this.#notification(text);
    await until(`a notification says ${text}`, async () => {
      const shown = await notification.waitFor({ timeout: shortly }).then(
        () => true,
        () => false,
      );
      if (!shown) await this.run('Notifications: Show Notifications');
      return shown;
    });
    return notification;
  }

  /** Presses a button of the notification with this text. */
  async press(text, name) {
    await until(`${name} is pressed`, async () => {
      const notification = await this.notified(text);
      await notification.getByRole('button', { name }).first().click({ timeout: shortly });
      return true;
    });
    await this.#notification(text).waitFor({ state: 'hidden' });
    if (await this.page.locator('.notifications-center').isVisible()) await this.page.keyboard.press('Escape');
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

  /** Starts to measure how long the page's thread is busy. Returns a function that gives the milliseconds since. */
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

  /** Passes events to the chat through another extension. */
  async receive(events) {
    await this.asked(
      () => this.run('Somebody else: Show an event'),
      () => this.answer(JSON.stringify(events)),
    );
  }

  async openSessionsTree() {
    const pane = this.page
      .locator('.sidebar .pane')
      .filter({ has: this.page.locator('.pane-header', { hasText: /sessions/i }) });
    const header = pane.locator('.pane-header');
    await until('the sessions are unfolded', async () => {
      if ((await header.getAttribute('aria-expanded')) !== 'true') await header.click({ timeout: shortly });
      await pane.locator('.monaco-list').waitFor({ timeout: shortly });
      return true;
    });
    return new Tree(pane);
  }

  /** Opens a file of the folder in a text editor. */
  async openFile(path) {
    const name = path.split('/').at(-1);
    await this.#find('Control+P', path, name);
    await this.page.locator('.tab.active', { hasText: name }).waitFor();
    await this.lines.locator('.view-line').first().waitFor();
  }

  /** Types at the end of the text editor that was opened last, all at once, so that nothing takes the focus in between. */
  async typeAtEnd(text) {
    await this.inEditor(
      async () => {
        await this.page.keyboard.press('Control+End');
        await this.page.keyboard.insertText(text);
      },
      () => this.lines.getByText(text).first().waitFor({ timeout: shortly }),
    );
  }

  /** Selects the first lines of the text editor that was opened last. */
  async selectLines(count) {
    const said = this.#selection.filter({ hasText: `Ln ${count + 1}, Col 1 (` });
    await this.inEditor(
      async () => {
        await this.page.keyboard.press('Control+Home');
        for (let k = 0; k < count; k++) await this.page.keyboard.press('Shift+ArrowDown');
      },
      () => said.waitFor({ timeout: shortly }),
    );
  }

  /** Undoes in the text editor that was opened last, until it shows this. */
  async undo(text) {
    await this.inEditor(
      () => this.page.keyboard.press('Control+Z'),
      () => this.lines.getByText(text).first().waitFor({ timeout: shortly }),
    );
  }

  /** Presses keys in the text editor that was opened last and waits for their effect. Repeats if the focus went elsewhere. */
  async inEditor(press, done) {
    await until('the keys do in the editor what they should', async () => {
      await this.lines.click({ timeout: shortly });
      await press();
      await done();
      return true;
    });
  }

  /** Reverts the unsaved changes of the open file. */
  async revert() {
    await this.run('File: Revert File');
    await this.page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
  }

  async closeEditors() {
    await this.run('View: Close All Editors');
    await this.page.locator('.editor-group-container .tab').first().waitFor({ state: 'detached' });
  }

  /** The lines of the text editor that was opened last. */
  get lines() {
    return this.page.locator('.editor-instance .view-lines').last();
  }

  /** The position of the caret in it, from the status bar. */
  async cursorLine() {
    return Number(/Ln (\d+)/.exec(await textOf(this.#selection))?.[1]);
  }

  get #selection() {
    return this.page.locator('.statusbar-item[id="status.editor.selection"]');
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
    await until('the row is unfolded', async () => {
      if ((await row.getAttribute('aria-expanded', { timeout: shortly })) === 'true') return true;
      await row.locator('.monaco-tl-twistie').click({ timeout: shortly });
      return false;
    });
  }
}
