import assert from 'node:assert/strict';
import { models } from '../models.mjs';
import { until } from '../until.mjs';

const settings = { 'loopfuse.policy': 'ask' };

/** The choices about a loop. */
export const choices = {
  'the first time the model is told, and a person only when that does not help': {
    model: models.loops(),
    async play({ chat, server, look }) {
      await chat.send('Read it to me');
      await chat.asked('repeated-calls');
      assert.ok(
        server.requests.some(({ body }) => JSON.stringify(body).includes('[Loop guard]')),
        'nobody told it',
      );
      assert.match(await chat.words(), /told/i);
      await look('loop-told-before');
    },
  },
  'stop: nothing goes on, and the next request is as good as any': {
    model: models.loops(),
    settings,
    async play({ chat, server }) {
      await chat.send('Read it to me');
      await chat.asked('repeated-calls');
      const seen = server.seen;
      await chat.choose('stop');
      await chat.loop.waitFor({ state: 'detached' });
      await chat.idle();
      assert.equal(server.seen, seen, 'the model was asked again after a stop');
      server.setScript(models.says('Then I shall.'));
      await chat.send('Do something else');
      await chat.says('Then I shall.');
    },
  },
  'continue: it goes on, and a second loop is a second card': {
    model: models.loops(),
    settings,
    async play({ chat, server }) {
      await chat.send('Read it to me');
      await chat.asked('repeated-calls');
      const seen = server.seen;
      await chat.choose('continue');
      await until('the loop has built up anew', () => server.seen >= seen + 3);
      await chat.asked('repeated-calls');
      await until('both loops are told', async () => (await chat.words()).match(/made 3 times in a row/g)?.length >= 2);
      await chat.idle();
      await chat.choose('stop');
      await chat.loop.waitFor({ state: 'detached' });
    },
  },
  'hint: the model gets it and goes on': {
    model: models.takesAHint(),
    settings,
    async play({ chat, server, look }) {
      await chat.send('What does it do?');
      await chat.asked('repeated-calls');
      await chat.choose('hint');
      const hint = chat.part('loop-hint-text');
      await hint.fill('Look into the sources instead');
      await look('loop-hint');
      await hint.press('Enter');
      await chat.says('adds two numbers');
      const told = server.requests.at(-1).turn.messages.filter(({ role }) => role === 'user');
      assert.match(told.at(-1).text, /Look into the sources instead$/);
    },
  },
  'exempt: the tool is never flagged again in this session': {
    model: models.loopsForAWhile(12),
    settings,
    async play({ chat, sessions }) {
      await chat.send('Read it to me');
      await chat.asked('repeated-calls');
      await chat.choose('exempt');
      await chat.says('That is as far as I got.');
      await chat.idle();
      const [{ guard }] = await until('it is saved', () => sessions()[0].halted === undefined && sessions());
      assert.deepEqual(guard.watch.exemptions, [{ tool: 'read_file' }]);
    },
  },
  'disable: detection is off for this session, and on in the next': {
    model: models.loopsForAWhile(12),
    settings,
    async play({ chat, workbench, server }) {
      await chat.send('Read it to me');
      await chat.asked('repeated-calls');
      await chat.choose('disable');
      await chat.says('That is as far as I got.');
      await workbench.status(/off/i).waitFor();
      await chat.startAnew();
      server.setScript(models.loops());
      await chat.send('Read it to me');
      await chat.asked('repeated-calls');
      await chat.choose('stop');
    },
  },
  'the card is worked by the keyboard alone': {
    model: models.loopsForAWhile(5),
    settings,
    async play({ chat, workbench }) {
      await chat.send('Read it to me');
      await chat.asked('repeated-calls');
      const { keyboard } = workbench.page;
      await until('the first choice has the focus', async () => (await chat.focused()) === 'loop-stop');
      // Keys pressed right after the card has appeared are not meant for it.
      await until('the arrow moves on', async () => {
        await keyboard.press('ArrowDown');
        return (await chat.focused()) === 'loop-continue';
      });
      await until('the choice is taken', async () => {
        if ((await chat.focused()) === 'loop-continue') await keyboard.press('Enter');
        return (await chat.loop.count()) === 0;
      });
      await chat.says('That is as far as I got.');
    },
  },
};
