/** How much time of the page's thread deltas and a long conversation take, and how large the page gets. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { built, onPage } from '../on-page.mjs';
import { answer, conversation, events, request } from '../scenes.mjs';

const count = 10_000;
const thousands = (value) => Math.round(value).toLocaleString('en');

/** Ten thousand deltas of one kind, into a conversation that may be long already. */
const streams = {
  'an answer with paragraphs, lists and code': { type: 'content', pieces: answerPieces() },
  'one code block that does not end': { type: 'content', pieces: ['```ts\n', ...many('const a = 1;\n')] },
  'one paragraph that does not end': { type: 'content', pieces: many('and so on ') },
  thinking: { type: 'reasoning', pieces: many('Let me see. ') },
  'the output of a tool': { type: 'tool-call-output', id: 'a', pieces: many('✓ a test has passed\n') },
};

for (const [name, { pieces, ...event }] of Object.entries(streams))
  onPage(`10,000 deltas: ${name}`, {}, async ({ page, tell }) => {
    const meter = await startMeter(page);
    for (const [where, history] of [
      ['a new conversation', []],
      ['one of 2,000 messages', manyMessages(2000)],
    ]) {
      await tell(conversation(history), { type: 'started', text: 'Go' }, events(request('a', 'ls', { path: '.' })));
      await meter();
      const longest = await page.evaluate(streamDeltas, { event, pieces });
      const { thread, script, layout } = await meter();
      console.log(
        `${name}, into ${where}: ${(thread / count).toFixed(3)} ms of the thread for a delta ` +
          `(script ${(script / count).toFixed(3)}, layout ${(layout / count).toFixed(3)}); longest gap between frames ${longest.toFixed(0)} ms`,
      );
      await tell({ type: 'settled' });
    }
    assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 12_000);
  });

onPage('a conversation of 2,000 messages', {}, async ({ page, tell, part }) => {
  const history = manyMessages(2000);
  const meter = await startMeter(page);
  await meter();
  await tell(conversation(history));
  const { thread, script, layout, heap } = await meter();
  const { elements, bytes } = await page.evaluate(() => ({
    elements: document.querySelectorAll('*').length,
    bytes: document.body.outerHTML.length,
  }));
  const [code, style] = ['index.js', 'index.css'].map((name) => statSync(`${built}/${name}`).size);
  console.log(
    `2,000 messages (${thousands(JSON.stringify(history).length)} bytes): ${thread.toFixed(0)} ms of the thread to show ` +
      `(script ${script.toFixed(0)}, layout ${layout.toFixed(0)}), ${thousands(elements)} elements, ` +
      `${thousands(bytes)} bytes of HTML, ${thousands(heap)} bytes of heap; script ${thousands(code)} bytes, style ${thousands(style)}`,
  );
  assert.ok(elements < 12_000);
  const shown = () => page.locator('.item').count();
  assert.equal(await shown(), 200);
  await part('show-earlier').click();
  await tell();
  assert.equal(await shown(), 400);
});

/** Starts to measure the page's thread. Returns a function that gives what it has done since the last call, in milliseconds. */
async function startMeter(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  let before = {};
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const now = Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
    const since = (name) => (now[name] - (before[name] ?? 0)) * 1000;
    const told = {
      thread: since('ThreadTime'),
      script: since('ScriptDuration'),
      layout: since('LayoutDuration') + since('RecalcStyleDuration'),
      heap: now.JSHeapUsedSize,
    };
    before = now;
    return told;
  };
}

/** Runs in the page: a message for each delta, forty of them before each turn of the event loop. */
async function streamDeltas({ event, pieces }) {
  let longest = 0;
  let last = performance.now();
  let running = true;
  requestAnimationFrame(function watch() {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
    if (running) requestAnimationFrame(watch);
  });
  for (let k = 0; k < pieces.length; k++) {
    const data = { type: 'events', events: [{ ...event, text: pieces[k] }] };
    window.dispatchEvent(new MessageEvent('message', { data }));
    if (k % 40 === 39) await new Promise((resolve) => setTimeout(resolve));
  }
  for (let k = 0; k < 3; k++) await new Promise(requestAnimationFrame);
  running = false;
  return longest;
}

function many(text) {
  return Array.from({ length: count }, () => text);
}

function answerPieces() {
  const pieces = `${answer}\n\n`.match(/[\s\S]{1,5}/g);
  return Array.from({ length: count }, (_, k) => pieces[k % pieces.length]);
}

function manyMessages(wanted) {
  return Array.from({ length: wanted / 4 }, (_, k) => [
    { role: 'user', from: 'user', text: `Request ${k}: please look at src/file-${k}.ts` },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'Let me see. '.repeat(20) },
        { type: 'text', text: 'I look.' },
        { type: 'tool-call', id: `c${k}`, tool: 'read_file', input: { path: `src/file-${k}.ts` } },
      ],
    },
    { role: 'tool', results: [{ id: `c${k}`, tool: 'read_file', status: 'ok', output: 'line\n'.repeat(50) }] },
    { role: 'assistant', parts: [{ type: 'text', text: answer }] },
  ]).flat();
}
