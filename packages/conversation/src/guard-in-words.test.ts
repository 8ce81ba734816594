import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, openAgent, type Settings } from '@loopfuse/agent';
import { expect, onTestFinished, test } from 'vitest';
import { guardInWords } from './guard-in-words.js';
import type { Row } from './item.js';

interface Opened {
  readonly client: Client;
  rows(): readonly Row[];
  detectors(): readonly string[];
}

function opened(overrides: Settings = {}, model = 'some-model'): Opened {
  const folder = mkdtempSync(join(tmpdir(), 'guard-in-words-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const agent = openAgent({
    cwd: folder,
    home: join(folder, 'home'),
    env: {},
    overrides: { provider: 'openai-compatible', baseURL: 'http://127.0.0.1:9/v1', model, ...overrides },
  });
  const client = agent.open({});
  const rows = () => guardInWords(client, agent.settings);
  return {
    client,
    rows,
    detectors() {
      const from = rows().findIndex(([name]) => name === 'Detectors');
      const to = rows().findIndex(([name], k) => k > from && name !== '');
      return rows()
        .slice(from, to)
        .map(([, text]) => text);
    },
  };
}

test('the balanced preset: each detector with its thresholds, and none that waits for a judge who is not there', () => {
  expect(opened().detectors()).toEqual([
    'stale-rounds: times 3',
    'chanting: patience 1',
    'low-novelty: patience 1',
    'monologue: times 3, timesWithUser 5, shortMessage 40',
  ]);
});

test('with a judge, the detectors that read its opinion are listed, too', () => {
  const judge = { provider: 'openai-compatible', baseURL: 'http://127.0.0.1:9/v1', model: 'a-judge' } as const;
  const { detectors, rows } = opened({ judge });
  expect(detectors()).toContain('opinion: certain 0.9, doubtful 0.7');
  expect(Object.fromEntries(rows()).Judge).toMatch(/^a-judge, .*not asked yet$/);
});

test('settings: what was tuned has its new threshold, what was left out is not listed, what was added is', () => {
  const { detectors } = opened({
    detectors: { 'stale-rounds': { times: 7 }, chanting: false, monologue: false, budget: { hard: { turns: 50 } } },
  });
  expect(detectors()).toEqual([
    'stale-rounds: times 7',
    'low-novelty: patience 1',
    'budget: hard (turns 50), repeats 4',
  ]);
});

test.each<[NonNullable<Settings['preset']>, string, string]>([
  [
    'gemini-cli',
    'some-model',
    'gemini-cli: identical-calls (times 5), window-chanting (windowChars 50, times 10, historyChars 5000, gapChars 250, ignores structure)',
  ],
  [
    'qwen-code',
    'some-model',
    'qwen-code: identical-calls (times 5), window-chanting (windowChars 50, times 10, historyChars 1000, gapChars 75, ignores structure)',
  ],
  [
    'deepv-code',
    'some-model',
    'deepv-code: identical-calls (times 10), window-chanting (windowChars 500, times 20, historyChars 10000, gapChars 750, ignores filler)',
  ],
  [
    'deepv-code',
    'some-model-preview',
    'deepv-code: identical-calls (times 10), tool-count (times 5, timesFor (read_file 4, read_many_files 4, glob 4, search_file_content 4, ls 4)), window-chanting (windowChars 500, times 20, historyChars 10000, gapChars 750, ignores filler)',
  ],
])('%s with %s shows the limits of its ancestor', (preset, model, latch) => {
  expect(opened({ preset, judge: { disable: true } }, model).detectors()).toEqual([latch]);
  expect(opened({ preset }, model).detectors()).toEqual([latch, `${preset}-judge: above 0.9`]);
});

test('switched off, no detector is active', () => {
  const { client, detectors, rows } = opened();
  client.release({ type: 'disable' });
  expect(detectors()).toEqual(['none']);
  expect(rows()[0]).toEqual(['Guard', 'off for this session']);
});

test('the shadow policy does not claim that the model got a message', () => {
  const { client, rows } = opened({ policy: 'shadow' });
  const call = { type: 'tool-call', tool: 'ls', input: {} } as const;
  for (let k = 0; k < 3; k++) {
    client.guard.observe({ ...call, id: String(k) });
    client.guard.observe({ type: 'tool-result', id: String(k), output: 'a.txt' });
  }
  expect(rows()[0]).toEqual(['Guard', 'watching only; would have acted 1 time in this request']);
  client.release({ type: 'disable' });
  expect(rows()[0]).toEqual(['Guard', 'off for this session']);
});

test('a loop that a latch sees at every event is counted until the agent would have been halted', () => {
  const { client, rows } = opened({ policy: 'shadow', preset: 'gemini-cli', judge: { disable: true } });
  for (let k = 0; k < 30; k++) client.guard.observe({ type: 'tool-call', id: String(k), tool: 'ls', input: {} });
  expect(rows()[0]).toEqual(['Guard', 'watching only; would have acted 2 times in this request']);
});
