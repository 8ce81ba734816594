/** Draws `media/icon.png`, the icon of the extension's page, from the icon of the activity bar. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openChromium } from '../../../scripts/chromium.mjs';

const side = 128;
const drawing = readFileSync(new URL('../media/loopfuse.svg', import.meta.url), 'utf8')
  .replace('width="24" height="24"', 'width="88" height="88"')
  .replace('#c5c5c5', '#ffd166');
const browser = await openChromium();
try {
  const page = await browser.newPage({ viewport: { width: side, height: side } });
  await page.setContent(
    `<body style="margin:0;background:transparent"><div style="width:${side}px;height:${side}px;border-radius:28px;background:#1f2430;display:grid;place-items:center">${drawing}</div></body>`,
  );
  const path = fileURLToPath(new URL('../media/icon.png', import.meta.url));
  await page.screenshot({ path, omitBackground: true });
} finally {
  await browser.close();
}
