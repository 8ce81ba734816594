// biome-ignore-all lint/performance/useDomNodeTextContent: what is tested is what people see

/** The conversation is shown, and what cannot be shown is reported. */
import assert from 'node:assert/strict';
import { onPage } from '../on-page.mjs';
import { answer, content, conversation, done, events, request, result, work } from '../scenes.mjs';

onPage('says that it is ready, and shows a conversation', {}, async ({ tell, part, posted }) => {
  assert.deepEqual(await posted(), [{ type: 'ready' }]);
  const history = [
    { role: 'user', from: 'user', text: 'Hello' },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'A greeting.' },
        { type: 'text', text: answer },
        { type: 'tool-call', id: 'a', tool: 'ls', input: { path: 'src' } },
      ],
    },
    { role: 'tool', results: [{ id: 'a', tool: 'ls', status: 'ok', output: 'x' }] },
  ];
  await tell(conversation(history));
  assert.equal(await part('item-you').innerText(), 'Hello');
  assert.match(await part('item-says').innerText(), /What I changed/);
  assert.match(await part('item-thinks').innerText(), /Thought\s+A greeting\.\s+11 characters/);
  assert.equal(await part('item-tool').getAttribute('data-status'), 'ok');
  assert.match(
    await part('status-line').innerText(),
    /watching.*claude-sonnet-4-5.*41\.2k in, 2\.3k out.*≈ \$0\.0773/s,
  );
});

onPage('Markdown is rendered as elements, and HTML of a model is not', {}, async ({ page, tell, part, posted }) => {
  await tell(conversation(), { type: 'started', text: '<b>x</b>' });
  const hostile = '<img src=x onerror=alert(1)> [go](javascript:alert(1)) ![p](https://example.org/p.png)';
  await tell(events(content(`${hostile}\n\n<script>alert(1)</script>\n\n${answer}\n\n`)), { type: 'settled' });
  const says = part('item-says');
  assert.equal(await says.locator('img, script, iframe').count(), 0);
  assert.match(await says.innerText(), /<img src=x onerror=alert\(1\)> \[go\]\(javascript:alert\(1\)\)/);
  assert.deepEqual(await says.locator('a').evaluateAll((all) => all.map((one) => one.href)), [
    'https://example.org/p.png',
    'https://example.org/importer',
  ]);
  assert.equal(await says.locator('table tbody tr').count(), 2);
  assert.equal(await says.locator('input[type=checkbox]').count(), 2);
  assert.equal(await part('item-you').innerText(), '<b>x</b>');
  await posted();
  await says.getByRole('button', { name: 'src/total.ts:4' }).click();
  await says.getByRole('button', { name: 'Copy code' }).click();
  const [open, copy] = await posted();
  assert.deepEqual(open, { type: 'open-file', path: 'src/total.ts:4' });
  assert.equal(copy.type, 'copy');
  assert.match(copy.text, /^export function total.*\n}$/s);
  assert.equal(await page.evaluate(() => document.querySelectorAll('[style]').length), 0);
});

onPage('a stream is shown while it comes, and ends the same as the whole text', {}, async ({ page, tell, part }) => {
  await tell(conversation(), { type: 'started', text: 'Go' });
  for (let k = 0; k < answer.length; k += 23) await tell(events(content(answer.slice(k, k + 23))));
  assert.equal(await part('item-says').getAttribute('aria-busy'), 'true');
  await tell({ type: 'settled' });
  const streamed = await page.locator('.markdown').innerHTML();
  await tell(conversation([{ role: 'assistant', parts: [{ type: 'text', text: answer }] }]));
  assert.equal(await page.locator('.markdown').innerHTML(), streamed);
});

onPage('tools: running, output as it comes, failed, changed, refused', {}, async ({ tell, part, page }) => {
  await tell(conversation(), ...work);
  const cards = part('item-tool');
  assert.deepEqual(await cards.evaluateAll((all) => all.map((one) => [one.dataset.tool, one.dataset.status])), [
    ['read_file', 'ok'],
    ['run_shell_command', 'failed'],
    ['replace', 'pending'],
  ]);
  assert.equal(await cards.nth(2).locator('.spinner').count(), 1);
  await tell(...done);
  assert.equal(await cards.nth(2).locator('.line.added').count(), 3);
  assert.equal(await cards.nth(2).locator('.line.removed').count(), 2);
  await cards.first().locator('.disclosure').click();
  assert.match(await cards.first().innerText(), /Input[\s\S]*"path": "src\/total\.ts"[\s\S]*Output/);

  const lines = Array.from({ length: 40 }, (_, k) => `\u001b[32mline ${k}\u001b[0m`).join('\n');
  await tell(
    { type: 'started', text: 'Run' },
    events(request('z', 'run_shell_command', { command: 'ls' }), { type: 'tool-call-output', id: 'z', text: lines }),
  );
  const last = cards.last();
  assert.match(await last.innerText(), /Show all 40 lines\s+line 32[\s\S]*line 39$/);
  await last.getByText('Show all 40 lines').click();
  assert.match(await last.innerText(), /line 0\n/);
  await tell(events(result('z', 'run_shell_command', 'no', { status: 'refused' })));
  assert.match(await last.innerText(), /declined/);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await tell(events(request('y', 'ls', { path: '.' })));
  assert.equal(await page.locator('.spinner').evaluate((one) => getComputedStyle(one).animationName), 'none');
});

onPage('errors are shown with what to do about them', {}, async ({ tell, part, posted }) => {
  await tell(conversation(), { type: 'started', text: 'Go' });
  await posted();
  await tell(events({ type: 'error', message: 'The key is wrong.', status: 401 }), { type: 'settled' });
  await part('item-note').getByText('Set the API key').click();
  assert.deepEqual(await posted(), [{ type: 'command', command: 'loopfuse.setApiKey' }]);
  assert.equal(await part('send').count(), 1);
});

onPage('unknown events are shown and reported, and the page goes on', {}, async ({ tell, part, posted }) => {
  await tell(conversation());
  await posted();
  await tell(events({ type: 'hologram' }));
  await tell({ type: 'nonsense' }, 'text', events({ type: 'loop-detected' }));
  const messages = (await posted()).map(({ type, message }) => `${type}: ${message}`);
  assert.equal(messages.length, 4);
  assert.match(messages[0], /^problem: an event of an unknown kind came from the agent: "hologram"$/);
  assert.match(messages[1], /^problem: a message to the page is not understood: "nonsense"/);
  assert.equal(await part('item-note').count(), 4);
  await tell(events(content('still here')));
  assert.match(await part('item-says').innerText(), /still here/);
});

onPage('an item that cannot be rendered is replaced by a note', {}, async ({ tell, part, posted }) => {
  await tell(conversation());
  await posted();
  await tell(
    { type: 'started', text: 'Go' },
    events(
      request('a', 'ls', { path: '.' }),
      { type: 'tool-call-result', id: 'a', tool: 'ls', status: 'ok', output: 5 },
      content('on'),
    ),
  );
  assert.match((await posted())[0].message, /something could not be drawn/);
  assert.match(await part('item-says').innerText(), /on/);
});
