// biome-ignore-all lint/performance/useDomNodeTextContent: what is tested is what people see

/** The edits of an answer, undoing them, and retrying. */
import assert from 'node:assert/strict';
import { hasFocus, onPage } from '../on-page.mjs';
import { content, conversation, done, events, facts, undoable, work } from '../scenes.mjs';

onPage(
  'the edits of an answer are named at its end, and undone by a button',
  {},
  async ({ tell, part, posted, page }) => {
    await tell(conversation(), ...work, ...done);
    assert.equal(await part('edits').count(), 0);
    await tell(
      { type: 'facts', facts: facts({ undoable }) },
      { type: 'started', text: 'Thank you' },
      events(content('You are welcome.')),
    );
    const line = page.getByRole('region', { name: 'Edits of this answer' });
    assert.match(await line.innerText(), /Edited 2 files: src\/total\.ts, src\/row\.ts/);
    const order = await page
      .locator('[data-testid="edits"], [data-testid="item-you"]')
      .evaluateAll((all) => all.map((one) => one.dataset.testid));
    assert.deepEqual(order, ['item-you', 'edits', 'item-you']);
    assert.equal(await part('undo-edits').isDisabled(), true, 'files can be restored during a request');
    await tell({ type: 'settled' });
    await posted();
    await page.getByRole('button', { name: 'Undo edits' }).focus();
    await page.keyboard.press('Enter');
    assert.deepEqual(await posted(), [{ type: 'undo-edits', id: 4 }]);
    await tell({ type: 'facts', facts: facts({ undoable: [] }) });
    assert.equal(await part('edits').count(), 0);
  },
);

onPage('the last message can be retried when no request is running', {}, async (view) => {
  const { tell, part, posted, page } = view;
  const hello = [
    { role: 'user', from: 'user', text: 'Hello' },
    { role: 'assistant', parts: [{ type: 'text', text: 'Hello.' }] },
  ];
  await tell(conversation(hello), ...work);
  assert.equal(await part('retry').count(), 0);
  await tell(...done);
  assert.equal(await part('retry').count(), 1);
  const message = page.locator('.item', { has: part('retry') });
  assert.match(await message.innerText(), /Why is the total wrong\?/);
  await posted();
  await page.getByRole('button', { name: 'Retry' }).focus();
  await page.keyboard.press('Enter');
  assert.deepEqual(await posted(), [{ type: 'retry' }]);
  await hasFocus(view, 'composer');
  await tell({ type: 'facts', facts: facts({ blocked: 'There is no key.' }) });
  assert.equal(await part('retry').count(), 0);
});
