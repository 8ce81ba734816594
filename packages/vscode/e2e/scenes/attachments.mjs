import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { models } from '../models.mjs';
import { textOf } from '../text-of.mjs';
import { shortly, until } from '../until.mjs';

/** The last request to the model. */
const sent = (server) => JSON.stringify(server.requests.at(-1)?.body);

export const attachments = {
  'attached: a selection by command, the file by the button, removed, sent, there after a reload': {
    model: models.says('I have seen it.'),
    fresh: true,
    async play({ chat, workbench, server, look, sessions }) {
      await workbench.openFile('src/index.js');
      await workbench.selectLines(2);
      await workbench.run('Loopfuse: Attach Selection');
      const chips = chat.part('attachment');
      await chips.filter({ hasText: 'src/index.js:1-2' }).waitFor();

      await workbench.typeAtEnd('// not saved');
      await chat.part('attach').click();
      await chips.filter({ hasText: 'src/index.js:' }).last().waitFor();
      await until('the caret is in the file', async () => (await chips.count()) === 2);
      assert.match(await textOf(chips.last()), /not saved/);
      await look('attachments');

      await chat.send('What is this?');
      await chat.says('I have seen it.');
      await chat.idle();
      assert.match(sent(server), /What is this\?\\n\\n\[Attached by the user: src\/index\.js, lines 1 to 2\]\\n1→/);
      assert.match(sent(server), /the whole file, as it is in the editor, not saved\]\\n1→.*not saved/);
      assert.equal(await chips.count(), 0, 'what was sent is still attached');
      await until('it is saved', () => sessions()[0]?.history.length === 2);

      await workbench.revert();
      await workbench.reload();
      await workbench.openChat();
      await chat.part('sent-attachment').filter({ hasText: 'src/index.js:1-2' }).waitFor();
      await chat.part('sent-attachment').first().getByRole('button', { name: /^Open/ }).click();
      await until('the file is open', async () => (await workbench.cursorLine()) === 1);
    },
  },
  'attached from the menu of the editor, and what is outside of the folder is refused': {
    model: models.says('Yes.'),
    fresh: true,
    async play({ chat, workbench, pictureOf, write, home, folder }) {
      write('.npmrc', 'save-exact=true\n');
      writeFileSync(join(home, 'elsewhere.txt'), 'x\n');
      symlinkSync(join(home, 'elsewhere.txt'), join(folder, 'harmless.txt'));
      await workbench.openFile('README.md');
      const entry = workbench.page.locator('.monaco-menu .action-item', { hasText: 'Attach Selection' });
      await until('it is taken from the menu', async () => {
        await workbench.page.keyboard.press('Escape'); // a menu that is still open
        await workbench.lines.click({ timeout: shortly });
        await workbench.page.keyboard.press('Control+A');
        await workbench.lines.click({ button: 'right', position: { x: 20, y: 8 }, timeout: shortly });
        await entry.waitFor({ timeout: shortly });
        await pictureOf('attach-menu');
        await entry.click({ timeout: shortly });
        return true;
      });
      await chat.part('attachment').filter({ hasText: 'README.md:1-' }).waitFor();
      await chat
        .part('attachment')
        .getByRole('button', { name: /^Remove/ })
        .click();
      await chat.part('attachment').waitFor({ state: 'detached' });

      await workbench.openFile('.npmrc');
      await workbench.run('Loopfuse: Attach File');
      await workbench.press(/may contain keys/, /Attach It/);
      await chat.part('attachment').filter({ hasText: '.npmrc' }).waitFor();
      await workbench.openFile('harmless.txt');
      await workbench.run('Loopfuse: Attach File');
      await chat.says(/Not attached: .*outside the workspace/);
      assert.equal(await chat.part('attachment').count(), 1);
    },
  },
};
