import assert from 'node:assert/strict';
import { models } from '../models.mjs';
import { textOf } from '../text-of.mjs';
import { shortly, until } from '../until.mjs';

const manual = { 'files.autoSave': 'off' };

/** Nothing that the user typed, asked or was asked is lost, and no message is wrong. */
export const nothingLost = {
  'a file with unsaved changes: the agent changes it in the editor, and undo works': {
    model: models.edits(),
    settings: { ...manual, 'loopfuse.approval': 'yolo' },
    fresh: true,
    async play({ chat, workbench, has, look, server }) {
      await workbench.openFile('src/index.js');
      await workbench.typeAtEnd('// typed by me');
      await workbench.page.locator('.tab.dirty', { hasText: 'index.js' }).waitFor();
      await chat.send('Write it down');
      await chat.says('That is all.');
      await chat.idle();
      const shown = async () => (await textOf(workbench.lines)).replace(/\u00a0/g, ' ');
      await until('the change is in the editor', async () => (await shown()).includes('b + a'));
      assert.match(await shown(), /typed by me/, 'what the person typed is gone');
      assert.ok(has('src/index.js', 'a + b'), 'the copy on disk was rewritten');
      assert.ok(!has('src/index.js', 'typed by me'), 'it was saved for the person');
      assert.match(server.requests.at(-1).turn.results.at(-1).text, /not saved/);
      await look('unsaved-changed');
      await workbench.undo('a + b');
      assert.match(await shown(), /typed by me/, 'undo took too much');
      await workbench.revert();
      await workbench.closeEditors();
    },
  },
  'the first Ctrl+Alt+L of a window puts the caret into the composer': {
    model: models.says('Yes.'),
    fresh: true,
    chat: false,
    async play({ chat, workbench }) {
      await until('the key shows the view', async () => {
        await workbench.page.keyboard.press('Control+Alt+L'); // again only while nothing has come of it
        await workbench.page
          .locator('.sidebar .composite.title', { hasText: 'Loopfuse' })
          .waitFor({ timeout: shortly });
        return true;
      });
      await chat.composer.waitFor();
      await until('the composer has the focus', async () => (await chat.focused()) === 'composer');
    },
  },
  'a message sent by a command before the page is there is shown with its answer': {
    model: models.says('Here I am.'),
    fresh: true,
    chat: false,
    async play({ chat, workbench }) {
      await workbench.asked(
        () => workbench.run('Loopfuse: Send a Message'),
        () => workbench.answer('Are you there?'),
      );
      await chat.part('item-you').filter({ hasText: 'Are you there?' }).waitFor();
      await chat.says('Here I am.');
    },
  },
  'what cannot be sent before the page is there is given back': {
    model: models.says('Here I am.'),
    settings: { 'loopfuse.provider': 'openai', 'loopfuse.model': '' },
    fresh: true,
    chat: false,
    async play({ chat, workbench }) {
      await workbench.asked(
        () => workbench.run('Loopfuse: Send a Message'),
        () => workbench.answer('Are you there?'),
      );
      await chat.composer.waitFor();
      await until('the words are back', async () => (await chat.composer.inputValue()) === 'Are you there?');
      await chat.frame.locator('[data-command="loopfuse.chooseModel"]').first().waitFor();
    },
  },
  'stopped while a question is open: that is not kept as a no': {
    model: models.edits(),
    async play({ chat, sessions, has }) {
      await chat.send('Write it down');
      await chat.part('approval').waitFor();
      await chat.part('stop').click();
      await chat.idle();
      await until('it is saved', () => sessions()[0]?.history.at(-1)?.role === 'tool');
      assert.deepEqual(
        sessions()[0]
          .history.at(-1)
          .results.map(({ status }) => status),
        ['not-run'],
      );
      assert.doesNotMatch(JSON.stringify(sessions()[0].history), /declined by the user/);
      assert.ok(!has('notes.md'));
    },
  },
  'the window is reloaded while a question is open: the request can go on, and nobody has said no': {
    model: models.edits(),
    fresh: true,
    async play({ chat, workbench, sessions, has }) {
      await chat.send('Write it down');
      await chat.part('approval').waitFor();
      await workbench.reload();
      await workbench.openChat();
      await chat.part('continue-cut').waitFor();
      assert.doesNotMatch(JSON.stringify(sessions()[0].history), /declined by the user/);
      assert.ok(!has('notes.md'));
    },
  },
  'after “never flag” and “switch off” the model is not told that it went in circles': {
    model: models.loopsForAWhile(8),
    settings: { 'loopfuse.policy': 'ask' },
    async play({ chat, server }) {
      const told = () => JSON.stringify(server.requests.at(-1).turn.messages).includes('went in circles');
      for (const choice of ['exempt', 'disable']) {
        server.setScript(models.loopsForAWhile(8));
        await chat.send('Read it to me');
        await chat.asked();
        await chat.choose(choice);
        await chat.says('That is as far as I got.');
        await chat.idle();
        assert.ok(!told(), `after ${choice} the model is told that it went in circles`);
        await chat.startAnew();
      }
    },
  },
};
