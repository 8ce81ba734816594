// biome-ignore-all lint/performance/useDomNodeTextContent: what is tested is what people see

/** The parts around the conversation, and its scroll position. */
import assert from 'node:assert/strict';
import { onPage } from '../on-page.mjs';
import { content, conversation, events, facts, halt, request, result } from '../scenes.mjs';

const remedies = [
  { label: 'Set the API Key', command: 'loopfuse.setApiKey' },
  { label: 'Open Settings', command: 'loopfuse.openSettings' },
];

onPage('a problem is shown with the button for it', {}, async ({ tell, part, posted, page }) => {
  await tell(conversation([], { facts: facts({ blocked: 'There is no API key.', remedies, price: undefined }) }));
  await posted();
  assert.match(await part('status-line').innerText(), /price not known/);
  await part('composer').fill('Hi');
  assert.equal(await part('send').isDisabled(), true);
  await part('composer').press('Enter');
  assert.deepEqual(await posted(), []);
  for (const command of ['loopfuse.setApiKey', 'loopfuse.openSettings']) {
    await page.locator(`[data-command="${command}"]`).click();
    assert.deepEqual(await posted(), [{ type: 'command', command }]);
  }
  const trust = { label: 'Manage Trust', command: 'loopfuse.manageTrust' };
  await tell({ type: 'facts', facts: facts({ trusted: false, remedies: [trust] }) });
  await page.locator('[data-command="loopfuse.manageTrust"]').click();
  assert.deepEqual(await posted(), [{ type: 'command', command: 'loopfuse.manageTrust' }]);
  await tell({ type: 'facts', facts: facts() });
  assert.equal(await page.locator('.banner').count(), 0);
  await tell(conversation([], { cut: true }));
  await part('continue-cut').click();
  assert.deepEqual(await posted(), [{ type: 'continue' }]);
  await part('approval-mode').selectOption('auto-edit');
  assert.deepEqual(await posted(), [{ type: 'set-approval', mode: 'auto-edit' }]);
  for (const guard of ['watching', 'suspicious', 'steered', 'halted', 'off']) {
    await tell({ type: 'facts', facts: facts({ guard }) });
    assert.equal(await part('guard-state').getAttribute('data-state'), guard);
  }
});

onPage(
  'the end is followed until the person scrolls away, and found again',
  { height: 500 },
  async ({ page, tell, part }) => {
    const atEnd = () =>
      page.getByTestId('transcript').evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight < 2);
    const paragraph = (k) => content(`Paragraph ${k}, with some words in it.\n\n`);
    await tell(conversation(), { type: 'started', text: 'Go' });
    for (let k = 0; k < 40; k++) await tell(events(paragraph(k)));
    assert.equal(await atEnd(), true);
    await part('transcript').hover();
    await page.mouse.wheel(0, -300);
    await part('jump-to-latest').waitFor();
    const top = await part('transcript').evaluate(whereItRests);
    for (let k = 0; k < 10; k++) await tell(events(paragraph(k)));
    assert.equal(await part('transcript').evaluate((one) => one.scrollTop), top);
    await part('jump-to-latest').click();
    await tell(events(paragraph(99)));
    assert.equal(await atEnd(), true);
    assert.equal(await part('jump-to-latest').count(), 0);
  },
);

/** Runs in the page: the scroll position of a part, once it has stopped moving. */
async function whereItRests(one) {
  let top = one.scrollTop;
  for (let still = 0; still < 20; still++) {
    await new Promise(requestAnimationFrame);
    if (one.scrollTop !== top) still = 0;
    top = one.scrollTop;
  }
  return top;
}

onPage(
  'of a question that is higher than the view the beginning is shown',
  { height: 420, width: 300 },
  async (view) => {
    const { page, tell, part } = view;
    await tell(conversation(), ...halt());
    const { y, height } = await part('loop-card').boundingBox();
    const box = await part('transcript').boundingBox();
    assert.ok(height > box.height);
    assert.ok(Math.abs(y - box.y) < 12);
    await page.keyboard.press('Tab');
    await tell({ type: 'loop-answered', choice: 'continue' }, { type: 'started' });
    for (let k = 0; k < 20; k++) await tell(events(content(`Paragraph ${k}.\n\n`)));
    assert.ok(await part('transcript').evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight < 2));
  },
);

onPage('the model is shown, and its button chooses another', {}, async ({ tell, part, posted, page }) => {
  await tell(conversation());
  await posted();
  const model = page.getByRole('button', { name: 'Model: claude-sonnet-4-5 of anthropic. Choose another.' });
  await model.focus();
  await page.keyboard.press('Enter');
  assert.deepEqual(await posted(), [{ type: 'command', command: 'loopfuse.chooseModel' }]);
  await tell({ type: 'facts', facts: facts({ model: '', provider: '', blocked: 'No model is set.' }) });
  assert.equal(await part('model').innerText(), 'choose a model');
});

onPage('an unfolded item stays in place', { height: 400 }, async ({ tell, part, page }) => {
  const lines = Array.from({ length: 60 }, (_, k) => `line ${k}`).join('\n');
  await tell(
    conversation(),
    { type: 'started', text: 'Go' },
    events(...Array.from({ length: 20 }, () => content('Words.\n\n'))),
  );
  await tell(events(request('a', 'ls', { path: '.' }), result('a', 'ls', lines)), { type: 'settled' });
  const card = part('item-tool');
  const { y } = await card.boundingBox();
  await card.locator('.disclosure').click();
  await tell();
  assert.equal((await card.boundingBox()).y, y);
  await card.locator('.disclosure').click();
  await tell();
  assert.equal(await page.getByTestId('jump-to-latest').count(), 0);
});
