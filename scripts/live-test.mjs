// Uses the live page of the gateway in headless Chromium: agents run through a real gateway before the scripted model, and
// somebody stops, hints, exempts and switches off from the page. Screenshots go to out/live.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadLivePage } from '../packages/dashboard/dist/index.js';
import { createGateway, createOperator, listen } from '../packages/gateway/dist/index.js';
import { askModel, loopsForever, startModelServer } from '../packages/model-server/dist/index.js';
import { openChromium } from './chromium.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const screenshots = join(root, 'out/live');
const hostile = '<img src=x onerror="document.title=1"> & "quoted" \u202egnp';
mkdirSync(screenshots, { recursive: true });

const model = await startModelServer({ script: loopsForever() });
const operator = createOperator({ page: loadLivePage() });
const upstream = new URL(model.url);
const gateway = createGateway({
  upstreams: { openai: upstream, anthropic: upstream, gemini: upstream },
  onEvent: operator.onEvent,
  emitObserved: true,
});
const listener = await listen(operator.handle(gateway));
const browser = await openChromium();
try {
  await run('session-of-claude', 20, { 'user-agent': 'claude-cli/2.1.325 (external, cli)' });
  await run('still-at-work', 3, { 'user-agent': 'codex_cli_rs/0.166.0' });
  await run('of another agent', 1);
  await checkActions();
  for (const colorScheme of ['light', 'dark'])
    for (const [size, viewport] of Object.entries({
      wide: { width: 1440, height: 1000 },
      narrow: { width: 390, height: 844 },
    }))
      await withPage({ colorScheme, viewport }, async (page) => {
        await run('goes-in-circles', 20);
        await open(page, 'goes-in-circles');
        await page.waitForSelector('.live-stopped');
        await page.screenshot({ path: join(screenshots, `${colorScheme}-${size}.png`), fullPage: true });
        const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
        assert.equal(Number(/\d+/.exec(background)[0]) < 128, colorScheme === 'dark');
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${colorScheme}-${size} is ${overflow} pixels wider than the screen`);
      });
  await checkGone();
  console.log(`Everything holds. Screenshots: ${screenshots}`);
} finally {
  await browser.close();
  await listener.close().catch(() => {});
  await gateway.close();
  await operator.close();
  await model.close();
}

async function checkActions() {
  await withPage({}, async (page) => {
    await open(page, 'session-of-claude');
    assert.match(await page.textContent('.live-panel h1'), /stopped/);
    assert.match(await page.textContent('.live-evidence'), /read_file/);
    assert.ok((await page.locator('.live-mark').count()) > 5);
    await page.fill('[aria-label="A hint for the model"]', 'Read the other file.');
    await page.click('.live-hint button');
    await says(page, 'The model gets it with its next request.');
    await page.waitForFunction(() => !/stopped/.test(document.querySelector('.live-panel h1').textContent));
    const before = model.requests.length;
    await run('session-of-claude', 1);
    assert.match(JSON.stringify(model.requests[before].body), /supervises this run\] Read the other file\./);

    await run('session-of-claude', 20);
    await page.waitForSelector('.live-stopped');
    await page.click('text=Never flag read_file');
    await says(page, 'read_file will not be flagged again in this session.');
    assert.equal(await run('session-of-claude', 12), 12, 'an exempted tool is not flagged');
    await page.click('text=Stop watching it');
    await says(page, 'This session is not watched any more.');
    await page.waitForSelector('.badge:text("not watched")');

    await open(page, 'still-at-work');
    await page.click('text=Stop the agent');
    await says(page, 'The next request of this session will be refused.');
    assert.equal(await run('still-at-work', 3), 0, 'a stopped agent gets no answer of the model');
    await page.click('text=Let it go on');
    await says(page, 'The session can continue.');
    assert.equal(await run('still-at-work', 1), 1);
  });
  // A name that would act, if it were not shown as text.
  await run(encodeURIComponent(hostile), 1);
  await withPage({}, async (page) => {
    await page.waitForSelector('.live-row');
    assert.equal(await page.locator('.live-list img').count(), 0);
    assert.equal(await page.title(), 'Loopfuse gateway');
  });
  console.log('actions: hint, exempt, disable, stop, continue');
}

/** A gateway that is gone is said to be gone, and what was there stays in sight. */
async function checkGone() {
  await withPage(
    {},
    async (page) => {
      await page.waitForSelector('.live-row');
      await page.route('**/-/sessions', (route) => route.abort());
      await page.waitForSelector('.live-problem:text("The gateway does not answer.")');
      assert.ok((await page.locator('.live-row').count()) > 0);
      await page.unroute('**/-/sessions');
      await page.waitForSelector('.live-problem', { state: 'detached' });
    },
    /Failed to load resource/,
  );
  console.log('a gateway that does not answer, and answers again');
}

async function open(page, name) {
  await page.click(`.live-row:has-text("${name}")`);
  await page.waitForSelector(`.live-panel h1:has-text("${name}")`);
  await page.waitForSelector('.live-mark');
}

async function says(page, text) {
  await page.waitForSelector(`[role="status"]:text-is("${text}")`);
}

/** Nothing may be blocked by the policy, and nothing may fail. */
async function withPage(options, use, expected = /^$/) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 }, ...options });
  const problems = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  try {
    await page.goto(`${listener.url}/`);
    await use(page);
    assert.deepEqual(problems, []);
  } finally {
    await page.close();
  }
}

/** A small agent that runs whatever the model calls. Gives how many calls it ran. */
async function run(session, rounds, headers = {}) {
  const empty = { text: '', reasoning: '', calls: [], results: [] };
  const tools = [{ name: 'read_file', description: 'reads', takes: 'object', parameters: { type: 'object' } }];
  const messages = [{ ...empty, role: 'user', text: `Work on ${session}.` }];
  let calls = 0;
  for (let round = 0; round < rounds; round++) {
    const answer = await askModel({
      ...{ url: listener.url, protocol: 'openai-chat', stream: true, messages, tools, system: 'You are an agent.' },
      headers: { 'x-loopfuse-session': session, ...headers },
    });
    if (answer.status !== 200 || answer.calls.length === 0) break;
    messages.push({ ...empty, role: 'assistant', text: answer.text, calls: answer.calls });
    messages.push({
      ...empty,
      role: 'tool',
      results: answer.calls.map(({ id, tool }) => ({ id, tool, text: `the result of ${tool}` })),
    });
    calls += answer.calls.length;
  }
  return calls;
}
