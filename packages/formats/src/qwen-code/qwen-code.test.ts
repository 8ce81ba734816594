import { describe, expect, it } from 'vitest';
import { linesOf, readBytes, readFixture } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('qwen-code', import.meta.url, { repeats: true });

describe('qwen-code', () => {
  it('joins the pieces of an answer with one id, and reads several objects on one line', async () => {
    expect(await readFixture(import.meta.url, 'pieces-0.21.jsonl')).toMatchObject([
      {
        id: '9d000000-0000-4000-8000-000000000001',
        model: 'qwen3-coder',
        title: 'A file read',
        version: '0.21.0',
        lines: [
          'prompt: Read the file',
          'turn-start',
          'retry',
          'reasoning: Reading.',
          'call c1: read_file {"path":"x.txt"}',
          'usage 50 (20 cached) + 9',
          'turn-end',
          'result c1 failed: File not found: x.txt',
          'compaction',
          'prompt: Thanks {"really"}',
          'turn-start',
          'text: Gladly.',
          'turn-end',
        ],
      },
    ]);
  });

  it('reads the log of a sub-agent as a session of its own, not as a copy of the session that started it', async () => {
    const parent = '9d000000-0000-4000-8000-000000000001';
    expect(await readFixture(import.meta.url, 'subagents', 'agent-explore-call_7.jsonl')).toMatchObject([
      {
        id: `${parent}/explore-call_7`,
        parent,
        model: 'qwen3-coder',
        lines: [
          'prompt: Find the file',
          'turn-start',
          'call c1: glob {"pattern":"*"}',
          'turn-end',
          'result c1: a.txt',
          'turn-start',
          'text: It is a.txt.',
          'turn-end',
        ],
      },
    ]);
  });

  it('leaves out the notice that the CLI puts before a request', async () => {
    const said = '<system-reminder>\n1 agent was restored.\n</system-reminder>\n\n\nGo on';
    const line = { uuid: 'u', sessionId: 's', type: 'user', message: { role: 'user', parts: [{ text: said }] } };
    const { sessions } = await readBytes([Buffer.from(`${JSON.stringify(line)}\n`)]);
    expect(linesOf(sessions[0]!.events)).toEqual(['prompt: Go on']);
  });
});
