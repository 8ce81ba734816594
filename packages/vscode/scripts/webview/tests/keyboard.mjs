// biome-ignore-all lint/performance/useDomNodeTextContent: what is tested is what people see

/** Keyboard handling, and announcements for screen readers. */
import assert from 'node:assert/strict';
import { hasFocus, onPage } from '../on-page.mjs';
import { approval, conversation, done, events, halt, sessions, work } from '../scenes.mjs';

onPage('text typed while a card appears does not press its buttons, and is not lost', {}, async (view) => {
  const { tell, part, posted, page } = view;
  await tell(conversation(), ...work);
  await part('composer').focus();
  await posted();
  // The page's clock is stopped, so that the keys may take long on a busy machine.
  await page.evaluate(() => {
    const later = performance.now() + 100; // when the page has rested from what it drew last
    performance.now = () => later;
  });
  await tell(approval());
  await hasFocus(view, 'approve-once');
  for (const key of ['Enter', 'Space', 'y']) await page.keyboard.press(key);
  assert.deepEqual(await posted(), []);
  assert.equal(await part('composer').inputValue(), 'y');
  await tell({ type: 'approval-gone', id: 7 });

  await part('composer').fill('half a sen');
  await tell(approval());
  await hasFocus(view, 'composer');
  await page.keyboard.type('tence');
  assert.equal(await part('composer').inputValue(), 'half a sentence');
  await tell({ type: 'approval-gone', id: 7 }, { type: 'settled' }, ...halt());
  await hasFocus(view, 'composer');
  assert.deepEqual(await posted(), []);
});

onPage('the composer: Enter, Shift+Enter, recall, draft, growth, Escape', {}, async (view) => {
  const { tell, part, posted, kept, page } = view;
  await tell(conversation());
  await posted();
  const composer = part('composer');
  assert.equal(await part('send').isDisabled(), true);
  await composer.focus();
  const low = (await composer.boundingBox()).height;
  await page.keyboard.type('one');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('two');
  for (let k = 0; k < 3; k++) await page.keyboard.press('Shift+Enter');
  assert.ok((await composer.boundingBox()).height > low + 20);
  assert.deepEqual(await kept(), { draft: 'one\ntwo\n\n\n' });
  assert.deepEqual(await posted(), []);
  await page.keyboard.press('Enter');
  assert.deepEqual(await posted(), [{ type: 'send', text: 'one\ntwo' }]);
  assert.equal(await composer.inputValue(), '');
  assert.deepEqual(await kept(), { draft: '' });

  await tell({ type: 'started', text: 'one\ntwo' });
  assert.equal(await part('send').count(), 0);
  await page.keyboard.type('later');
  await page.keyboard.press('Enter');
  assert.equal(await composer.inputValue(), 'later');
  assert.deepEqual(await posted(), []);
  await page.keyboard.press('Escape');
  assert.deepEqual(await posted(), [{ type: 'stop' }]);
  assert.equal(await part('stop').isDisabled(), true);
  await tell(
    events({ type: 'user-cancelled' }),
    { type: 'settled' },
    { type: 'started', text: 'three' },
    { type: 'settled' },
  );
  await composer.fill('');
  for (const [key, text] of [
    ['ArrowUp', 'three'],
    ['ArrowUp', 'one\ntwo'],
    ['ArrowUp', 'one\ntwo'],
    ['ArrowDown', 'three'],
    ['ArrowDown', ''],
  ]) {
    await page.keyboard.press(key);
    assert.equal(await composer.inputValue(), text);
  }
  await tell({ type: 'compose', text: 'Explain src/a.ts' });
  assert.equal(await composer.inputValue(), 'Explain src/a.ts');
  await hasFocus(view, 'composer');
});

onPage('a draft is restored', { draft: 'half a sentence' }, async ({ part }) => {
  assert.equal(await part('composer').inputValue(), 'half a sentence');
});

onPage('sessions are listed, searched and resumed with the keyboard', {}, async (view) => {
  const { tell, part, posted, page } = view;
  await tell(conversation());
  await posted();
  await part('sessions-button').focus();
  await page.keyboard.press('Enter');
  assert.deepEqual(await posted(), [{ type: 'list-sessions' }]);
  await hasFocus(view, 'sessions-search');
  await tell(sessions);
  assert.equal(await part('session-row').count(), 30);
  assert.match(await part('session-row').nth(1).innerText(), /halted by a loop/);
  await page.keyboard.type('read it (4');
  assert.equal(await part('session-row').count(), 1);
  await page.keyboard.press('Enter');
  assert.deepEqual(await posted(), [{ type: 'resume', id: 's4' }]);
  await part('sessions-button').click();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.deepEqual((await posted()).at(-1), { type: 'resume', id: 's1' });
  await part('sessions-button').click();
  await page.keyboard.press('Escape');
  assert.equal(await part('sessions-list').count(), 0);
  await hasFocus(view, 'sessions-button');
  await part('new-chat').click();
  assert.deepEqual((await posted()).at(-1), { type: 'new-chat' });
});

onPage(
  'screen readers: landmarks, headings, names, and what is finished read out',
  {},
  async ({ page, tell, part }) => {
    await tell(conversation(), ...work, ...done, ...halt());
    const heard = await part('announcer').locator('p').allInnerTexts();
    assert.ok(heard.some((text) => text.startsWith('The total is wrong')));
    assert.ok(heard.some((text) => text.startsWith('Stopped by the loop guard. Repeated calls.')));
    assert.equal(await part('announcer').getAttribute('aria-live'), 'polite');
    assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
    assert.equal(await page.getByRole('region', { name: 'Conversation' }).count(), 1);
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll('button, textarea, input, select, a')]
        .filter((one) => !(one.innerText || one.getAttribute('aria-label') || one.labels?.[0]?.innerText))
        .map((one) => one.outerHTML),
    );
    assert.deepEqual(nameless, []);
    await part('sessions-button').focus();
    const order = ['sessions-button'];
    for (let k = 0; k < 60; k++) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate(() => document.activeElement.getAttribute('data-testid'));
      if (name !== null) order.push(name);
    }
    const first = (name) => order.indexOf(name);
    assert.ok(first('sessions-button') < first('new-chat') && first('new-chat') < first('transcript'));
    assert.ok(first('transcript') < first('loop-stop') && first('loop-stop') < first('composer'));
    assert.equal(first('loop-continue'), -1); // the arrows lead there
  },
);
