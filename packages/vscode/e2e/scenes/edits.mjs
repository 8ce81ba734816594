import assert from 'node:assert/strict';
import { say, sequence } from '@loopfuse/model-server';
import { textOf } from '../text-of.mjs';
import { until } from '../until.mjs';

const settings = { 'loopfuse.approval': 'yolo' };
const writes = (path, content) => ({ parts: [{ call: { tool: 'write_file', input: { path, content } } }] });
const changes = () =>
  sequence([writes('README.md', '# Changed\n'), writes('new.txt', 'new\n')], { afterwards: () => say('It is done.') });

export const edits = {
  'the edits of an answer are undone, in the editor as well, and the model is told': {
    model: changes(),
    settings,
    async play({ chat, workbench, server, look, read, has }) {
      const before = read('README.md');
      await workbench.openFile('README.md');
      await chat.send('Change it');
      await chat.says('It is done.');
      await chat.idle();
      assert.match(await textOf(chat.part('edits')), /Edited 2 files: README\.md, new\.txt/);
      await look('undo-edits');
      await chat.part('undo-edits').click();
      await workbench.press(/The answer has created new\.txt/, /Remove It/);
      await chat.says('Edits were undone by the user.');
      assert.equal(read('README.md'), before);
      assert.ok(!has('new.txt'), 'the file that the answer created is still there');
      assert.equal(await chat.part('undo-edits').count(), 0);

      await workbench.undo('# Changed');
      await workbench.page.keyboard.press('Control+Shift+Z');
      server.setScript(() => say('I see.'));
      await chat.send('And now?');
      await chat.says('I see.');
      assert.match(
        JSON.stringify(server.requests.at(-1).body),
        /Edits were undone by the user\. As before the answer: README\.md/,
      );
      await workbench.revert();
      await workbench.closeEditors();
    },
  },
  'the edits can still be undone after the window is reloaded': {
    model: changes(),
    settings,
    async play({ chat, workbench, look, read, has }) {
      const before = read('README.md');
      await chat.send('Change it');
      await chat.says('It is done.');
      await chat.idle();
      await workbench.reload();
      await chat.says('It is done.');
      await chat.part('undo-edits').waitFor();
      assert.match(await textOf(chat.part('edits')), /Edited 2 files: README\.md, new\.txt/);
      await look('undo-edits-after-reload');
      await chat.part('undo-edits').click();
      await workbench.press(/The answer has created new\.txt/, /Remove It/);
      await chat.says('Edits were undone by the user.');
      assert.equal(read('README.md'), before);
      assert.ok(!has('new.txt'), 'the file that the answer created is still there');
    },
  },
  'a file that the person has changed since is not put back': {
    model: changes(),
    settings,
    async play({ chat, workbench, read, write }) {
      await chat.send('Change it');
      await chat.says('It is done.');
      await chat.idle();
      write('README.md', 'mine\n');
      await chat.part('undo-edits').click();
      await workbench.press(/The answer has created new\.txt/, /Keep It/);
      await chat.says(/No edit was undone\. .*kept: new\.txt\. Changed since .*: README\.md/);
      assert.equal(read('README.md'), 'mine\n');
      await until('it is still offered', async () => (await chat.part('undo-edits').count()) === 1);
    },
  },
  'retried: the answer is taken back, its edits undone, and the message sent again': {
    model: changes(),
    settings,
    async play({ chat, workbench, server, look, read, has, sessions }) {
      const before = read('README.md');
      await chat.send('Change it');
      await chat.says('It is done.');
      await chat.idle();
      server.setScript(() => say('I would rather ask first.'));
      await look('retry');
      await chat.part('retry').click();
      await workbench.press(/The answer edited README\.md, new\.txt/, /Undo Edits and Retry/);
      await workbench.press(/The answer has created new\.txt/, /Remove It/);
      await chat.says('I would rather ask first.');
      await chat.idle();
      assert.equal(await chat.part('item-you').count(), 1);
      assert.equal(await chat.part('item-tool').count(), 0, 'the first answer is still shown');
      assert.equal(read('README.md'), before);
      assert.ok(!has('new.txt'));
      assert.ok(!JSON.stringify(server.requests.at(-1).body).includes('It is done.'), 'the model saw its first answer');
      await until('it is saved', () => sessions()[0]?.history.length === 2);
    },
  },
};
