import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyHistory } from '../testing/histories.js';
import type { Message } from './message.js';
import { modelMessages } from './model-messages.js';
import { repaired } from './repair.js';
import { restored, rewound, roundsIn, takenOutOf, triedIn } from './rewind.js';

const user = (text: string): Message => ({ role: 'user', from: 'user', text });
const round = (id: string, seq: number, path = 'a'): Message[] => [
  { role: 'assistant', seq, parts: [{ type: 'tool-call', id, tool: 'read_file', input: { path } }] },
  { role: 'tool', results: [{ id, tool: 'read_file', output: `one\n\n[Loop guard] told`, status: 'ok' }] },
];
const loop = [user('Go.'), ...round('a', 1), ...round('b', 4), ...round('c', 7)];
const rewinding = (from: number) => ({ id: 'rewind-9', from, note: 'It repeats.' });

/** Any history with places in what the guard has seen, as the client makes them. */
const placed = anyHistory.map((history) =>
  repaired(history).map((message, seq) => (message.role === 'assistant' ? { ...message, seq } : message)),
);

describe('a rewound history', () => {
  test('keeps the first of the repeated rounds, and replaces the others by a note', () => {
    const { history, takenOut, note } = rewound(loop, rewinding(5))!;
    expect(history.slice(0, -1)).toEqual(loop.slice(0, 3));
    expect(takenOut.messages).toEqual(loop.slice(3));
    expect(note).toBe('It repeats. What was tried, and what came of it:\n- read_file {"path":"a"}, 2 times: one');
    expect(history.at(-1)).toMatchObject({ role: 'user', from: 'guard', text: `[Loop guard] ${note}` });
    expect(roundsIn(takenOut.messages)).toBe(2);
  });

  test('names six different calls, and the number of the others', () => {
    const noteFor = (count: number) => {
      const rounds = Array.from({ length: count }, (_, k) => round(`c${k}`, k, `f${k}`)).flat();
      return rewound([user('Go.'), ...rounds], rewinding(0))!
        .note.split('\n')
        .slice(1);
    };
    expect(noteFor(6)).toEqual(Array.from({ length: 6 }, (_, k) => `- read_file {"path":"f${k}"}, once: one`));
    expect(noteFor(7)).toEqual([...noteFor(6), '- and 1 other call']);
    expect(noteFor(9).slice(6)).toEqual(['- and 3 other calls']);
  });

  test('never loses messages of the user, or anything of earlier requests', () => {
    const later = [...loop, user('Look at b.'), ...round('d', 20)];
    expect(rewound(later, rewinding(2))?.history.slice(0, -1)).toEqual(later.slice(0, 8));
    expect(rewound([...loop, user('Look at b.')], rewinding(2))).toBeUndefined();
  });

  test('begins like the one before, is valid for every provider, and the removed rounds can be put back', () => {
    fc.assert(
      fc.property(placed, fc.nat(40), (history, from) => {
        const changed = rewound(history, rewinding(from));
        if (changed === undefined) return;
        const kept = history.length - changed.takenOut.messages.length;
        expect(changed.history.slice(0, -1)).toEqual(history.slice(0, kept));
        expect(repaired(changed.history)).toEqual(changed.history);
        const words = (messages: readonly Message[]) =>
          messages.filter((message) => message.role === 'user' && message.from === 'user');
        expect(words(changed.history)).toEqual(words(history));
        const roles = modelMessages(changed.history).map(({ role }) => role);
        for (const [at, role] of roles.entries())
          if (role === 'tool' || (role === 'user' && at > 0)) expect(roles[at - 1]).toBe('assistant');
        expect(restored(changed.history, 'rewind-9')).toEqual(history);
        expect(takenOutOf(changed.history)).toEqual([changed.takenOut]);
      }),
    );
  });

  test('sends everything before the note unchanged, so that caches stay valid', () => {
    const { history } = rewound(loop, rewinding(5))!;
    const before = modelMessages(loop.slice(0, 3));
    expect(modelMessages(history).slice(0, before.length)).toEqual(before);
  });
});

test('what is no longer stored cannot be put back', () => {
  expect(restored(loop, 'rewind-9')).toBeUndefined();
});

test('the tried calls are listed with their outcomes, the most frequent first', () => {
  const messages = [...round('a', 1, 'x'), ...round('b', 2, 'y'), ...round('c', 3, 'y')];
  expect(triedIn(messages)).toEqual([
    { tool: 'read_file', input: '{"path":"y"}', times: 2, outcome: 'one' },
    { tool: 'read_file', input: '{"path":"x"}', times: 1, outcome: 'one' },
  ]);
});
