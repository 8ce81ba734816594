import { describe, expect, it } from 'vitest';
import { fixture } from '../testing/fixtures.js';
import { linesIn, readAll, readBytes } from '../testing/read-fixture.js';
import { translatorLaws } from '../testing/translator-laws.js';

translatorLaws('loopfuse-session', import.meta.url);

describe('loopfuse-session', () => {
  it('reads the id, the project and the model', async () => {
    const { sessions, faults } = await readAll(fixture(import.meta.url, 'innocent-0.1.0.json'));
    expect(faults).toEqual([]);
    expect(sessions).toMatchObject([
      {
        session: {
          id: '479508cb-13bb-43dc-9a5e-06d7b3a7bb35',
          agent: 'loopfuse',
          model: 'scripted-model',
          project: '/home/ada/sample',
          title: 'Say what the main function does.',
          startedAt: Date.parse('2026-11-15T05:25:47.588Z'),
        },
      },
    ]);
  });

  it('distinguishes messages of the user, of the guard and summaries', async () => {
    expect(await linesIn(fixture(import.meta.url, 'compressed.json'))).toEqual([
      'compaction',
      'turn-start',
      'reasoning: The build is next.',
      'text: I build.',
      'call c-1: run_shell_command {"command":"make"}',
      'call c-2: read_file {"path":"Makefile"}',
      'turn-end',
      'result c-1 failed: make: *** no rule',
      'result c-2 fine: all:',
      'steer',
      'turn-start',
      'text: I am',
      'turn-end: interrupted',
      'turn-start',
      'call c-3: write_file {"path":"Makefile"}',
      'turn-end',
      'result c-3 failed: The user said no.',
      'prompt: Leave it then.',
      'turn-start',
      'text: As you wish.',
      'turn-end',
      'steer',
    ]);
  });

  it('separates the note of the guard from the result before it', async () => {
    const { sessions } = await readAll(fixture(import.meta.url, 'halted-0.1.0.json'));
    const events = sessions[0]!.events;
    const results = events.filter((event) => event.type === 'tool-result');
    expect(new Set(results.slice(0, 3).map(({ output }) => output)).size).toBe(1);
    expect(events.filter((event) => event.type === 'steer')).toMatchObject([
      { text: expect.stringMatching(/^\[Loop guard\] The call read_file .* was made 3 times/) },
      { text: expect.stringMatching(/^\[Loop guard\] Your work on this request was halted/) },
    ]);
  });

  it('reads the time and the usage of an answer', async () => {
    const counts = { inputTokens: 900, outputTokens: 30, cachedTokens: 400, cacheWriteTokens: 200 };
    const usage = { ...counts, reasoningTokens: 0 };
    const file = {
      ...{ version: 1, id: 'x', root: '/x', createdAt: '2026-03-01' },
      model: 'gpt-5',
      history: [{ role: 'assistant', parts: [{ type: 'text', text: 'Done.' }], at: 5000, usage, model: 'o3' }],
    };
    const { sessions } = await readBytes([Buffer.from(JSON.stringify(file))], { name: 'x.json' });
    expect(sessions[0]?.events.filter(({ type }) => type === 'text' || type === 'usage')).toEqual([
      { type: 'text', text: 'Done.', at: 5000 },
      { type: 'usage', ...counts, at: 5000, model: 'o3' },
    ]);
  });

  it('reports a file of a later version, and reads what it knows', async () => {
    const file = {
      ...{ version: 2, id: 'x', root: '/x', createdAt: '2026-03-01' },
      history: [{ role: 'user', from: 'user', text: 'Go' }],
    };
    const { sessions, faults } = await readBytes([Buffer.from(JSON.stringify(file))], { name: 'x.json' });
    expect(faults).toMatchObject([{ message: expect.stringContaining('version 2') }]);
    expect(sessions[0]?.events).toEqual([{ type: 'prompt', text: 'Go' }]);
  });
});
