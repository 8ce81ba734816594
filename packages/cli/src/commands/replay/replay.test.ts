import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runLoopfuse } from '../../../testing/run-loopfuse.js';

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-replay-'));
afterAll(() => rmSync(folder, { recursive: true }));
const env = { HOME: folder };
const rounds = 12;

const log = join(folder, 'log.jsonl');
const lines: object[] = [{ session: 'stuck', agent: 'toy', model: 'gpt-4.1' }];
for (let k = 0; k < rounds; k++) {
  const at = Date.parse('2026-01-31T12:00:00Z') + k * 60_000;
  lines.push(
    { type: 'tool-call', id: `c${k}`, tool: 'bash', input: { command: 'make' }, at },
    { type: 'tool-result', id: `c${k}`, output: 'Error: no rule', failed: true, at },
    { type: 'usage', inputTokens: 1e6, outputTokens: 0, at },
  );
}
writeFileSync(log, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

interface Replayed {
  preset: string;
  saved: { calls: number; tokens: number; cost: number; minutes: number };
  stops: { call: number; seq: number; after: number }[];
}

async function replay(...args: string[]): Promise<Replayed[]> {
  const { code, stdout } = await runLoopfuse(['replay', 'stuck', log, '--json', ...args], { env });
  expect(code).toBe(0);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Replayed);
}

test('each preset says where it would have stopped, and what that would have saved', async () => {
  const replayed = await replay('--preset', 'balanced', '--preset', 'gemini-cli', '--preset', 'deepv-code');
  expect(replayed.map(({ preset }) => preset)).toEqual(['balanced', 'gemini-cli', 'deepv-code']);
  const calls = replayed.map(({ stops }) => stops[0]!.call);
  expect(calls).toEqual([3, 5, 10]);
  for (const { saved, stops } of replayed) {
    const left = rounds - stops[0]!.call;
    expect(saved.calls).toBe(left);
    expect(stops[0]!.after).toBe(stops[0]!.call - 1);
    expect(saved.minutes).toBe(left);
    expect(saved.cost).toBe((saved.tokens / 1e6) * 2);
  }
});

test('an ancestor, which calls all that follows looping, saves no more than the loop that it stopped', async () => {
  const after = join(folder, 'after.jsonl');
  const work = Array.from({ length: 40 }, (_, k) => [
    { type: 'tool-call', id: `w${k}`, tool: 'write_file', input: { path: `src/part-${k}.ts`, content: `part ${k}` } },
    { type: 'tool-result', id: `w${k}`, output: `wrote ${k * 17} bytes to src/part-${k}.ts` },
  ]);
  const all = [...lines, ...work.flat()].map((line) => ({ ...line, session: 'session' in line ? 'after' : undefined }));
  writeFileSync(after, all.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { stdout } = await runLoopfuse(['replay', 'after', after, '--json'], { env });
  const replayed = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Replayed);
  expect(replayed).toHaveLength(4);
  for (const { preset, saved, stops } of replayed) {
    expect([preset, saved.calls]).toEqual([preset, rounds - stops[0]!.call]);
    expect([preset, saved.tokens]).toEqual([preset, saved.calls * 1e6]);
  }
});

test('without a preset all of them are asked, and the table names each', async () => {
  expect(await replay()).toHaveLength(4);
  const { stdout } = await runLoopfuse(['replay', log], { env });
  for (const part of ['PRESET', 'balanced', 'gemini-cli', 'qwen-code', 'deepv-code', 'repeated-failure', '9 calls'])
    expect(stdout).toContain(part);
});

test('a settings file plays beside the presets: its thresholds and what it knows about tools', async () => {
  const patient = join(folder, 'patient.json');
  writeFileSync(
    patient,
    JSON.stringify({
      detectors: { 'stale-rounds': { times: 6 } },
    }),
  );
  const exempt = join(folder, 'exempt.json');
  writeFileSync(exempt, JSON.stringify({ tools: { bash: { exempt: true } } }));
  const replayed = await replay('-p', 'balanced', '-p', patient, '-p', exempt);
  expect(replayed.map(({ preset }) => preset)).toEqual(['balanced', patient, exempt]);
  const [balanced, later, never] = replayed.map(({ stops }) => stops[0]?.call);
  expect(balanced).toBe(3);
  expect(later).toBeGreaterThan(3);
  expect(later).toBeLessThanOrEqual(6);
  expect(never).toBeUndefined();
});

test.each([
  ['strict', 'There is no preset "strict". There are balanced'],
  ['./no-such.json', 'there is no such file'],
])('%s is wrong usage', async (name, words) => {
  const { code, stderr } = await runLoopfuse(['replay', log, '-p', name], { env });
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
});

test('a settings file with a wrong value is wrong usage that names the key', async () => {
  const wrong = join(folder, 'wrong.json');
  writeFileSync(wrong, JSON.stringify({ detectors: { 'stale-rounds': { times: 'often' } } }));
  const { code, stderr } = await runLoopfuse(['replay', log, '-p', wrong], { env });
  expect(code).toBe(2);
  expect(stderr).toContain('"detectors.stale-rounds" has a wrong "times"');
});

test.each([
  ['an unknown key', { detectrs: {} }, '"detectrs" is not a setting. Did you mean "detectors"?'],
  ['an unknown detector', { detectors: { 'eror-streak': { times: 3 } } }, 'eror-streak'],
  ['an unknown option', { detectors: { 'stale-rounds': { tmes: 3 } } }, 'tmes'],
])('a settings file with %s is wrong usage, not the default settings', async (_what, settings, words) => {
  const typo = join(folder, 'typo.json');
  writeFileSync(typo, JSON.stringify(settings));
  const { code, stdout, stderr } = await runLoopfuse(['replay', log, '-p', typo], { env });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(words);
});
