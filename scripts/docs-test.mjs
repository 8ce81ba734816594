// The built documentation site (npm run build:docs) in headless Chromium: pages, navigation, search, the reference, in
// light and dark, wide and narrow. Nothing may be loaded from another host. Screenshots go to out/docs.
import assert from 'node:assert/strict';
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openChromium } from './chromium.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const site = join(root, 'out/site');
const screenshots = join(root, 'out/docs');
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

if (!existsSync(join(site, 'index.html')))
  throw new Error('There is no site in out/site: run npm run build:docs first.');
mkdirSync(screenshots, { recursive: true });
const server = createServer(serve);
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const home = `http://127.0.0.1:${server.address().port}`;
const browser = await openChromium();
try {
  checkAnchors();
  await checkPages();
  await checkSearch();
  console.log(`Everything holds. Screenshots: ${screenshots}`);
} finally {
  await browser.close();
  server.close();
}

/** Every link to a heading leads to one. VitePress looks only for the pages. */
function checkAnchors() {
  const files = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  const pages = new Map(files.map((name) => [`/${name}`, readFileSync(join(site, name), 'utf8')]));
  const valuesOf = (text, attribute) =>
    text
      .split(` ${attribute}="`)
      .slice(1)
      .map((rest) => rest.slice(0, rest.indexOf('"')));
  const ids = new Map([...pages].map(([page, text]) => [page, new Set(valuesOf(text, 'id'))]));
  const broken = [...pages].flatMap(([page, text]) =>
    valuesOf(text, 'href')
      .map((href) => new URL(href, `http://site${page}`))
      .filter(({ host, hash }) => host === 'site' && hash.length > 1)
      .filter(({ pathname, hash }) => {
        const known = ids.get(decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
        return !known?.has(decodeURIComponent(hash.slice(1)));
      })
      .map(({ pathname, hash }) => `${page}: ${pathname}${hash}`),
  );
  assert.deepEqual(broken, [], 'links lead to headings that are not there');
  console.log(`anchors: all there, on ${pages.size} pages`);
}

async function checkPages() {
  const pages = {
    ...{ home: '/', start: '/start.html', concept: '/concepts/guard.html', api: '/api/loopfuse.html' },
    detector: '/detectors/stale-rounds/index.html',
  };
  const sizes = { wide: { width: 1440, height: 1000 }, narrow: { width: 360, height: 780 } };
  for (const colorScheme of ['light', 'dark'])
    for (const [size, viewport] of Object.entries(sizes))
      for (const [name, path] of Object.entries(pages))
        await withPage({ colorScheme, viewport }, path, async (page) => {
          await page.screenshot({ path: join(screenshots, `${name}-${colorScheme}-${size}.png`) });
          const isDark = await page.evaluate(() => document.documentElement.classList.contains('dark'));
          assert.equal(isDark, colorScheme === 'dark', `${path} is not drawn ${colorScheme}`);
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(overflow <= 0, `${path} is ${overflow} pixels wider than the ${size} screen`);
          const broken = await page.evaluate(() =>
            [...document.images].filter((image) => image.complete && image.naturalWidth === 0).map(({ src }) => src),
          );
          assert.deepEqual(broken, [], `${path} has pictures that cannot be shown`);
        });
  await withPage({}, '/concepts/guard.html', async (page) => {
    await page.click('.vp-doc a[href^="/api/loopfuse.html#"]');
    await page.waitForFunction(() => document.querySelector('h1')?.textContent?.startsWith('loopfuse'), undefined, {
      timeout: 60_000,
    });
  });
  console.log('pages: light and dark, wide and narrow; a name in a concept leads to the reference');
}

async function checkSearch() {
  await withPage({}, '/', async (page) => {
    await page.click('.DocSearch-Button, .VPNavBarSearch button');
    await page.fill('#localsearch-input', 'false alarm');
    const first = page.locator('.VPLocalSearchBox .result').first();
    await first.waitFor({ timeout: 60_000 });
    const found = await page.locator('.VPLocalSearchBox .result').allTextContents();
    assert.ok(
      found.some((text) => /alarm/i.test(text)),
      `found only ${found.join(', ')}`,
    );
  });
  console.log('search finds a page, in the page');
}

/** Opens a page of the site; fails on an error in it and on a request to any other host. */
async function withPage(options, path, use) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(`${path}: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(home) && !request.url().startsWith('data:'))
      problems.push(`${path} asks for ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${path}: ${response.url()} answers ${response.status()}`);
  });
  await page.goto(home + path, { waitUntil: 'networkidle', timeout: 120_000 });
  await use(page);
  await context.close();
  assert.deepEqual(problems, []);
}

function serve({ url }, response) {
  const path = normalize(decodeURIComponent(new URL(url, 'http://site').pathname));
  const found = [join(site, path), join(site, path, 'index.html'), join(site, `${path}.html`)].find((file) =>
    statSync(file, { throwIfNoEntry: false })?.isFile(),
  );
  response.writeHead(found ? 200 : 404, { 'content-type': types[extname(found ?? '')] ?? 'application/octet-stream' });
  if (found) createReadStream(found).pipe(response);
  else response.end();
}
