import assert from 'node:assert/strict';
import { barriers } from '../axe.mjs';
import { models } from '../models.mjs';

const settings = { 'loopfuse.policy': 'ask' };

/** The page at a moment, in a dark and in a light theme, for people who do not see well or do not use a mouse. */
async function isOpenToAll({ chat, workbench }) {
  for (const other of ['light', 'dark']) {
    assert.deepEqual(await barriers(chat.frame), []);
    await workbench.run('Preferences: Toggle between Light/Dark Themes');
    await workbench.dressed(other);
    await chat.dressed(other);
  }
}

export const access = {
  'accessibility: an empty chat': {
    model: models.says('Yes.'),
    play: isOpenToAll,
  },
  'accessibility: an answer with reasoning, markdown and a list of sessions': {
    model: models.explains(
      '# Why\n\nIt `adds`.\n\n- [x] one\n- two\n\n```js\nlet a;\n```\n\n|a|b|\n|---|---|\n|1|2|\n',
    ),
    async play(stage) {
      const { chat } = stage;
      await chat.send('Why?');
      await chat.idle();
      await chat.part('sessions-button').click();
      await chat.part('session-row').first().waitFor();
      await isOpenToAll(stage);
    },
  },
  'accessibility: a change that needs approval': {
    model: models.edits(),
    async play(stage) {
      const { chat } = stage;
      await chat.send('Write it down');
      await chat.part('approval').waitFor();
      await isOpenToAll(stage);
      await chat.approve('no');
    },
  },
  'accessibility: attachments, edits that can be undone, a message to retry': {
    model: models.edits(),
    async play(stage) {
      const { chat, workbench } = stage;
      await workbench.openFile('README.md');
      await chat.part('attach').click();
      await chat.part('attachment').waitFor();
      await chat.send('Write it down');
      for (const file of ['notes.md', 'src/index.js']) {
        await chat.part('approval').filter({ hasText: file }).waitFor();
        await chat.approve('once');
      }
      await chat.part('edits').waitFor();
      await chat.idle();
      await chat.part('attach').click();
      await chat.part('attachment').waitFor();
      await isOpenToAll(stage);
      await chat
        .part('attachment')
        .getByRole('button', { name: /^Remove/ })
        .click();
      await workbench.closeEditors();
    },
  },
  'accessibility: the card of a loop, and what is left of it': {
    model: models.goesRound(),
    settings,
    async play(stage) {
      const { chat } = stage;
      await chat.send('Read it to me');
      await chat.asked('cycle');
      await chat.part('evidence').locator('summary').click();
      await isOpenToAll(stage);
      await chat.choose('stop');
      await chat.loop.waitFor({ state: 'detached' });
      await isOpenToAll(stage);
    },
  },
};
