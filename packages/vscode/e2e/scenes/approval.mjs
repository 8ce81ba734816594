import assert from 'node:assert/strict';
import { models } from '../models.mjs';
import { textOf } from '../text-of.mjs';
import { until } from '../until.mjs';

export const approval = {
  'a change is shown, approved and made; another is refused and not made': {
    model: models.edits(),
    async play({ chat, has, look, server }) {
      await chat.send('Write it down');
      const question = chat.part('approval').last();
      await question.waitFor();
      assert.match(await textOf(question), /notes\.md[\s\S]*It adds\./, 'the diff is not shown');
      assert.ok(!has('notes.md'), 'it was done before it was approved');
      await look('approval-new-file');
      await chat.approve('once');
      await question.filter({ hasText: 'src/index.js' }).waitFor();
      assert.ok(has('notes.md', 'It adds.'), 'what was approved was not done');
      assert.match(await textOf(chat.part('approval').last()), /a \+ b[\s\S]*b \+ a/, 'the diff is not shown');
      await look('approval-diff');
      await chat.approve('no');
      await chat.says('That is all.');
      assert.ok(has('src/index.js', 'a + b'), 'what was refused was done');
      assert.match(server.requests.at(-1).turn.results[0].text, /declined by the user/);
      await chat.frame.locator('[data-testid="item-tool"][data-tool="replace"][data-status="refused"]').waitFor();
      await look('approval-answered');
    },
  },
  'the change opens as a diff in the editor': {
    model: models.edits(),
    async play({ chat, workbench, look }) {
      await chat.send('Write it down');
      await chat.approve('once');
      await chat.part('approval').filter({ hasText: 'src/index.js' }).waitFor();
      await chat
        .part('approval')
        .getByRole('button', { name: /diff|editor/i })
        .first()
        .click();
      await workbench.page.locator('.monaco-diff-editor').first().waitFor();
      await workbench.page.locator('.monaco-diff-editor .view-line', { hasText: 'b + a' }).first().waitFor();
      await look('approval-diff-editor');
      await chat.approve('no');
      await chat.says('That is all.');
      await workbench.closeEditors();
    },
  },
  'a command is shown, approved for good and run': {
    model: models.runs('printf "one\\ntwo\\n" | tee ran.txt'),
    async play({ chat, has, look }) {
      await chat.send('Run it');
      await chat.part('approval').filter({ hasText: 'tee ran.txt' }).waitFor();
      await look('approval-command');
      await chat.approve('always');
      await chat.says('It has run.');
      assert.ok(has('ran.txt', 'one\ntwo'));
      await chat.frame.locator('[data-testid="item-tool"][data-tool="run_shell_command"][data-status="ok"]').waitFor();
    },
  },
  'cancelled while a question is open: the question goes, and nothing is done': {
    model: models.edits(),
    async play({ chat, has }) {
      await chat.send('Write it down');
      await chat.part('approval').waitFor();
      await chat.part('stop').click();
      await chat.part('approval').waitFor({ state: 'detached' });
      await chat.idle();
      assert.ok(!has('notes.md'), 'what was cancelled was done');
    },
  },
  'cancelled while a command runs: the command ends': {
    model: models.runs('echo begun > begun.txt; sleep 300; echo ended > ended.txt'),
    settings: { 'loopfuse.policy': 'ask', 'loopfuse.approval': 'yolo' },
    async play({ chat, has }) {
      await chat.send('Run it');
      await until('the command runs', () => has('begun.txt'));
      await chat.part('stop').click();
      await chat.idle();
      assert.ok(!has('ended.txt'));
    },
  },
};
