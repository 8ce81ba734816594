import assert from 'node:assert/strict';
import { callFor, say, sequence } from '@loopfuse/model-server';
import { counted } from '../../../../scripts/scene-models.mjs';
import { models } from '../models.mjs';
import { textOf } from '../text-of.mjs';
import { shortly, until } from '../until.mjs';

const settings = { 'loopfuse.policy': 'ask' };

/** Writes a file, then runs a command that waits for `on.txt`, then writes another file. */
const waits = () =>
  counted(
    sequence([
      (turn) => ({ parts: [callFor(turn, { write: 'a.txt', content: 'a' })] }),
      (turn) => ({
        parts: [callFor(turn, { shell: 'echo go > went.txt; while [ ! -e on.txt ]; do sleep 0.1; done' })],
      }),
      (turn) => ({ parts: [callFor(turn, { write: 'b.txt', content: 'b' })] }),
      say('That is all.'),
    ]),
  );

/** The counts in the text of a part of the editor: every number of calls or times. */
const countsIn = (words) => [...words.matchAll(/(\d+) (?:times|calls)/g)].map(([, count]) => Number(count));

/** All parts that show what the guard does agree. */
export const agreement = {
  'after Stop the guard watches: in the status bar, in the page, and after the window is reloaded': {
    model: models.loops(),
    settings,
    fresh: true,
    async play({ chat, workbench, look }) {
      const shows = (state) => chat.frame.locator(`[data-testid="guard-state"][data-state="${state}"]`).waitFor();
      await chat.send('Read it to me');
      await chat.asked('repeated-calls');
      await workbench.status('Loopfuse: halted').waitFor();
      await shows('halted');
      await chat.choose('stop');
      await chat.loop.waitFor({ state: 'detached' });
      await workbench.status('Loopfuse: watching').waitFor();
      await shows('watching');
      await look('stopped');
      await workbench.reload();
      await workbench.openChat();
      await chat.says('made 3 times in a row');
      await shows('watching');
      await workbench.status('Loopfuse: watching').waitFor();
      assert.equal(await workbench.page.locator('.statusbar-item', { hasText: /halted|tripped/ }).count(), 0);
    },
  },
  'card, sentence, status bar, tree and timeline count the same': {
    model: models.loops(),
    settings,
    fresh: true,
    async play({ chat, workbench }) {
      await workbench.page.setViewportSize({ width: 1280, height: 1000 });
      await chat.send('Read it to me');
      const card = await chat.asked('repeated-calls');
      assert.deepEqual(countsIn(card), [3], card);
      const bar = workbench.status('Loopfuse: halted');
      const tip = workbench.page.locator('.monaco-hover', { hasText: 'Repeated calls' }).first();
      const hint = await until('the status bar tells the loop', async () => {
        await workbench.page.mouse.move(800, 400);
        await bar.hover({ timeout: shortly });
        await tip.waitFor({ timeout: shortly });
        return textOf(tip, { timeout: shortly });
      });
      assert.deepEqual(countsIn(hint), [3], hint);
      await workbench.page.mouse.move(800, 400);
      await chat.choose('stop');
      await chat.loop.waitFor({ state: 'detached' });
      const sentence = await textOf(chat.frame.locator('[data-testid="item-note"][data-kind="repeated-calls"]'));
      assert.deepEqual(countsIn(sentence), [3], sentence);
      const tree = await workbench.openSessionsTree();
      await workbench.run('Loopfuse: Refresh the Sessions');
      await tree.row('Read it to me').waitFor();
      await tree.expand(tree.row('Read it to me'));
      const timeline = await until('the timeline tells the loop', async () => {
        await tree
          .row(/Repeated calls/)
          .first()
          .click({ timeout: shortly });
        await workbench.lines.waitFor({ timeout: shortly });
        const words = (await textOf(workbench.lines)).replace(/\u00a0/g, ' ');
        return words.includes('was made') && words;
      });
      assert.deepEqual(countsIn(timeline.split('\n').find((line) => line.startsWith('Events')) ?? timeline), [3]);
    },
  },
  'switched off, nothing says that the guard watches; its entry shows what watches when it does': {
    model: models.says('Yes.'),
    fresh: true,
    async play({ chat, workbench, pictureOf }) {
      const rows = workbench.page.locator('.quick-input-widget:visible .monaco-list-row');
      await workbench.asked(
        () => workbench.status('Loopfuse: watching').click(),
        async () => {
          await rows.filter({ hasText: 'stale-rounds: times 3' }).waitFor({ timeout: shortly });
          await pictureOf('guard-rows');
          await workbench.choose('Switch loop detection off');
        },
      );
      await workbench.status('Loopfuse: off').waitFor();
      await chat.frame.locator('[data-testid="guard-state"][data-state="off"]').waitFor();
      await chat.frame.getByText('Loop detection is off').first().waitFor();
      assert.equal(await chat.frame.getByText('The loop guard watches').count(), 0);
      let listed;
      await workbench.asked(
        () => workbench.status('Loopfuse: off').click(),
        async () => {
          await rows.filter({ hasText: 'off for this session' }).waitFor({ timeout: shortly });
          listed = await rows.filter({ hasText: 'stale-rounds' }).count();
          await workbench.choose('Switch loop detection on');
        },
      );
      assert.equal(listed, 0);
      await workbench.status('Loopfuse: watching').waitFor();
    },
  },
  'approval that is tightened in the settings counts at once, also after “Run all” and in the middle of a request': {
    model: waits(),
    settings: { 'loopfuse.approval': 'auto-edit' },
    fresh: true,
    async play({ chat, set, has, write, logged }) {
      await chat.part('approval-mode').selectOption('yolo');
      await chat.frame.locator('[data-testid="approval-mode"][data-mode="yolo"]').waitFor();
      await chat.send('Write it down');
      await until('the command runs unasked', () => has('went.txt'));
      set({ 'loopfuse.approval': 'ask' });
      await logged(/Approval is ask from now on/);
      write('on.txt', '');
      await chat.part('approval').filter({ hasText: 'b.txt' }).waitFor();
      assert.ok(has('a.txt') && !has('b.txt'), 'it was done before it was approved');
      await chat.approve('no');
      await chat.says('That is all.');
      assert.ok(!has('b.txt'), 'what was refused was done');
      await chat.frame.locator('[data-testid="approval-mode"][data-mode="ask"]').waitFor();
    },
  },
};
