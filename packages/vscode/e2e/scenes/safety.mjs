import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer } from '@loopfuse/model-server';
import { models } from '../models.mjs';
import { until } from '../until.mjs';

const key = 'sk-kept-between-us-4711';

export const safety = {
  'in a folder that is not trusted no tool runs': {
    model: models.runs('echo ran > ran.txt'),
    settings: { 'security.workspace.trust.enabled': true, 'loopfuse.approval': 'yolo' },
    fresh: true,
    async play({ chat, has, look, server }) {
      await look('untrusted');
      const seen = server.seen;
      if (await chat.composer.isEnabled()) {
        await chat.composer.fill('Run it');
        await chat.composer.press('Enter');
      }
      await chat.frame.getByText(/trust/i).first().waitFor();
      await chat.idle();
      assert.ok(!has('ran.txt'), 'a command ran in a folder that is not trusted');
      for (const { turn } of server.requests.slice(seen))
        assert.ok(
          (turn?.results ?? []).every(({ text }) => /trust/i.test(text)),
          'a tool gave a result',
        );
    },
  },
  'the agent cannot loosen its own restrictions by way of the settings of the workspace': {
    model: models.loosensItself(),
    settings: { 'loopfuse.approval': 'auto-edit' },
    fresh: true,
    async play({ chat, has, look, read }) {
      await chat.send('Go on by yourself');
      await chat.part('approval').filter({ hasText: '.vscode/settings.json' }).waitFor();
      assert.ok(!has('.vscode/settings.json'), 'the settings of the workspace were written unasked');
      await look('approval-settings');
      assert.equal(
        await chat.part('approve-always').count(),
        0,
        'one answer would cover all later changes of settings',
      );
      await chat.approve('once');
      await chat.part('approval').filter({ hasText: 'touch ran-unasked.txt' }).waitFor();
      assert.match(read('.vscode/settings.json'), /yolo/);
      assert.ok(!has('ran-unasked.txt'), 'the workspace has widened the approval');
      await chat.approve('no');
      await chat.says('That is all.');
      assert.ok(!has('ran-unasked.txt'));
    },
  },
  'a key is kept in the secret storage and nowhere else': {
    model: models.says('I know you.'),
    settings: { 'loopfuse.provider': 'openai' },
    fresh: true,
    async play({ chat, workbench, server, home }) {
      await keep(workbench, 'openai', key);
      await until('the key is used', async () => {
        await chat.send('Who am I?');
        await chat.idle();
        return server.requests.at(-1).headers.authorization === `Bearer ${key}`;
      });
      await chat.says('I know you.');
      assert.deepEqual(filesWith(home, key), []);
      await workbench.run('Loopfuse: Forget an API Key');
    },
  },
  'a key is kept for the variable that the settings name, and goes nowhere else': {
    model: models.says('I know you.'),
    settings: { 'loopfuse.provider': 'openai', 'loopfuse.apiKeyEnv': 'SHOP_KEY' },
    fresh: true,
    async play({ chat, workbench, server, log }) {
      const refusals = () => log().match(/No key for openai.*SHOP_KEY/g)?.length ?? 0;
      await until('a key is missing', () => refusals() > 0);
      const before = refusals();
      await keep(workbench, 'openai', `${key}-of-another`);
      await until('the key of the provider is not taken for it', () => refusals() > before);
      await chat.frame.getByText('set SHOP_KEY in the environment').waitFor();
      await keep(workbench, 'SHOP_KEY', key);
      await until('the key is used', async () => {
        await chat.send('Who am I?');
        await chat.idle();
        return server.requests.at(-1).headers.authorization === `Bearer ${key}`;
      });
      await chat.says('I know you.');
    },
  },
  'a stored key stays with the address that it was stored for': {
    model: models.says('I know you.'),
    settings: { 'loopfuse.provider': 'openai' },
    fresh: true,
    async play({ chat, workbench, server, write, set, look }) {
      const other = await startModelServer({ script: models.says('Thank you for the key.') });
      try {
        await keep(workbench, 'openai', key);
        await workbench.notified(`for ${server.url}/v1`);
        await until('the key is used', async () => {
          await chat.send('Who am I?');
          await chat.idle();
          return server.requests.at(-1).headers.authorization === `Bearer ${key}`;
        });
        write('.vscode/settings.json', JSON.stringify({ 'loopfuse.baseURL': `${other.url}/v1` }));
        const seen = server.seen;
        await chat.send('And now?');
        await until('the settings of the workspace redirect nothing', () => server.seen > seen);
        await chat.idle();
        set({ 'loopfuse.baseURL': `${other.url}/v1` });
        const banner = chat.frame.getByTestId('banner-blocked').filter({ hasText: `${other.url}/v1` });
        await banner.waitFor();
        await look('key-address');
        await chat.frame.locator('[data-command="loopfuse.decideKey"]').click();
        const dialog = workbench.page.locator('.monaco-dialog-box');
        await dialog.filter({ hasText: `Send the key OPENAI_API_KEY to ${other.url}/v1?` }).waitFor();
        await dialog.getByRole('button', { name: 'Never Send It There' }).click();
        await chat.frame.getByTestId('banner-blocked').filter({ hasText: 'No key for openai' }).waitFor();
        assert.equal(other.seen, 0, 'the key went to another address');
      } finally {
        await other.close();
      }
    },
  },
  'the page lets in nothing but its own script': {
    model: models.says('Yes.'),
    async play({ chat }) {
      const body = chat.frame.locator('body');
      await body.evaluate(() => {
        globalThis.refused = [];
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
          globalThis.refused.push(effectiveDirective),
        );
        const script = document.createElement('script');
        script.textContent = 'globalThis.strangerRan = true';
        const image = document.createElement('img');
        image.src = 'http://127.0.0.1:9/x.png';
        document.body.append(script, image);
        fetch('http://127.0.0.1:9/').catch(() => {});
      });
      for (const directive of ['script-src-elem', 'img-src', 'connect-src'])
        await until(`${directive} is enforced`, () =>
          body.evaluate((_, directive) => globalThis.refused.includes(directive), directive),
        );
      await body.evaluate(() => document.querySelector('img[src*="127.0.0.1:9"]').remove());
      assert.equal(await body.evaluate(() => globalThis.strangerRan), undefined, 'a script of nobody ran');
    },
  },
  'what the model says cannot become part of the page': {
    model: models.says(
      '<img src="x" onerror="document.title=1"><script>document.title=2</script> [a](javascript:alert(1)) ![b](http://127.0.0.1:9/x.png) <b>bold</b> done',
    ),
    async play({ chat, workbench }) {
      const requests = [];
      workbench.page.on('request', (request) => requests.push(request.url()));
      await chat.send('Say it');
      await chat.says('done');
      await chat.idle();
      const says = chat.part('item-says').last();
      assert.equal(await says.locator('script, img, iframe, [onerror], a[href^="javascript:"]').count(), 0);
      assert.deepEqual(
        requests.filter((url) => url.includes('x.png')),
        [],
      );
    },
  },
};

async function keep(workbench, whose, what) {
  await workbench.asked(
    () => workbench.run('Loopfuse: Set an API Key'),
    async () => {
      await workbench.chooseIfAsked(whose);
      await workbench.answer(what);
    },
  );
}

function filesWith(folder, text) {
  return readdirSync(folder, { recursive: true })
    .map((path) => join(folder, path))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() && readFileSync(file).includes(text));
}
