import assert from 'node:assert/strict';
import { models } from '../models.mjs';
import { textOf } from '../text-of.mjs';
import { shortly, until } from '../until.mjs';

export const modelPicker = {
  'another model is chosen from the line below the chat, and the next message goes to it': {
    model: models.says('Here I am.'),
    fresh: true,
    async play({ chat, workbench, server, pictureOf, write, logged }) {
      await chat.send('Who is there?');
      await chat.says('Here I am.');
      await chat.idle();
      const rows = workbench.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
      await workbench.asked(
        () => chat.part('model').click(),
        async () => {
          await rows.filter({ hasText: 'default' }).first().waitFor({ timeout: shortly });
          await pictureOf('model-picker');
          await workbench.answerTo('Choose a model', 'your own server');
          await workbench.answerTo('Where is the server?', `${server.url}/v1`);
          await workbench.answerTo('Which model of', 'another-model');
        },
      );
      await until('the line names it', async () => (await textOf(chat.part('model'))).includes('another-model'));
      await chat.send('And now?');
      await chat.idle();
      assert.equal(server.requests.at(-1).body.model, 'another-model');
      assert.equal(await chat.part('item-you').count(), 2, 'the conversation was lost');

      // A workspace may name a model, and says so; it may not say where keys go.
      write(
        '.vscode/settings.json',
        JSON.stringify({ 'loopfuse.model': 'of-the-workspace', 'loopfuse.baseURL': 'http://127.0.0.1:9/v1' }),
      );
      await logged(/Works in .* with of-the-workspace of openai-compatible/);
      const address = workbench.page.locator('.quick-input-widget:visible .quick-input-box input');
      let offered;
      await workbench.asked(
        () => workbench.run('Loopfuse: Choose Model'),
        async () => {
          await workbench.answerTo('Choose a model', 'your own server');
          await workbench.titled('Where is the server?');
          offered = await until('an address is offered', async () => {
            const value = await address.inputValue({ timeout: shortly });
            return value.startsWith('http') && value;
          });
          await address.press('Enter', { timeout: shortly });
          await workbench.answerTo('Which model of', 'mine');
        },
      );
      assert.equal(offered, `${server.url}/v1`);
      await workbench.press(/name the model of-the-workspace/, /Change It There/);
      await until('the line names it', async () => (await textOf(chat.part('model'))).includes('mine'));
      await chat.send('And now?');
      await chat.idle();
      assert.equal(server.requests.at(-1).body.model, 'mine');
    },
  },
};
