import assert from 'node:assert/strict';
import { models } from '../models.mjs';
import { textOf } from '../text-of.mjs';
import { until } from '../until.mjs';

export const modelPicker = {
  'another model is chosen from the line below the chat, and the next message goes to it': {
    model: models.says('Here I am.'),
    fresh: true,
    async play({ chat, workbench, server, pictureOf, write, logged }) {
      await chat.send('Who is there?');
      await chat.says('Here I am.');
      await chat.idle();
      await chat.part('model').click();
      const rows = workbench.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
      await rows.filter({ hasText: 'default' }).first().waitFor();
      await pictureOf('model-picker');
      await workbench.answerTo('Choose a model', 'server of your own');
      await workbench.answerTo('Where is the server?', `${server.url}/v1`);
      await workbench.answerTo('Which model of', 'another-model');
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
      await workbench.run('Loopfuse: Choose Model');
      await workbench.answerTo('Choose a model', 'server of your own');
      const address = workbench.page.locator('.quick-input-widget:visible .quick-input-box input');
      await until('the address is asked for', async () => (await address.inputValue()).startsWith('http'));
      assert.equal(await address.inputValue(), `${server.url}/v1`);
      await address.press('Enter');
      await workbench.answerTo('Which model of', 'mine');
      await workbench.press(workbench.toast(/name the model of-the-workspace/), /Change It There/);
      await until('the line names it', async () => (await textOf(chat.part('model'))).includes('mine'));
      await chat.send('And now?');
      await chat.idle();
      assert.equal(server.requests.at(-1).body.model, 'mine');
    },
  },
};
