import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAll, readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('openhands', import.meta.url);

const firstStep = [
  'prompt: Fix it',
  'turn-start',
  'text: Reproduce first.',
  'call event-3: execute_bash {"command":"pytest"}',
  'usage 500 (100 cached) + 20 for $0.02',
  'turn-end',
  'result event-3 failed: 1 failed',
];

describe('openhands', () => {
  it('reads an exported trajectory', async () => {
    expect(await readFixture(import.meta.url, 'trajectory.json')).toMatchObject([
      {
        model: 'claude-3-7-sonnet',
        lines: [
          ...firstStep,
          'turn-start',
          'call event-5: think {"thought":"Why?"}',
          'turn-end',
          'result event-5: Your thought has been logged.',
          'turn-start',
          'call event-7: read {"path":"a.py"}',
          'usage 700 (200 cached) + 30 for $0.03',
          'turn-end',
          'result event-7 failed: File not found: a.py',
          'compaction',
          'turn-start',
          'call event-10: finish {"final_thought":"Done."}',
          'turn-end',
          'result event-10: Done.',
        ],
      },
    ]);
  });

  it('reads a folder of events of one line each as one session', async () => {
    expect(await readFixture(import.meta.url, '8d2', 'events', 'event-00000-w0.json')).toMatchObject([
      {
        id: '8d2',
        lines: [
          'prompt: Build it',
          'turn-start',
          'call call_1: terminal {"command":"make"}',
          'turn-end',
          'result call_1 failed: no rule',
        ],
      },
    ]);
    expect(await readFixture(import.meta.url, '8d2', 'events', 'event-00001-w1.json')).toEqual([]);
  });

  it('reads the output of an evaluation, one run per line', async () => {
    expect(await readFixture(import.meta.url, 'output.jsonl')).toMatchObject([
      { id: 'demo__demo-1', lines: firstStep },
      { id: 'demo__demo-2', lines: firstStep },
    ]);
  });

  it('reads a folder with a file for each event, once', async () => {
    expect(await readFixture(import.meta.url, '7c1', 'events', 'event-00000-v0.json')).toMatchObject([
      {
        id: '7c1',
        lines: [
          'prompt: Fix it',
          'turn-start',
          'reasoning: Run.',
          'text: I run it.',
          'call call_1: terminal {"command":"pytest"}',
          'turn-end',
          'result call_1 failed: 2 failed',
          'turn-start',
          'call call_2: edit {}',
          'turn-end',
          'result call_2 failed: Missing argument',
          'compaction',
          'turn-end: interrupted',
        ],
      },
    ]);
  });

  it('reads every file of a large folder in a time that grows with their number, and finds one that is new', async () => {
    const events = join(mkdtempSync(join(tmpdir(), 'loopfuse-openhands-')), 's', 'events');
    const put = (k: number) => {
      const event = {
        id: k,
        source: 'agent',
        timestamp: '2026-01-01T00:00:00',
        action: 'run',
        args: { command: 'ls' },
      };
      writeFileSync(join(events, `${k}.json`), JSON.stringify(event));
    };
    mkdirSync(events, { recursive: true });
    for (let k = 0; k < 4000; k++) put(k);
    utimesSync(events, 1e9, 1e9);
    const calls: number[] = [];
    for (let k = 0; k < 4000; k++) calls.push((await readAll(join(events, `${k}.json`))).summary.calls);
    expect(calls.filter((count) => count > 0)).toEqual([4000]);
    put(4000);
    expect((await readAll(join(events, '0.json'))).summary.calls).toBe(4001);
    rmSync(dirname(dirname(events)), { recursive: true });
  }, 10_000);

  it('skips the other files of such a folder', async () => {
    expect(await readFixture(import.meta.url, '7c1', 'events', 'event-00003-v3.json')).toEqual([]);
  });
});
