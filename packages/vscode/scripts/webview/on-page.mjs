/** Tests in a browser, each with its own page. The page is built once, before the first test. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openChromium } from '../../../../scripts/chromium.mjs';
import { openPage, serve } from './harness.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const built = `${root}dist/webview`;
export const shots = `${root}out/webview`;
/** Longer than a card ignores what was typed while it came up. */
export const graceOver = 800;
/** How long something may take on a busy machine, in milliseconds. */
const patience = 30_000;

let browser;
let server;

before(async () => {
  execFileSync('npx', ['vite', 'build', '--logLevel', 'warn'], { cwd: root, stdio: 'inherit' });
  mkdirSync(shots, { recursive: true });
  browser = await openChromium();
  server = await serve();
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** A test with its own page, which must report no errors. */
export function onPage(name, options, run) {
  test(name, async () => {
    const view = await openPage(browser, server.url, options);
    try {
      await run(view);
      assert.deepEqual(await view.wrong(), []);
    } finally {
      await view.close();
    }
  });
}

/** Waits until a part has the focus. */
export async function hasFocus({ page }, testId) {
  const now = () => page.evaluate(() => document.activeElement?.getAttribute('data-testid'));
  for (const end = Date.now() + patience; Date.now() < end && (await now()) !== testId; ) await page.waitForTimeout(20);
  assert.equal(await now(), testId);
}
