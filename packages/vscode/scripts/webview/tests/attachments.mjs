// biome-ignore-all lint/performance/useDomNodeTextContent: what is tested is what people see

/** Attachments: chips in the composer, and with the sent message. */
import assert from 'node:assert/strict';
import { hasFocus, onPage } from '../on-page.mjs';
import { attached, conversation } from '../scenes.mjs';

onPage('chips: named, opened, removed by button and by key, read out', {}, async (view) => {
  const { tell, part, posted, page } = view;
  await tell(conversation());
  await posted();
  assert.equal(await part('attachments').count(), 0);
  await page.getByRole('button', { name: 'Attach the selection, or the open file' }).click();
  assert.deepEqual(await posted(), [{ type: 'attach' }]);

  await tell({ type: 'attached', attached });
  const list = page.getByRole('list', { name: 'Attached to your message' });
  assert.deepEqual(
    await list.getByRole('listitem').evaluateAll((all) => all.map((one) => one.querySelector('.words').textContent)),
    ['src/total.ts:3-9', 'README.md', 'src/a/very/long/path/to/a/file/that/has/a/long/name/of/its/own.test.ts:120'],
  );
  const read = await page.getByRole('log').allInnerTexts();
  assert.match(read.join(' '), /Attached: src\/total\.ts:3-9/);

  await list.getByRole('button', { name: 'Open src/total.ts:3-9' }).click();
  assert.deepEqual(await posted(), [{ type: 'open-file', path: 'src/total.ts:3' }]);
  await list.getByRole('button', { name: 'Remove src/total.ts:3-9' }).focus();
  await page.keyboard.press('Enter');
  assert.deepEqual(await posted(), [{ type: 'detach', id: 1 }]);
  await tell({ type: 'attached', attached: attached.slice(1) });
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  assert.equal(await focused(), 'Remove README.md');
  await page.keyboard.press('Delete');
  await tell({ type: 'attached', attached: attached.slice(2) });
  await page.keyboard.press('Backspace');
  assert.deepEqual(await posted(), [
    { type: 'detach', id: 2 },
    { type: 'detach', id: 3 },
  ]);
  await tell({ type: 'attached', attached: [] });
  await hasFocus(view, 'composer');
});

onPage('sent attachments are shown with the message, live and from a stored session', {}, async ({ tell, part }) => {
  const [{ id, ...name }] = attached;
  await tell(conversation([], { attached }), { type: 'started', text: 'Why?', attached: [name] });
  assert.match(await part('item-you').innerText(), /Why\?\s+src\/\s*total\.ts:3-9/);
  const message = { role: 'user', from: 'user', text: 'And this?', attachments: [{ ...name, text: 'x' }] };
  await tell(conversation([message], { sessionId: 'another' }));
  assert.match(await part('item-you').innerText(), /And this\?\s+src\/\s*total\.ts:3-9/);
  assert.equal(await part('attachments').count(), 0);
});
