import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { models, story } from '../models.mjs';
import { textOf } from '../text-of.mjs';
import { shortly, until } from '../until.mjs';

const settings = { 'loopfuse.policy': 'ask' };

export const editor = {
  'the view is hidden: a notification tells of the loop, and answers it': {
    model: models.loopsForAWhile(4),
    settings,
    async play({ chat, workbench, server, look }) {
      let hide;
      const hidden = new Promise((resolve) => {
        hide = resolve;
      });
      const loops = models.loopsForAWhile(5);
      server.setScript(async (turn) => {
        await hidden;
        return loops(turn);
      });
      await chat.send('Read it to me');
      await workbench.openExplorer();
      hide();
      const toast = await workbench.notified(/Repeated calls/);
      assert.match(await textOf(toast), /read_file \(README\.md\) was made 3 times in a row/);
      await look('notification');
      await workbench.press(/Repeated calls/, /Continue/);
      await until('it went on', () => server.seen >= 4 && server.requests.at(-1).turn.turn >= 5);
      await workbench.openChat();
      await chat.says('That is as far as I got.');
    },
  },
  'the view is hidden and shown again: nothing is lost': {
    model: models.talks(200, 20),
    async play({ chat, workbench }) {
      await chat.send('Talk to me');
      await chat.says('Here it begins.');
      await workbench.openExplorer();
      await workbench.openChat();
      await chat.idle();
      await chat.says('Here it ends.');
      const says = await textOf(chat.part('item-says').last());
      assert.equal(says.replace(/\s+/g, ' ').trim(), story(200));
    },
  },
  'the view was never opened: another extension asks, and a notification tells of the loop': {
    model: models.loops(),
    settings,
    fresh: true,
    chat: false,
    async play({ workbench, chat, sessions }) {
      await workbench.asked(
        () => workbench.run('Somebody else: Send a request'),
        () => workbench.answer('Read it to me'),
      );
      await workbench.press(/Repeated calls/, /Stop/);
      await until('it is saved', () => sessions()[0]?.request === 'Read it to me');
      await workbench.openChat();
      await chat.says('made 3 times in a row');
      assert.equal(await chat.loop.count(), 0, 'the card asks what has been answered');
    },
  },
  'the walkthrough opens': {
    model: models.says('Yes.'),
    async play({ workbench, look }) {
      await workbench.asked(
        () => workbench.run('Welcome: Open Walkthrough...'),
        () => workbench.choose('Start with Loopfuse'),
      );
      await workbench.page.locator('.gettingStartedContainer', { hasText: 'When it goes in circles' }).waitFor();
      await look('walkthrough');
      await workbench.closeEditors();
    },
  },
  'every command is there': {
    model: models.says('Yes.'),
    async play({ workbench }) {
      for (const { command, title, category } of contributes.commands)
        if (!hidden.has(command)) await workbench.offers(`${category}: ${title}`);
    },
  },
  'the log and the settings are opened by commands': {
    model: models.says('Yes.'),
    async play({ workbench }) {
      await workbench.run('Loopfuse: Show the Log');
      await workbench.page.locator('.panel .output-view-container, .panel .monaco-editor').first().waitFor();
      await workbench.run('View: Hide Panel');
      await workbench.run('Loopfuse: Open Settings');
      await workbench.page
        .locator('.settings-editor .setting-item-contents', { hasText: 'Loopfuse' })
        .first()
        .waitFor();
      await until('the settings are closed', async () => {
        await workbench.page.keyboard.press('Escape');
        await workbench.page.locator('.settings-editor').waitFor({ state: 'detached', timeout: shortly });
        return true;
      });
    },
  },
};

const { contributes } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
/** Commands that are not always in the palette. */
const hidden = new Set(contributes.menus.commandPalette.map(({ command }) => command));
