import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formats } from '../index.js';
import { headOf } from '../records/head.js';
import { allFixtures } from '../testing/fixtures.js';
import { linesOf, readAll } from '../testing/read-fixture.js';

/** Files of a store that mean nothing without the others. */
const fragments = /storage\/(message|part)\//;

describe('sniffing', () => {
  const fixtures = allFixtures().filter(([, file]) => !fragments.test(file));

  it('has fixtures of every format', () => {
    expect(new Set(fixtures.map(([name]) => name))).toEqual(new Set(formats.map(({ name }) => name)));
  });

  it.each(fixtures.map(([name, file]) => [name, basename(file), file]))(
    'knows %s by %s and nobody else does',
    (name, _, file) => {
      const head = headOf(basename(file), readFileSync(file).subarray(0, 64 * 1024), true);
      const claiming = new Set(formats.filter((format) => format.sniff(head)).map((format) => format.name));
      claiming.delete('messages'); // which takes what nobody else knows, and stands last
      if (name === 'roo-code') claiming.delete('cline'); // whose tasks Roo Code's are; it is asked first
      expect([...claiming]).toEqual(name === 'messages' ? [] : [name]);
      expect(formats.find((format) => format.sniff(head))?.name).toBe(name);
    },
  );

  it('does not depend on the name of the file', async () => {
    for (const [name, file] of fixtures) {
      if (/(ui_messages|api_conversation_history|context|event-)/.test(file)) continue;
      const head = headOf('some-file', readFileSync(file), true);
      expect(formats.find((format) => format.sniff(head))?.name).toBe(name);
    }
  });
});

describe('nine agents that were led through the same conversation', () => {
  const recorded = allFixtures().filter(([, file]) => basename(file).startsWith('recorded-'));

  it('are nine', () => {
    expect(recorded.map(([name]) => name)).toEqual([
      'claude-code',
      'cline',
      'codex',
      'copilot-cli',
      'gemini-cli',
      'kimi',
      'opencode',
      'pi',
      'qwen-code',
    ]);
  });

  it.each(recorded)('tell the same lines: %s', async (_, file) => {
    const { sessions, faults } = await readAll(file);
    const events = sessions[0]!.events;
    expect(faults).toEqual([]);
    expect(sessions.length).toBe(1);
    expect(linesOf(events.filter(({ type }) => type === 'text'))).toEqual([
      'text: I start with the readme.',
      'text: Now the manifest.',
      'text: Where is the function used?',
      'text: Here is the source.',
      'text: I write a check for it.',
      'text: And run it.',
      'text: The function adds two numbers, and the new check passes.',
    ]);
    const count = (type: string) => events.filter((event) => event.type === type).length;
    expect({
      prompts: count('prompt'),
      turns: count('turn-start'),
      calls: count('tool-call'),
      results: count('tool-result'),
      usage: count('usage'),
    }).toEqual({ prompts: 1, turns: 7, calls: 6, results: 6, usage: 7 });
    expect(events.every(({ at, type }) => at !== undefined || type === 'turn-end' || type === 'usage')).toBe(true);
    const { session } = sessions[0]!;
    expect(session.version ?? session.model).toEqual(expect.any(String));
    expect(session.model).toEqual(expect.any(String));
  });
});
