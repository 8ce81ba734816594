// Runs the engine in a real browser: bundles it with esbuild, checks its size, serves it on the loopback interface,
// plays a looping session in headless Chromium and compares what comes of it with what comes of it in Node.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { chromium, chromiumFlags, installChromium } from './chromium.mjs';

const core = fileURLToPath(new URL('../packages/core/src', import.meta.url));
const session = fileURLToPath(new URL('browser/looping-session.js', import.meta.url));
const gzipLimit = 31_500;

const entry = await bundle('loopfuse', ['./index.js']);
const page = await bundle('loopfuse with its default preset', ['./index.js', './presets/balanced.js']);
await bundle('every entry point', ['./index.js', './detectors/index.js', './presets/index.js', './service/index.js']);
const size = gzipSync(entry, { level: 9 }).length;
assert.ok(size <= gzipLimit, `loopfuse has ${size} bytes gzipped, over ${gzipLimit}: something grew or was pulled in`);

const work = mkdtempSync(join(tmpdir(), 'loopfuse-browser-'));
try {
  installChromium();
  const expected = await playInNode();
  const actual = await playInChromium();
  assert.deepEqual(actual, expected, 'Chromium and Node disagree');
  assert.deepEqual(actual.faults, []);
  assert.ok(actual.decisions.includes('steer') || actual.decisions.includes('block'), 'the agent was never told');
  assert.equal(actual.decisions.at(-1), 'stop', 'the agent was never stopped');
  assert.equal(actual.circuit, 'open');
  assert.equal(actual.chant[0]?.kind, 'chanting', 'the chant was not seen');
  console.log(`In Chromium: ${actual.decisions.join(' ')}`);
  for (const line of [...actual.explanation, actual.chant[0].explanation]) console.log(`- ${line}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function bundle(name, entries) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: entries.map((entry) => `export * from '${entry}';`).join('\n'), resolveDir: core, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    write: false,
    metafile: true,
  });
  for (const input of Object.keys(metafile.inputs))
    assert.ok(
      input === '<stdin>' || input.startsWith('packages/core/src/'),
      `the core must import nothing, and has ${input}`,
    );
  const { contents } = outputFiles[0];
  console.log(`${name}: ${contents.length} bytes minified, ${gzipSync(contents, { level: 9 }).length} gzipped`);
  return contents;
}

async function playInNode() {
  const file = join(work, 'loopfuse.mjs');
  writeFileSync(file, page);
  const { play } = await import(pathToFileURL(session).href);
  return play(await import(pathToFileURL(file).href));
}

/** The page writes what came of the session into itself, and Chromium prints the page once it has loaded. */
async function playInChromium() {
  const html = `<!doctype html><meta charset="utf-8"><title>loopfuse</title><pre id="result"></pre><script type="module">
    const result = document.getElementById('result');
    try {
      const [{ play }, loopfuse] = await Promise.all([import('/session.js'), import('/loopfuse.js')]);
      result.textContent = JSON.stringify(play(loopfuse));
    } catch (error) {
      result.textContent = JSON.stringify({ error: String(error?.stack ?? error) });
    }
  </script>`;
  const files = {
    '/': ['text/html', html],
    '/loopfuse.js': ['text/javascript', page],
    '/session.js': ['text/javascript', readFileSync(session)],
  };
  const server = createServer(({ url }, response) => {
    const [type, body] = files[url] ?? [undefined, undefined];
    response.writeHead(body === undefined ? 404 : 200, type && { 'content-type': `${type}; charset=utf-8` }).end(body);
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  try {
    const { stdout } = await promisify(execFile)(
      chromium,
      [
        '--headless',
        ...chromiumFlags,
        `--user-data-dir=${join(work, 'profile')}`,
        '--virtual-time-budget=20000',
        '--dump-dom',
        `http://127.0.0.1:${server.address().port}/`,
      ],
      { timeout: 120_000, maxBuffer: 1 << 26 },
    );
    const written = /<pre id="result">(.*?)<\/pre>/s.exec(stdout)?.[1];
    assert.ok(written, `Chromium did not run the page:\n${stdout}`);
    const result = JSON.parse(written.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'));
    assert.equal(result.error, undefined, result.error);
    return result;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
