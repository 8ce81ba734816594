import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import type { SessionSummary } from '@loopfuse/dashboard';
import { afterAll, expect, test } from 'vitest';
import { presets } from '../../../presets.js';
import { createMask } from '../../../recorded/mask.js';
import { loadPrices } from '../../../recorded/prices.js';
import { scanFile } from '../../../recorded/scan-file.js';
import type { SessionReport } from '../../../recorded/session-report.js';
import { createExcerpts } from './excerpts.js';
import { requirePlace } from './report-file.js';
import { timelinesOf } from './timelines.js';
import { writeHtml } from './write-html.js';

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-html-'));
afterAll(() => rmSync(folder, { recursive: true }));
const template = '<html><!--sessions--><script>page</script><!--timelines--></html>';

function trace(name: string, sessions: number, rounds: number): string {
  const lines: object[] = [];
  for (let k = 0; k < sessions; k++) {
    lines.push({ loopfuse: 1, session: `${name}-${k}`, agent: 'toy', project: '/home/ada/shop' });
    lines.push({ type: 'prompt', text: 'Write to ada@example.org' });
    for (let round = 0; round < rounds; round++) {
      lines.push({ type: 'tool-call', id: `c${round}`, tool: 'read_file', input: { path: 'src/main.ts' } });
      lines.push({ type: 'tool-result', id: `c${round}`, output: 'Error: no file src/main.ts', failed: true });
    }
  }
  const file = join(folder, `${name}.jsonl`);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

async function reportsOf(...files: string[]): Promise<SessionReport[]> {
  const reports: SessionReport[] = [];
  for (const file of files) reports.push(...(await scanFile(file, presets[0]!)).reports);
  return reports;
}

function options(file: string) {
  return {
    file,
    preset: 'balanced',
    prices: loadPrices(),
    signal: new AbortController().signal,
    onProgress() {},
    template,
  };
}

function unpacked(packed: string): unknown {
  return JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString());
}

test('the report holds every session and the timelines, with private things masked', async () => {
  const reports = await reportsOf(trace('loops', 2, 12), trace('clean', 2, 1));
  const file = join(folder, 'report.html');
  const bytes = await writeHtml(reports, options(file));
  const html = readFileSync(file, 'utf8');
  expect(bytes).toBe(Buffer.byteLength(html));
  const [, packed] = /class="sessions">([^<]*)</.exec(html)!;
  const sessions = unpacked(packed!) as SessionSummary[];
  expect(sessions.map(({ id, loops }) => [id, loops.length])).toEqual([
    ['loops-0', 1],
    ['loops-1', 1],
    ['clean-0', 0],
    ['clean-1', 0],
  ]);
  expect(sessions[0]).toMatchObject({ project: '~/shop', loops: [{ waste: { calls: 11 }, tools: ['read_file'] }] });
  expect(sessions[0]!.loops[0]!.waste).not.toHaveProperty('cost');
  expect(sessions[0]!.loops[0]!.waste).not.toHaveProperty('tokens');
  const timelines = [...html.matchAll(/id="t(\d+)">([^<]*)</g)];
  expect(timelines.map(([, place]) => Number(place)).sort()).toEqual([0, 1, 2, 3]);
  const texts = JSON.stringify(timelines.map(([, , block]) => unpacked(block!)));
  expect(texts).toContain('[email-1]');
  expect(texts).not.toContain('ada@');
});

test('a report is written whole or not at all, over an older one', async () => {
  const reports = await reportsOf(trace('again', 1, 12));
  const file = join(folder, 'again.html');
  writeFileSync(file, 'older');
  await expect(writeHtml(reports, { ...options(file), template: 'no places' })).rejects.toThrow(
    'the template needs <!--sessions-->',
  );
  expect(readFileSync(file, 'utf8')).toBe('older');
  await writeHtml(reports, options(file));
  expect(readFileSync(file, 'utf8')).toMatch(/^<html>/);
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('a place that cannot be written to is reported in one line', async () => {
  const file = join(folder, 'nowhere', 'report.html');
  await expect(writeHtml([], options(file))).rejects.toThrow(/^the report ".*report.html" cannot be written: ENOENT/);
  expect(existsSync(file)).toBe(false);
});

test('loops come before innocent sessions, the costliest first, until there is no more room', async () => {
  const reports = await reportsOf(trace('innocent', 1, 1), trace('small', 1, 6), trace('large', 1, 40));
  const excerpts = createExcerpts(createMask());
  const placesWith = async (room?: number) => {
    const places: number[] = [];
    const { signal } = new AbortController();
    const given = { excerpts, signal, onProgress() {}, ...(room === undefined ? {} : { room }) };
    for await (const [place] of timelinesOf(reports, given)) places.push(place);
    return places;
  };
  expect(await placesWith()).toEqual([2, 1, 0]);
  expect(await placesWith(1)).toEqual([2]);
});

test('a log that has gone meanwhile is left out', async () => {
  const gone = trace('gone', 1, 12);
  const reports = await reportsOf(gone, trace('there', 1, 12));
  rmSync(gone);
  const file = join(folder, 'gone.html');
  await writeHtml(reports, options(file));
  expect([...readFileSync(file, 'utf8').matchAll(/id="t(\d+)"/g)].map(([, place]) => place)).toEqual(['1']);
});

test('a report that could not be written is refused before anything is read', () => {
  expect(() => requirePlace(join(folder, 'nowhere', 'report.html'))).toThrow(/there is no folder .*nowhere/);
  expect(() => requirePlace(folder)).toThrow(/it is a folder/);
  writeFileSync(join(folder, 'a-file'), '');
  expect(() => requirePlace(join(folder, 'a-file', 'report.html'))).toThrow(/there is no folder .*a-file/);
  expect(() => requirePlace(join(folder, 'new.html'))).not.toThrow();
});
