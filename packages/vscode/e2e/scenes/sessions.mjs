import assert from 'node:assert/strict';
import { models } from '../models.mjs';
import { textOf } from '../text-of.mjs';
import { until } from '../until.mjs';

const trace = [
  { loopfuse: 1, session: 'invoice', agent: 'example-agent', model: 'm' },
  { type: 'prompt', at: 1762161242000, text: 'Make the failing test pass' },
  ...Array.from({ length: 6 }, (_, k) => [
    { type: 'turn-start' },
    { type: 'tool-call', id: `${k}`, tool: 'read_file', input: { path: 'src/index.js' } },
    { type: 'tool-result', id: `${k}`, output: 'export function main(a, b) {}' },
    { type: 'turn-end' },
  ]).flat(),
]
  .map((line) => JSON.stringify(line))
  .join('\n');

export const sessions = {
  'the window is reloaded in the middle, and the request goes on': {
    model: models.readsAndTalks(),
    async play({ chat, workbench, server, look }) {
      await chat.send('Talk to me');
      await chat.says('Here it begins.');
      await workbench.reload();
      await workbench.openChat();
      await chat.part('item-you').filter({ hasText: 'Talk to me' }).waitFor();
      await chat.part('continue-cut').waitFor();
      await look('resumed-after-reload');
      server.setScript(models.says('Where was I? Here.'));
      await chat.part('continue-cut').click();
      await chat.says('Where was I? Here.');
      const { messages } = server.requests.at(-1).turn;
      assert.ok(
        messages.some(({ text }) => text.includes('Talk to me')),
        'the model does not know what was asked',
      );
    },
  },
  'a loop that waits for an answer still waits after the window is reloaded': {
    model: models.loopsForAWhile(5),
    settings: { 'loopfuse.policy': 'ask' },
    async play({ chat, workbench }) {
      await chat.send('Read it to me');
      await chat.asked('repeated-calls');
      await chat.idle();
      await workbench.reload();
      await workbench.openChat();
      const words = await chat.asked('repeated-calls');
      assert.match(words, /made 3 times in a row/);
      await chat.choose('continue');
      await chat.says('That is as far as I got.');
    },
  },
  'a settled loop keeps its card after a change of settings, a reload and a resume': {
    model: models.loopsForAWhile(5),
    settings: { 'loopfuse.policy': 'ask' },
    async play({ chat, workbench, set, look }) {
      await chat.send('Read it to me');
      await chat.asked('repeated-calls');
      await chat.choose('exempt');
      await chat.says('That is as far as I got.');
      await chat.idle();
      const card = chat.frame.locator('[data-kind="repeated-calls"]');
      const settled = await textOf(card);
      assert.match(settled, /Repeated calls\..*made 3 times in a row.*Spent on it: [\d,]+ tokens/s);
      assert.match(settled, /read_file is not flagged any more/);
      const keeps = (after) => until(`the card is the same ${after}`, async () => (await textOf(card)) === settled);
      set({ 'loopfuse.approval': 'auto-edit' });
      await chat.frame.locator('[data-testid="approval-mode"][data-mode="auto-edit"]').waitFor();
      await keeps('after a change of settings');
      await workbench.reload();
      await workbench.openChat();
      await card.waitFor();
      await keeps('after a reload');
      await look('settled-loop-after-reload');
      await chat.startAnew();
      await chat.part('sessions-button').click();
      await chat.part('session-row').filter({ hasText: 'Read it to me' }).first().click();
      await card.waitFor();
      await keeps('after a resume');
    },
  },
  'an earlier session is found and resumed': {
    model: models.says('The first answer.'),
    async play({ chat, server, look }) {
      await chat.send('What about apples?');
      await chat.says('The first answer.');
      await chat.idle();
      await chat.startAnew();
      server.setScript(models.says('The second answer.'));
      await chat.send('What about pears?');
      await chat.says('The second answer.');
      await chat.idle();
      await chat.part('sessions-button').click();
      await chat.part('session-row').nth(1).waitFor();
      await look('sessions-list');
      await chat.part('sessions-search').fill('apples');
      await chat.part('session-row').filter({ hasText: 'pears' }).waitFor({ state: 'detached' });
      await chat.part('session-row').filter({ hasText: 'apples' }).click();
      await chat.says('The first answer.');
      await chat.send('And more?');
      await chat.says('The second answer.');
      const said = server.requests
        .at(-1)
        .turn.messages.map(({ text }) => text)
        .join('\n');
      assert.match(said, /apples[\s\S]*The first answer\.[\s\S]*And more\?/);
      await chat.part('sessions-button').click();
      await chat.part('sessions-list').waitFor();
      await chat.startAnew();
      await chat.part('sessions-list').waitFor({ state: 'detached' });
    },
  },
  'the sessions tree has findings, and a finding opens where it started': {
    model: models.loops(),
    settings: { 'loopfuse.policy': 'ask' },
    fresh: true,
    async play({ chat, workbench, look, write }) {
      await workbench.page.setViewportSize({ width: 1280, height: 1000 });
      write('traces/invoice.jsonl', trace);
      await chat.send('Find the loop in this');
      await chat.asked('repeated-calls');
      await chat.choose('stop');
      await chat.idle();
      const tree = await workbench.openSessionsTree();
      await workbench.run('Loopfuse: Refresh the Sessions');
      const own = tree.row('Find the loop in this');
      await own.waitFor();
      await tree.expand(own);
      await tree
        .row(/Repeated calls/)
        .first()
        .waitFor();
      const recorded = tree.row(/Make the failing test pass|invoice/).first();
      await tree.expand(recorded);
      await look('sessions-tree');
      await tree
        .row(/Repeated calls/)
        .last()
        .click();
      await workbench.lines.getByText('read_file').first().waitFor();
      await look('finding-opened');
      const line = await workbench.cursorLine();
      assert.ok(line > 1, `the finding opened at line ${line}`);
      await workbench.closeEditors();
    },
  },
};
