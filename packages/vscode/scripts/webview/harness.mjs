/** The built page as the editor serves it: with its theme, its API, and its content security policy. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { themeStyle, themes } from './themes.mjs';

const built = new URL('../../dist/webview/', import.meta.url);

/** Serves the page on this machine only; `close` ends it. */
export async function serve() {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://page');
    if (pathname === '/') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(
        html(searchParams.get('theme') ?? 'dark', searchParams.get('draft') ?? '', `http://${request.headers.host}`),
      );
    } else if (pathname === '/index.js' || pathname === '/index.css') {
      response.setHeader('content-type', pathname.endsWith('js') ? 'text/javascript' : 'text/css');
      response.end(await readFile(new URL(`.${pathname}`, built)));
    } else response.writeHead(pathname === '/favicon.ico' ? 204 : 404).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

function html(theme, draft, source) {
  const nonce = randomBytes(16).toString('base64');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}'; style-src ${source} 'nonce-${nonce}'; font-src ${source}; img-src ${source}; base-uri 'none'; form-action 'none'">
<style nonce="${nonce}">${themeStyle(theme)}</style>
<link rel="stylesheet" href="/index.css">
<script nonce="${nonce}">
  window.posted = [];
  window.violations = [];
  window.kept = ${JSON.stringify(draft === '' ? null : { draft }).replaceAll('<', '\\u003c')};
  document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => window.posted.push(structuredClone(message)),
    getState: () => window.kept,
    setState: (state) => { window.kept = state; },
  });
</script></head>
<body class="${themes[theme].kind}"><div id="app"></div><script type="module" nonce="${nonce}" src="/index.js"></script></body></html>`;
}

/** A page in the browser, and the errors on it. */
export async function openPage(
  browser,
  url,
  { theme = 'dark', width = 420, height = 800, draft = '', ...options } = {},
) {
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: 1, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on(
    'request',
    (request) => request.url().startsWith(url) || wrong.push(`asked the network for ${request.url()}`),
  );
  await page.goto(`${url}/?theme=${theme}&draft=${encodeURIComponent(draft)}`);
  return {
    page,
    part: (testId) => page.getByTestId(testId),
    /** Sends the page a message, and waits until it is rendered. */
    async tell(...messages) {
      await page.evaluate((all) => {
        for (const message of all) window.postMessage(message, '*');
      }, messages);
      await drawn(page);
    },
    /** What the page has posted since the last call. */
    async posted() {
      await drawn(page);
      return page.evaluate(() => window.posted.splice(0));
    },
    kept: () => page.evaluate(() => window.kept),
    async wrong() {
      return [...wrong, ...(await page.evaluate(() => window.violations))];
    },
    close: () => context.close(),
  };
}

/** Waits until the page has rendered its messages, and paused after that. */
function drawn(page) {
  return page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve));
    const begun = performance.now();
    for (let k = 0; k < 2; k++) await new Promise(requestAnimationFrame);
    const rest = Math.min(60, (performance.now() - begun) / 2);
    await new Promise((resolve) => setTimeout(resolve, rest));
    for (let k = 0; k < 2; k++) await new Promise(requestAnimationFrame);
  });
}
