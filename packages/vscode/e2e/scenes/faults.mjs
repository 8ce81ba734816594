import assert from 'node:assert/strict';
import { fails } from '@loopfuse/model-server';
import { models } from '../models.mjs';
import { textOf } from '../text-of.mjs';
import { shortly, until } from '../until.mjs';

const works = models.says('Now it works.');

/** Whatever happens to the model, a message says so, and the view goes on working. */
async function worksAgain({ chat, server }) {
  await chat.idle();
  server.setScript(works);
  await chat.send('Once more');
  await chat.says('Now it works.');
}

/** The note with the error. */
const note = (chat) => chat.frame.locator('[data-testid="item-note"][data-tone="bad"]').last();

export const faults = {
  'the model server is down': {
    model: works,
    async play(stage) {
      const { chat, stopModel, look } = stage;
      const start = await stopModel();
      await chat.send('Are you there?');
      await note(chat).waitFor();
      assert.match(await textOf(note(chat)), /connect|reach/i);
      await look('model-down');
      await chat.idle();
      await start(works);
      await worksAgain(stage);
    },
  },
  'the model server refuses the key': {
    model: fails(401),
    async play(stage) {
      const { chat } = stage;
      await chat.send('Are you there?');
      await note(chat).waitFor();
      assert.match(await textOf(note(chat)), /401|key/i);
      await note(chat).getByRole('button', { name: /key/i }).waitFor();
      await worksAgain(stage);
    },
  },
  'the model server is slow, and the person loses patience': {
    model: models.stalls(),
    async play(stage) {
      const { chat, server } = stage;
      await chat.send('Are you there?');
      await chat.part('stop').waitFor();
      await until(
        'the request is under way',
        () => server.requests.at(-1).turn?.messages.at(-1).text === 'Are you there?',
      );
      await chat.part('stop').click();
      await until('the connection is closed', () => server.requests.at(-1).delivery !== undefined);
      await worksAgain(stage);
    },
  },
  'the model server is slow, and answers in the end': {
    model: models.says('Here I am.'),
    async play({ chat, server }) {
      let open;
      const gate = new Promise((resolve) => {
        open = resolve;
      });
      server.setScript(async (turn) => {
        await gate;
        return models.says('Here I am.')(turn);
      });
      await chat.send('Are you there?');
      await chat.frame.getByText('Working').first().waitFor();
      open();
      await chat.says('Here I am.');
      await chat.idle();
    },
  },
  'the model server cuts the stream': {
    model: models.cuts(),
    async play(stage) {
      const { chat } = stage;
      await chat.send('Are you there?');
      await note(chat).waitFor();
      assert.match(await textOf(note(chat)), /The answer was cut off: http:.* closed the connection too early/);
      await chat.says('Here it');
      await worksAgain(stage);
    },
  },
  'no model is set: choosing one is offered, and is enough': {
    model: works,
    settings: { 'loopfuse.provider': '', 'loopfuse.model': '', 'loopfuse.baseURL': '' },
    fresh: true,
    async play({ chat, workbench, server, look }) {
      const banner = chat.frame.getByTestId('banner-blocked');
      await banner.waitFor();
      await look('no-model');
      const [first] = await banner.getByRole('button').all();
      assert.equal(await textOf(first), 'Choose a Model');
      await workbench.asked(
        () => first.click(),
        async () => {
          await workbench.answerTo('Choose a model', 'your own server');
          await workbench.answerTo('Where is the server?', `${server.url}/v1`);
          await workbench.answerTo('Which model of', 'scripted-model');
        },
      );
      await banner.waitFor({ state: 'detached' });
      await chat.send('Are you there?');
      await chat.says('Now it works.');
    },
  },
  'no folder is open: opening one is offered': {
    model: works,
    fresh: true,
    folder: false,
    async play({ chat, workbench, look, server }) {
      const { seen } = server;
      const banner = chat.frame.getByTestId('banner-blocked').filter({ hasText: /folder/i });
      await banner.waitFor();
      await look('no-folder');
      const [first] = await banner.getByRole('button').all();
      assert.equal(await textOf(first), 'Open a Folder');
      const dialog = workbench.page.locator('.quick-input-widget:visible', { hasText: /Open Folder/ });
      await workbench.asked(
        () => first.click(),
        () => dialog.waitFor({ timeout: shortly }),
      );
      await workbench.page.keyboard.press('Escape');
      assert.equal(server.seen, seen, 'something was sent without a folder');
    },
  },
};
