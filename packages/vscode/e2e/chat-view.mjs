import { textOf } from './text-of.mjs';
import { shortly, until } from './until.mjs';

/** The page of the chat, inside two frames of the workbench. Its parts are located again in every step, because the editor may reload it. */
export class ChatView {
  constructor(page) {
    this.page = page;
  }

  /** The frame that contains the composer. */
  get frame() {
    return this.page
      .locator('iframe.webview')
      .and(this.page.locator('[src*="loopfuse.loopfuse-vscode"]'))
      .first()
      .contentFrame()
      .locator('iframe#active-frame')
      .contentFrame();
  }

  async shown() {
    return this.composer.isVisible();
  }

  part(testId) {
    return this.frame.getByTestId(testId);
  }

  get composer() {
    return this.part('composer');
  }

  get transcript() {
    return this.part('transcript');
  }

  /** The card of a loop that is waiting for an answer. */
  get loop() {
    return this.part('loop-card');
  }

  /** Starts an empty conversation. */
  async startAnew() {
    await until('the chat is empty', async () => {
      await this.part('new-chat').click({ timeout: shortly });
      for (const part of ['item-you', 'loop-card'])
        await this.part(part).first().waitFor({ state: 'detached', timeout: shortly });
      return true;
    });
  }

  /** Waits until the page, if it is shown, has a theme of this kind. */
  async dressed(tone) {
    if (await this.shown()) await this.frame.locator(`body.vscode-${tone}`).waitFor();
  }

  async send(text) {
    const said = this.part('item-you').filter({ hasText: text });
    const before = await said.count(); // the same may have been said already
    await until(`${text} is sent`, async () => {
      await this.composer.fill(text);
      await this.frame.locator('[data-testid="send"]:enabled').waitFor();
      await this.composer.press('Enter');
      // Something in the page may have taken the focus, and the key with it.
      return until('it has left the composer', async () => (await this.composer.inputValue()) !== text, shortly);
    });
    await said.nth(before).waitFor();
  }

  /** Waits for a text anywhere in the conversation. */
  async says(text) {
    await this.transcript.getByText(text).last().waitFor();
  }

  /** Waits until no request is running. */
  async idle() {
    await this.part('stop').waitFor({ state: 'hidden' });
    await this.part('send').waitFor();
  }

  /** Waits for the card of a loop and returns its text. */
  async asked(kind) {
    const card = kind === undefined ? this.loop : this.frame.locator(`[data-testid="loop-card"][data-kind="${kind}"]`);
    await card.last().waitFor();
    return (await textOf(card.last())).replace(/\s+/g, ' ');
  }

  async choose(choice) {
    await this.part(`loop-${choice}`).last().click();
  }

  async approve(answer) {
    await this.part(`approve-${answer}`).last().click();
  }

  /** The `data-testid` of what has the focus in the page. */
  async focused() {
    return this.frame.locator('body').evaluate((body) => body.ownerDocument.activeElement?.dataset.testid);
  }

  /** Starts to record how long each frame of the page takes. */
  async watchFrames() {
    await this.frame.locator('body').evaluate(() => {
      const gaps = [];
      let before = performance.now();
      const next = (now) => {
        gaps.push(now - before);
        before = now;
        requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
      globalThis.frameGaps = gaps;
    });
  }

  async framesSeen() {
    return this.frame.locator('body').evaluate(() => {
      const gaps = globalThis.frameGaps;
      return { frames: gaps.length, longest: Math.max(...gaps), slow: gaps.filter((gap) => gap > 100).length };
    });
  }

  async size() {
    return this.frame.locator('html').evaluate((html) => ({
      nodes: html.querySelectorAll('*').length,
      bytes: new TextEncoder().encode(html.outerHTML).length,
    }));
  }

  async words() {
    return textOf(this.transcript);
  }
}
