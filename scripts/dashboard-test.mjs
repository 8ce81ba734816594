// Makes reports with the real command and uses them in headless Chromium: from the repository's corpus, from a session
// in which everything is hostile, and from 10,000 sessions. Screenshots go to out/dashboard.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openChromium } from './chromium.mjs';
import { hostileSession, hostileTexts } from './dashboard/hostile-session.mjs';
import { manySessions } from './dashboard/many-sessions.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const screenshots = join(root, 'out/dashboard');
const work = mkdtempSync(join(tmpdir(), 'loopfuse-dashboard-'));
const many = 10_000;
const wide = { width: 1440, height: 1000 };
const narrow = { width: 360, height: 800 };

mkdirSync(screenshots, { recursive: true });
const browser = await openChromium();
try {
  await checkCorpus();
  await checkHostile();
  await checkMany();
  console.log(`Everything holds. Screenshots: ${screenshots}`);
} finally {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
}

async function checkCorpus() {
  const report = makeReport('corpus', [join(root, 'corpus')]);
  await withPage(report, '#/', {}, async (page) => {
    await checkOverview(page);
    await checkSession(page);
    await checkKeyboard(page);
  });
  for (const colorScheme of ['light', 'dark'])
    for (const [size, viewport] of Object.entries({ wide, narrow })) {
      const name = `${colorScheme}-${size}`;
      await withPage(report, '#/', { colorScheme, viewport }, async (page) => {
        await shoot(page, `overview-${name}`);
        assert.equal(await overlapping(page), 0, `figures in the list cover each other (${name})`);
        await page.fill('[aria-label="Search"]', 'late-loop-after');
        await page.click('.row');
        await page.waitForSelector('canvas.plot[data-marks]');
        await page.keyboard.press('l');
        await shoot(page, `session-${name}`, true);
        assert.ok(await isDrawn(page), `the picture is empty (${name})`);
        const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
        const [red] = background.match(/\d+/g).map(Number);
        assert.equal(red < 128, colorScheme === 'dark', `${colorScheme} is drawn on ${background}`);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${name} is ${overflow} pixels wider than the screen`);
      });
    }
  console.log('corpus: overview, session, keyboard; light and dark, wide and narrow');
}

/** How many rows of the list have calls that run into the cost beside them. */
function overlapping(page) {
  return page.locator('.row.looping').evaluateAll((rows) => {
    const end = (cell) =>
      Math.max(cell.getBoundingClientRect().right, cell.getBoundingClientRect().left + cell.scrollWidth);
    const covers = (row) =>
      end(row.querySelector('.calls')) > row.querySelector('.cost').getBoundingClientRect().left + 1;
    return rows.filter(covers).length;
  });
}

async function checkOverview(page) {
  const total = await rowCount(page);
  assert.match(
    await page.textContent('h1'),
    /^\d+ of \d+ sessions went round in circles and took \d+ % of all (spend|tokens|calls)\.$/,
  );
  const causes = page.locator('section[aria-label="What to do"] li');
  assert.equal(await causes.count(), 3, 'there are not three causes');
  const [, promised] = /in (\d+) sessions? →/.exec(await causes.first().textContent());
  await causes.first().locator('a').click();
  assert.equal(await rowCount(page), Number(promised), 'a cause does not lead to its sessions');
  await page.goBack();
  for (const [kind, begins] of [
    ['CSV', /^session,title,agent/],
    ['JSON', /^\[/],
  ]) {
    const [file] = await Promise.all([page.waitForEvent('download'), page.click(`.downloads button >> text=${kind}`)]);
    assert.match(readFileSync(await file.path(), 'utf8'), begins);
  }
  await page.click('section[aria-label="For teams"] button >> text=Agent');
  assert.ok(
    (await page.locator('section[aria-label="For teams"] tbody tr').count()) > 1,
    'the table for teams is empty',
  );
  assert.ok((await page.textContent('.figures')).includes('unknown for'), 'what has no known cost is not told');

  await page.selectOption('[aria-label="Filter the sessions"] select', 'loops');
  const looping = await rowCount(page);
  assert.ok(looping > 0 && looping < total, `only loops: ${looping} of ${total}`);
  assert.equal(await page.locator('.row:not(.looping)').count(), 0);

  await page.click('section[aria-label="Agent"] button[aria-label^="claude-code:"]');
  const ofAgent = await rowCount(page);
  assert.ok(ofAgent > 0 && ofAgent < looping);
  await page.click('section[aria-label="Kind of loop"] .bar >> nth=0');
  assert.ok((await rowCount(page)) <= ofAgent);
  assert.match(page.url(), /agent=claude-code/);
  await page.goBack();
  assert.equal(await rowCount(page), ofAgent, 'going back does not take the last filter back');
  await page.reload();
  assert.equal(await rowCount(page), ofAgent, 'the address does not hold the filters');
  await page.click('.chips .clear');
  assert.equal(await rowCount(page), total);

  await page.fill('[aria-label="Search"]', 'ledgerd docker BUILD');
  assert.equal(await rowCount(page), 1);
  await page.fill('[aria-label="Search"]', 'no session says this');
  assert.match(await page.textContent('.nothing'), /No session matches the filters/);
  await page.click('.nothing button');
  assert.equal(await rowCount(page), total);

  await page.fill('.count', '10');
  const wasteful = await rowCount(page);
  assert.ok(wasteful > 0 && wasteful < looping, `at least 10 calls: ${wasteful}`);
  await page.fill('.count', '');

  await page.locator('.day:not(:disabled)').last().click();
  const onDay = await rowCount(page);
  assert.ok(onDay > 0 && onDay < total);
  await page.locator('.chips .clear').click();

  const column = (name) =>
    settled(page).then(() =>
      page.locator(`.row .${name}`).evaluateAll((cells) => cells.map((cell) => cell.firstChild?.textContent ?? '')),
    );
  await page.click('.heads .calls');
  const calls = (await column('calls')).filter(Boolean).map(Number);
  assert.deepEqual(
    calls,
    calls.toSorted((a, b) => b - a),
    'not sorted by calls',
  );
  await page.click('.heads .agent');
  const names = await column('agent');
  assert.deepEqual(names, names.toSorted(), 'not sorted by agent');
  await page.click('.heads .agent');
  assert.notDeepEqual(await column('agent'), names, 'a second click does not turn the order round');
  await page.selectOption('.measure select', 'cost');
  assert.match(await page.textContent('section[aria-label="Model"]'), /\$/);
  await page.goto(page.url().replace(/#.*/, '#/'));
}

async function checkSession(page) {
  await page.fill('[aria-label="Search"]', 'late-loop-after');
  await page.click('.row');
  await page.waitForSelector('canvas.plot[data-marks]');
  assert.match(page.url(), /#\/session\/\d+/);
  assert.match(await page.textContent('.loop .message'), /made 5 times in a row, with the same failure/);
  assert.match(await page.textContent('.loop .advice'), /Do not send it again/);
  assert.ok(await isDrawn(page), 'the picture is empty');
  const plot = page.locator('canvas.plot');
  const shown = async () => {
    await settled(page);
    const [from, to, marks] = await Promise.all(
      ['data-from', 'data-to', 'data-marks'].map((name) => plot.getAttribute(name)),
    );
    return { from: Number(from), to: Number(to), marks: Number(marks) };
  };
  assert.ok(Number(await selectedEvent(page)) > 0, 'a session does not open at its first loop');
  await page.keyboard.press('0');
  const whole = await shown();
  assert.ok(Number(await plot.getAttribute('data-arcs')) > 5, 'equal calls are not joined');

  await page.click('[aria-label="Zoom in"]');
  const closer = await shown();
  assert.ok(closer.to - closer.from < whole.to - whole.from && closer.marks < whole.marks);
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + box.width * 0.8, box.y + 120);
  await page.mouse.wheel(0, -200);
  assert.deepEqual(await shown(), closer, 'the wheel zooms though nobody asked');
  await page.evaluate(() => scrollTo(0, 0));
  await plot.focus();
  const at = await plot.boundingBox();
  await page.mouse.move(at.x + at.width * 0.8, at.y + 120);
  await page.mouse.wheel(0, -200);
  await page.waitForFunction((to) => Number(document.querySelector('canvas.plot').dataset.to) !== to, closer.to);
  const wheeled = await shown();
  assert.ok(wheeled.to - wheeled.from < closer.to - closer.from, 'the wheel does not zoom');
  await page.mouse.down();
  await page.mouse.move(at.x + at.width * 0.95, at.y + 120, { steps: 4 });
  await page.mouse.up();
  const dragged = await shown();
  assert.ok(dragged.from < wheeled.from, 'dragging does not move');
  await plot.dispatchEvent('pointerdown', { pointerId: 1, clientX: at.x + at.width / 2 });
  await plot.dispatchEvent('pointercancel', { pointerId: 1 });
  await page.mouse.move(at.x + at.width * 0.3, at.y + 120, { steps: 4 });
  assert.deepEqual(await shown(), dragged, 'a touch that scrolled the page goes on as a drag');

  await page.click('.loop .button');
  await selectedEvent(page);
  assert.match(await page.textContent('.detail'), /docker build/);
  assert.match(await page.textContent('.detail'), /the same call, \d of 5 times/);
  const first = await page.textContent('.detail .facts-line');
  await page.click('.detail [aria-label="the same call, next"]');
  await settled(page);
  assert.notEqual(await page.textContent('.detail .facts-line'), first);
  const chosen = await selectedEvent(page);
  await page.waitForFunction((event) => location.hash.includes(`event=${event}`), chosen);
  await page.reload();
  assert.equal(await selectedEvent(page), chosen, 'the address does not hold the event');

  // A click on the picture selects what is under it.
  await page.keyboard.press('0');
  const picture = await plot.boundingBox();
  await page.mouse.click(picture.x + 2, picture.y + 100);
  assert.equal(await selectedEvent(page), '0');
  await page.selectOption('.controls select', 'time');
  assert.ok(await isDrawn(page));
  await page.goBack();
  await page.waitForSelector('.rows');
}

async function checkKeyboard(page) {
  await page.goto(page.url().replace(/#.*/, '#/'));
  await page.keyboard.press('?');
  assert.ok(await page.isVisible('dialog.help'));
  await page.keyboard.press('Escape');
  assert.ok(!(await page.isVisible('dialog.help')));
  await page.keyboard.press('/');
  await page.keyboard.type('two-loops');
  assert.equal(await rowCount(page), 1);
  await page.fill('[aria-label="Search"]', '');
  await page.focus('.row');
  for (let k = 0; k < 30; k++) await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => document.activeElement?.getAttribute('data-row') === '30');
  await page.keyboard.press('PageUp');
  await page.keyboard.press('PageDown');
  await page.waitForFunction(() => document.activeElement?.getAttribute('data-row') === '30');
  await page.fill('[aria-label="Search"]', 'two-loops');
  await page.focus('.row');
  await page.keyboard.press('Enter');
  await page.waitForSelector('canvas.plot[data-marks]');
  const first = await selectedEvent(page);
  await page.keyboard.press('l');
  const second = await selectedEvent(page);
  assert.ok(Number(second) > Number(first), 'l does not go to the next loop');
  await page.keyboard.press('ArrowRight');
  assert.ok(Number(await selectedEvent(page)) > Number(second));
  await page.keyboard.press('0');
  const width = async () => {
    await settled(page);
    const { from, to } = await page.locator('canvas.plot').evaluate(({ dataset }) => ({ ...dataset }));
    return to - from;
  };
  const whole = await width();
  await page.keyboard.press('+');
  assert.ok((await width()) < whole);
  await page.keyboard.press('-');
  assert.equal(await width(), whole);
  const before = page.url();
  await page.keyboard.press(']');
  assert.notEqual(page.url(), before);
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  const themes = [await theme()];
  for (let k = 0; k < 2; k++) {
    await page.keyboard.press('t');
    await settled(page);
    themes.push(await theme());
  }
  assert.ok(themes.includes('dark') && themes.includes('light'), `t goes through ${themes}`);
  await page.keyboard.press('Escape');
  await page.waitForSelector('.rows');
  assert.match(page.url(), /words=two-loops/, 'the list is not as it was left');
}

async function checkHostile() {
  const file = join(work, 'hostile.jsonl');
  writeFileSync(file, hostileSession());
  const report = makeReport('hostile', [file]);
  await withPage(
    report,
    '#/',
    {},
    async (page) => {
      assert.equal(await rowCount(page), 1);
      assert.ok((await page.textContent('.row')).includes('</script><script>window.broken = 2</script>'));
      await page.click('section[aria-label="Agent"] .bar');
      assert.equal(await rowCount(page), 1);
      await page.reload();
      assert.equal(await rowCount(page), 1, 'a hostile filter is not found again');
      await page.click('.row');
      await page.waitForSelector('canvas.plot[data-marks]');
      assert.ok(await isDrawn(page));
      await page.goto(page.url().replace(/\?.*|$/, '?event=0'));
      await page.reload();
      await page.waitForSelector('canvas.plot[data-marks]');
      await selectedEvent(page);
      const prompt = await page.textContent('.detail pre');
      for (const text of hostileTexts.filter((one) => /^[\x20-\x7e]*$/.test(one)))
        assert.ok(prompt.includes(text), `${text} is not shown as text`);
      assert.ok(prompt.includes('before⟨00⟩⟨07⟩⟨1B⟩[31m⟨9B⟩after'), 'control characters are not shown');
      assert.ok(prompt.includes('left⟨202E⟩right'), 'marks of direction are not shown');
      assert.ok(prompt.includes('half \ufffd characters \ufffd of two'), 'halves of characters are not shown');
      for (let k = 0; k < 4; k++) await page.keyboard.press('ArrowRight');
      await shoot(page, 'hostile');
      assert.equal(await page.evaluate(() => window.broken), undefined, 'a script of the session ran');
      assert.equal(await page.locator('img, svg[onload], iframe, object, link').count(), 0);
      assert.equal(await page.locator('script:not([type])').count(), 1, 'there is a script that is not ours');
      await assert.rejects(
        page.evaluate(() => {
          const script = document.createElement('script');
          script.textContent = 'window.broken = 9';
          document.body.append(script);
          if (window.broken !== 9) throw new Error('refused');
        }),
        /refused/,
        'the page would run scripts that are not its own',
      );
    },
    /Content Security Policy/,
  );
  console.log('hostile: shown as text, nothing ran');
}

async function checkMany() {
  const folder = join(work, 'many');
  mkdirSync(folder);
  let part = [];
  let k = 0;
  for (const session of manySessions(many)) {
    part.push(session);
    if (part.length < 50) continue;
    writeFileSync(join(folder, `${String(k++).padStart(4, '0')}.jsonl`), part.join(''));
    part = [];
  }
  const report = makeReport('many', [folder]);
  const { size } = statSync(report);
  await withPage(report, '#/', {}, async (page, opened) => {
    await page.waitForSelector('.row');
    const ready = await page.evaluate(() => performance.getEntriesByName('loopfuse-ready')[0].startTime);
    console.log(
      `${many} sessions: ${(size / 1e6).toFixed(1)} MB, interactive after ${Math.round(ready)} ms in the page, ${Math.round(opened)} ms until everything was read`,
    );
    assert.ok(size < 6e6, `${many} sessions take ${size} bytes; 5,000 are to take less than 3 MB`);
    assert.equal(await rowCount(page), many);
    await shoot(page, 'many-top');
    const inPage = await page.locator('.row').count();
    assert.ok(inPage < 80, `${inPage} rows are in the page`);
    await timed('a filter', async () => {
      await page.click('section[aria-label="Agent"] .bar >> nth=0');
      assert.ok((await rowCount(page)) < many);
    });
    await timed('a search', () => page.fill('[aria-label="Search"]', 'session-0400'));
    assert.ok((await rowCount(page)) <= 10);
    await page.click('.chips .clear');
    await timed('sorting', () => page.click('.heads .cost'));
    await timed('scrolling to the end', async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await page.waitForSelector(`[data-row="${many - 1}"]`);
    });
    await shoot(page, 'many-end');
    await page.evaluate(() => scrollTo(0, 0));
    await page.click('.heads .calls');
    await page.waitForSelector('[data-row="0"]');
    await shoot(page, 'many');
    await timed('opening a session', async () => {
      await page.click('[data-row="0"]');
      await page.waitForSelector('canvas.plot[data-marks]');
    });
    assert.ok(await isDrawn(page));
    const scrolled = await page.evaluate(() => scrollY);
    assert.equal(scrolled, 0);
  });
}

async function timed(what, action) {
  const started = performance.now();
  await action();
  console.log(`  ${what}: ${Math.round(performance.now() - started)} ms`);
}

function makeReport(name, paths) {
  const file = join(work, `${name}.html`);
  const started = performance.now();
  execFileSync('node', [join(root, 'packages/cli/bin/loopfuse.js'), 'scan', '--html', file, ...paths], {
    env: { ...process.env, XDG_CACHE_HOME: join(work, 'cache') },
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 1 << 26,
  });
  console.log(
    `${name}: report of ${(statSync(file).size / 1e6).toFixed(2)} MB in ${Math.round(performance.now() - started)} ms`,
  );
  return file;
}

/** Opens a report as a file and sees to it that it asks for nothing and complains of nothing but what is expected. */
async function withPage(file, hash, { viewport = wide, colorScheme = 'light' }, use, expected) {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const address = pathToFileURL(file).href;
  const complaints = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(address)) complaints.push(`it asks for ${request.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error.stack ?? error)));
  page.on('console', (message) => {
    if (!expected?.test(message.text())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  const started = performance.now();
  await page.goto(address + hash);
  await page.waitForSelector('h1');
  await use(page, performance.now() - started);
  await context.close();
  assert.deepEqual(complaints, []);
}

/** Waits until what was done is drawn: what is drawn may move a list, and that draws again. */
async function settled(page) {
  await page.evaluate(async () => {
    for (let k = 0; k < 4; k++) await new Promise(requestAnimationFrame);
  });
}

/** The number of the event that is selected. */
async function selectedEvent(page) {
  await page.waitForSelector('.event[aria-selected="true"]');
  await settled(page);
  return page.textContent('.event[aria-selected="true"] .seq');
}

/** How many sessions the list has, seen or not. */
async function rowCount(page) {
  await settled(page);
  return page.evaluate(() => {
    const row = document.querySelector('.row');
    return row === null ? 0 : Math.round(document.querySelector('.rows').offsetHeight / row.offsetHeight);
  });
}

/** Whether the picture has many colours in it, and not only at its edge. */
async function isDrawn(page) {
  await settled(page);
  return page.evaluate(() => {
    const canvas = document.querySelector('canvas.plot');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Set();
    for (let k = 0; k < data.length; k += 4)
      if (data[k + 3] > 200) colours.add((data[k] << 16) | (data[k + 1] << 8) | data[k + 2]);
    return colours.size > 4;
  });
}

async function shoot(page, name, isWhole = false) {
  await settled(page);
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: isWhole });
}
