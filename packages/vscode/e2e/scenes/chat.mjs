import assert from 'node:assert/strict';
import { markdown } from '../../../../scripts/scene-models.mjs';
import { models } from '../models.mjs';
import { textOf } from '../text-of.mjs';
import { until } from '../until.mjs';

export const chat = {
  'a request is sent and the answer streams in': {
    model: models.talks(600, 20),
    async play({ chat, look, workbench, server }) {
      await workbench.status('Loopfuse').waitFor();
      await look('empty');
      await chat.send('Talk to me');
      await chat.says('Here it begins.');
      const early = (await chat.words()).length;
      await chat.part('stop').waitFor();
      await until('more has come', async () => (await chat.words()).length > early);
      await look('streaming');
      await chat.idle();
      await chat.says('Here it ends.');
      assert.equal(server.requests.at(-1).delivery, 'whole');
    },
  },
  'markdown is shown as what it means, and reasoning folded': {
    model: models.explains(markdown),
    async play({ chat, look }) {
      await chat.send('What is wrong?');
      await chat.idle();
      const says = chat.part('item-says').last();
      await says.locator('pre code').filter({ hasText: 'lines.reduce' }).waitFor();
      assert.equal(await says.locator('table tbody tr').count(), 2);
      assert.equal(await textOf(says.locator('h1, h2, h3').first()), 'What is wrong');
      const thinks = chat.part('item-thinks').last();
      await thinks.waitFor();
      assert.equal(await thinks.getAttribute('open'), null, 'reasoning is not folded');
      await thinks.locator('summary').click();
      await thinks.locator('p').getByText('They want to know').waitFor();
      await look('markdown');
    },
  },
  'what the model costs is shown': {
    model: models.says('Yes.'),
    async play({ chat }) {
      await chat.send('Does it add?');
      await chat.idle();
      const line = await until('the line shows dollars', async () => {
        const facts = await textOf(chat.part('status-line'));
        return facts.includes('$') && facts;
      });
      assert.match(line, /\$0\.0033/, 'a thousand tokens in and twenty out, at 3 and 15 dollars a million');
    },
  },
  'cancelled while the model speaks': {
    model: models.talks(),
    async play({ chat, server }) {
      await chat.send('Talk to me');
      await chat.says('Here it begins.');
      await chat.part('stop').click();
      await chat.idle();
      await until('the connection is closed', () => server.requests.at(-1).delivery === 'gone');
      server.setScript(models.says('Here I am again.'));
      await chat.send('Are you there?');
      await chat.says('Here I am again.');
    },
  },
  'cancelled by the keyboard': {
    model: models.talks(),
    async play({ chat, server }) {
      await chat.send('Talk to me');
      await chat.says('Here it begins.');
      await chat.composer.press('Escape');
      await chat.idle();
      await until('the connection is closed', () => server.requests.at(-1).delivery === 'gone');
    },
  },
};
