import { describe, expect, it } from 'vitest';
import { readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('gemini-cli', import.meta.url);

describe('gemini-cli', () => {
  it('reads the id of a document after its messages', async () => {
    expect(await readFixture(import.meta.url, 'session-2026-03-01.json')).toMatchObject([
      {
        id: '7e000000-0000-4000-8000-000000000001',
        model: 'gemini-3-pro',
        startedAt: 1772359200000,
        lines: [
          'prompt: List the files',
          'turn-start',
          'reasoning: Listing\nUse the shell.',
          'text: I look.',
          'call run-1: run_shell_command {"command":"ls"}',
          'call run-2: run_shell_command {"command":"ls nowhere"}',
          'call run-3: read_file {"file_path":"b.txt"}',
          'usage 100 (40 cached) + 16',
          'turn-end',
          'result run-1 fine: Output: a.txt\nProcess Group PGID: 12',
          'result run-2 failed: Output: none\nExit Code: 2\nProcess Group PGID: 13',
          'result run-3 failed: File not found',
          'turn-end: interrupted',
          'prompt: And now?',
          'turn-start',
          'text: One file.',
          'turn-end',
        ],
      },
    ]);
  });

  it('reads only the new part of a message that is written again', async () => {
    expect(await readFixture(import.meta.url, 'patches.jsonl')).toMatchObject([
      {
        id: '7e000000-0000-4000-8000-000000000002',
        model: 'gemini-3-flash',
        lines: [
          'prompt: Say hello',
          'turn-start',
          'text: Hel',
          'text: lo.',
          'call e-1: echo {"word":"hello"}',
          'usage 10 + 2',
          'turn-end',
          'result e-1 fine: hello',
        ],
      },
    ]);
  });

  it('reports nothing twice of a history that is rewritten, by a resumed session or by a summary', async () => {
    expect(await readFixture(import.meta.url, 'resumed-0.61.jsonl')).toMatchObject([
      {
        id: '7e000000-0000-4000-8000-000000000003',
        startedAt: Date.parse('2026-03-01T10:00:00.000Z'),
        lines: [
          'prompt: Read it',
          'turn-start',
          'reasoning: Read first.',
          'text: Look.',
          'usage 10 + 2',
          'call r-1: read_file {"file_path":"a.txt"}',
          'turn-end',
          'result r-1 fine: alpha',
          'turn-start',
          'text: Done.',
          'usage 20 + 2',
          'compaction',
          'turn-end',
          'prompt: And now?',
          'turn-start',
          'text: Nothing.',
          'turn-end',
        ],
      },
    ]);
  });

  it('reads the parent of a sub-agent, and only the first message as its request', async () => {
    const parent = '7e000000-0000-4000-8000-000000000003';
    const [session] = await readFixture(import.meta.url, parent, '7e000000-0000-4000-8000-000000000004.jsonl');
    expect(session).toMatchObject({ parent, project: '/home/ada/sample' });
    expect(session!.lines.filter((line) => line.startsWith('prompt'))).toEqual(['prompt: Find the file']);
  });
});
