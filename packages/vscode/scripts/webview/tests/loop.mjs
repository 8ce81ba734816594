// biome-ignore-all lint/performance/useDomNodeTextContent: what is tested is what people see

/** The card of a loop, and its five choices. */
import assert from 'node:assert/strict';
import { graceOver, hasFocus, onPage } from '../on-page.mjs';
import { conversation, halt, loop, loopKinds } from '../scenes.mjs';

for (const kind of loopKinds)
  onPage(`a loop of the kind ${kind} has its own card`, {}, async ({ tell, part, page }) => {
    await tell(conversation(), ...halt(kind));
    const card = page.locator(`[data-testid="loop-card"][data-kind="${kind}"]`);
    const { title, explanation, waste } = loop(kind);
    const words = await card.innerText();
    assert.ok(words.includes(title));
    assert.ok(words.includes(explanation));
    if (waste.tokens > 0) assert.match(words, /Cost\s+2,340 tokens, ≈ \$0\.0042/);
    else assert.doesNotMatch(words, /Cost/);
    assert.equal(await card.locator('[data-choice]').count(), waste.calls > 0 ? 5 : 4);
    assert.equal(await part('guard-state').getAttribute('data-state'), 'halted');
    assert.equal(await part('stop').count(), 0);
    assert.ok((await card.locator('.story').innerText()) !== explanation);
  });

onPage('each of the five choices is posted to the extension, by mouse and by key', {}, async (view) => {
  const { tell, part, posted, page } = view;
  const choices = ['stop', 'continue', 'hint', 'exempt', 'disable'];
  for (const byKey of [false, true])
    for (const [k, choice] of choices.entries()) {
      await tell(conversation(), ...halt());
      await posted();
      if (byKey) {
        await page.waitForTimeout(graceOver);
        await page.keyboard.press(String(k + 1));
      } else await part(`loop-${choice}`).click();
      if (choice === 'hint') {
        await hasFocus(view, 'loop-hint-text');
        await page.keyboard.press('Enter'); // an empty hint is none
        await page.keyboard.type('Look at src');
        await page.keyboard.press('Enter');
      }
      const expected = { type: 'answer-loop', choice, ...(choice === 'hint' ? { hint: 'Look at src' } : {}) };
      assert.deepEqual(await posted(), [expected]);
      await tell();
      assert.equal(await page.locator('[data-choice]:enabled').count(), 0);
      await tell({ type: 'loop-answered', choice });
      assert.equal(await part('loop-card').count(), 0);
      assert.match(await part('loop-answered').innerText(), lines[choice]);
      await hasFocus(view, 'composer');
    }
});

const lines = {
  stop: /Stopped\. Say what to do instead\./,
  continue: /Continuing once/,
  hint: /Continuing with your hint\./,
  exempt: /read_file is not flagged any more/,
  disable: /loop detection is off/,
};

onPage('the card asks again if a choice could not be carried out', {}, async ({ tell, part, posted }) => {
  await tell(conversation(), ...halt());
  await part('loop-continue').click();
  await tell({ type: 'note', tone: 'bad', text: 'There is no API key.' });
  assert.equal(await part('loop-disable').isDisabled(), true); // a note is only a note
  await tell({ type: 'loop-choice-failed' });
  await posted();
  await part('loop-disable').click();
  assert.deepEqual(await posted(), [{ type: 'answer-loop', choice: 'disable' }]);
});

onPage('a loop by keyboard alone: arrows move, Escape goes back from the hint and then stops', {}, async (view) => {
  const { tell, posted, page } = view;
  await tell(conversation(), ...halt());
  await posted();
  await hasFocus(view, 'loop-stop');
  await page.waitForTimeout(graceOver);
  for (const [key, next] of [
    ['ArrowDown', 'continue'],
    ['ArrowDown', 'hint'],
    ['ArrowUp', 'continue'],
    ['ArrowUp', 'stop'],
    ['ArrowUp', 'disable'],
    ['ArrowDown', 'stop'],
  ]) {
    await page.keyboard.press(key);
    await hasFocus(view, `loop-${next}`);
  }
  await page.keyboard.press('3');
  await hasFocus(view, 'loop-hint-text');
  await page.keyboard.press('Escape');
  await hasFocus(view, 'loop-hint');
  await page.keyboard.press('Escape');
  assert.deepEqual(await posted(), [{ type: 'answer-loop', choice: 'stop' }]);
});

onPage('a new message stops the loop', {}, async ({ tell, part, posted }) => {
  await tell(conversation(), ...halt());
  await posted();
  await part('composer').fill('Do this instead');
  await part('composer').press('Enter');
  assert.deepEqual(await posted(), [
    { type: 'answer-loop', choice: 'stop' },
    { type: 'send', text: 'Do this instead' },
  ]);
});

onPage('a second loop has its own card, and so has one in a resumed session', {}, async ({ tell, part }) => {
  await tell(conversation(), ...halt(), { type: 'loop-answered', choice: 'continue' }, ...halt('cycle'));
  assert.equal(await part('loop-card').count(), 1);
  assert.equal(await part('loop-card').getAttribute('data-kind'), 'cycle');
  const { type, ...halted } = loop('repeated-failure');
  await tell(conversation([{ role: 'user', from: 'user', text: 'Go' }], { halted }));
  assert.match(await part('loop-cost').innerText(), /≈ \$0\.0042/);
});

onPage('the evidence is a table, unfolded by key', {}, async ({ tell, part, page }) => {
  await tell(conversation(), ...halt());
  await page.waitForTimeout(graceOver);
  await part('evidence').locator('summary').focus();
  await page.keyboard.press('Enter');
  const table = part('evidence').getByRole('table');
  assert.deepEqual(await table.getByRole('columnheader').allInnerTexts(), ['What', 'How often', 'Where']);
  const cells = await table.getByRole('cell').allInnerTexts();
  assert.deepEqual(
    cells.map((text) => text.replace(/\s+/g, ' ').trim()),
    ['read_file README.md stale-rounds, 90% sure', '3 times', 'events 7 to 15'],
  );
});

onPage('every kind of loop has its own story', {}, async ({ tell, page }) => {
  const stories = new Set();
  for (const kind of loopKinds) {
    await tell(conversation(), ...halt(kind));
    stories.add(await page.locator('.story').innerText());
  }
  assert.equal(stories.size, loopKinds.length);
});
