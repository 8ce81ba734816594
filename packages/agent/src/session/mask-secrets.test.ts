import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../history/message.js';
import { freshFolder } from '../testing/folders.js';
import { anyHistory } from '../testing/histories.js';
import { session } from '../testing/sessions.js';
import { secretMask } from './mask-secrets.js';
import { loadSession, saveSession } from './session-file.js';

const random = 'hT7-q2Zz9_vLk4';

describe('secrets', () => {
  test('are masked in messages, arguments and results', async () => {
    const file = join(freshFolder(), 'a.json');
    const mask = secretMask(['key-with-"quotes"'], { MY_TOKEN: random, PATH: '/usr/bin:/bin' });
    const text = `key-with-"quotes" and ${random} in /usr/bin:/bin`;
    await saveSession(
      file,
      session({
        title: text,
        request: text,
        history: [
          { role: 'user', from: 'user', text, attachments: [{ path: 'notes.md', lines: [1, 2], text }] },
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', text, metadata: { anthropic: { signature: 's' } } },
              { type: 'text', text: 'Fine.', metadata: { openai: { itemId: 'i' } } },
              { type: 'tool-call', id: 'call_1', tool: 'run_shell_command', input: { command: text, more: [text] } },
            ],
          },
          { role: 'tool', results: [{ id: 'call_1', tool: 'run_shell_command', output: text, status: 'ok' }] },
        ],
      }),
      mask,
    );
    expect(readFileSync(file, 'utf8')).not.toContain(random);
    expect(readFileSync(file, 'utf8')).not.toContain('key-with');
    const { history, title, request } = await loadSession(file);
    const clean = '[secret] and [secret] in /usr/bin:/bin';
    expect([title, request]).toEqual([clean, clean]);
    expect(history).toMatchObject([
      { text: clean, attachments: [{ path: 'notes.md', lines: [1, 2], text: clean }] },
      {
        parts: [
          { type: 'reasoning', text: clean },
          { text: 'Fine.', metadata: { openai: { itemId: 'i' } } },
          { input: { command: clean, more: [clean] } },
        ],
      },
      { results: [{ output: clean }] },
    ]);
    expect(JSON.stringify(history)).not.toContain('signature');
  });

  test('are masked in remarks, displays and rounds that were removed from the context of the model', async () => {
    const file = join(freshFolder(), 'a.json');
    const remarks = [{ event: { type: 'error' as const, message: random } }];
    const display = { type: 'diff' as const, path: 'a', patch: `+${random}` };
    const rounds: readonly Message[] = [
      {
        role: 'assistant',
        parts: [{ type: 'tool-call', id: 'a', tool: 'ls', title: random, input: { path: random } }],
        remarks,
      },
      {
        role: 'tool',
        results: [{ id: 'a', tool: 'ls', output: random, status: 'refused', display, instead: random }],
        remarks,
      },
    ];
    const history: readonly Message[] = [
      { role: 'user', from: 'user', text: 'Go', remarks },
      ...rounds,
      { role: 'user', from: 'guard', text: 'Note', takenOut: { id: 'r', messages: rounds } },
    ];
    await saveSession(file, session({ history }), secretMask([random], {}));
    expect(readFileSync(file, 'utf8')).not.toContain(random);
    expect((await loadSession(file)).history).toEqual(
      JSON.parse(JSON.stringify(history).replaceAll(random, '[secret]')),
    );
  });

  test.each([
    { DB_PASSWORD: 'postgres' },
    { X_TOKEN: 'assistant' },
    { X_TOKEN: 'run_shell_command' },
    { X_TOKEN: 'call_1' },
    { AUTH_REGION: 'us-east-1' },
    { MY_KEY: 'localhost:5432' },
    { SSH_AUTH_SOCK: '/tmp/ssh-x9K2/agent.12' },
    { API_KEY_FILE: '/home/me/key-1.json' },
    { PRIVATE_KEY_PATH: './keys/a1B2c3D4' },
    { PASS: '12345678' },
  ])('are not values that occur by chance: %j', (environment) => {
    const [value] = Object.values(environment);
    expect(secretMask([], environment)(`it is ${value} here`)).toBe(`it is ${value} here`);
  });

  test.each([random, 'P@ssw0rd!', 'hunter2hunter2', 'ghp_abcdefghijklmnop', 'A9f3e2d1c0b7', 'postgres://u:pw@h/db'])(
    'are unusual values: %j',
    (value) => expect(secretMask([], { DB_PASSWORD: value })(`it is ${value} here`)).toBe('it is [secret] here'),
  );

  test('a key that is a word is not masked', () => {
    expect(secretMask(['placeholder'], {})('a placeholder')).toBe('a placeholder');
  });
});

test('with any environment, a session can be read again, and only texts are masked', async () => {
  const file = join(freshFolder(), 'a.json');
  const word = fc.oneof(
    fc.constantFrom('assistant', 'tool-call', 'run_shell_command', 'not-run', 'version', 'history', '"role":', '"},{"'),
    fc.string({ minLength: 8 }),
  );
  await fc.assert(
    fc.asyncProperty(anyHistory, word, word, async (history, key, value) => {
      await saveSession(file, session({ history }));
      const plain = await loadSession(file);
      await saveSession(file, session({ history }), secretMask([key], { MY_TOKEN: value }));
      const stored = await loadSession(file);
      const shape = ({ history: all }: typeof plain) =>
        all.map((message) =>
          message.role === 'assistant'
            ? message.parts.map((part) => (part.type === 'tool-call' ? [part.id, part.tool] : part.type))
            : message.role === 'tool'
              ? message.results.map(({ id, tool, status }) => [id, tool, status])
              : message.from,
        );
      expect(shape(stored)).toEqual(shape(plain));
    }),
    { numRuns: 60 },
  );
});

test('a long value of the environment is judged at once', () => {
  const value = `A${'0'.repeat(200_000)}\u0000`;
  expect(secretMask([], { MY_TOKEN: value })(`x ${value}`)).toBeTypeOf('string');
});
