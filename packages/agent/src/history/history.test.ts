import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyHistory } from '../testing/histories.js';
import {
  charactersPerToken,
  estimatedTokens,
  splitHistory,
  transcript,
  withShortResults,
  withSummary,
} from './compress.js';
import { callsOf, type Message, sizeOf } from './message.js';
import { modelMessages, wellFormed } from './model-messages.js';
import { repaired } from './repair.js';
import { withNote } from './with-note.js';

const user = (text: string): Message => ({ role: 'user', from: 'user', text });
const calls = (...ids: string[]): Message => ({
  role: 'assistant',
  parts: ids.map((id) => ({ type: 'tool-call', id, tool: 'ls', input: {} })),
});
const partsOf = (message: Message) => (message.role === 'assistant' ? message.parts : []);
const results = (...ids: string[]): Message => ({
  role: 'tool',
  results: ids.map((id) => ({ id, tool: 'ls', output: `result of ${id}`, status: 'ok' })),
});
const says = (text: string): Message => ({ role: 'assistant', parts: [{ type: 'text', text }] });

describe('a repaired history', () => {
  test('has one result for each call, right after it and in order, and no others', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const whole = repaired(history);
        const used = new Set<string>();
        for (const [index, message] of whole.entries()) {
          const made = callsOf(message);
          for (const { id } of made) {
            expect(used.has(id)).toBe(false);
            used.add(id);
          }
          const next = whole[index + 1];
          if (made.length > 0)
            expect(next?.role === 'tool' && next.results.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
          if (message.role === 'tool') expect(callsOf(whole[index - 1]).length).toBe(message.results.length);
        }
      }),
    );
  });

  test('needs no second repair', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        expect(repaired(repaired(history))).toEqual(repaired(history));
      }),
    );
  });

  test('that was valid is unchanged', () => {
    const right = [user('go'), calls('a', 'b'), results('a', 'b'), says('done'), user('more')];
    expect(repaired(right)).toEqual(right);
  });

  test('has no blank words beside a call, which Anthropic refuses', () => {
    const blank: Message = { role: 'assistant', parts: [{ type: 'text', text: '\n\n' }, ...partsOf(calls('a'))] };
    expect(repaired([user('go'), blank, results('a')])).toEqual([user('go'), calls('a'), results('a')]);
  });

  test('a call without a result gets one that says that it was not run', () => {
    const [, , last] = repaired([user('go'), calls('a', 'b'), results('b')]);
    expect(last).toMatchObject({
      role: 'tool',
      results: [
        { id: 'a', status: 'not-run', output: expect.stringMatching(/not executed/) },
        { id: 'b', status: 'ok' },
      ],
    });
  });
});

describe('what models are sent', () => {
  test('speakers take turns, and the user begins', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const messages = modelMessages(history);
        expect(messages[0]?.role ?? 'user').toBe('user');
        for (const [index, { role }] of messages.entries()) {
          const before = messages[index - 1]?.role;
          if (role === 'user') expect(before === undefined || before === 'assistant').toBe(true);
          if (role === 'assistant') expect(before === 'user' || before === 'tool').toBe(true);
          if (role === 'tool') expect(before).toBe('assistant');
        }
      }),
    );
  });

  test('adding at the end changes nothing before the last message, so that caches stay valid', () => {
    const history = [user('go'), calls('a'), results('a')];
    const before = modelMessages(history);
    expect(modelMessages([...history, says('done'), user('more')]).slice(0, before.length)).toEqual(before);
  });

  test('the last message is never the assistant’s', () => {
    expect(modelMessages([user('go'), says('It is')]).at(-1)).toEqual({ role: 'user', content: 'Please go on.' });
  });

  test('texts are well-formed', () => {
    expect(wellFormed('a\ud800b\udc00c\ud83d\ude00')).toBe('a\ufffdb\ufffdc\ud83d\ude00');
  });
});

describe('a note to the model', () => {
  test('after results is part of the last of them; no message is added', () => {
    const history = [user('go'), calls('a', 'b'), results('a', 'b')];
    const noted = withNote(history, 'you repeat yourself');
    expect(noted.length).toBe(history.length);
    expect(noted.slice(0, 2)).toEqual(history.slice(0, 2));
    expect(noted[2]).toMatchObject({
      results: [{ output: 'result of a' }, { output: 'result of b\n\n[Loop guard] you repeat yourself' }],
    });
  });

  test('elsewhere is a message of its own', () => {
    expect(withNote([user('go'), says('hm')], 'stop it').at(-1)).toEqual({
      role: 'user',
      from: 'guard',
      text: '[Loop guard] stop it',
    });
  });

  test('does not change the given history', () => {
    const history = [user('go'), calls('a'), results('a')];
    const copy = structuredClone(history);
    withNote(history, 'note');
    expect(history).toEqual(copy);
  });
});

describe('compression', () => {
  test('a split loses nothing, and never separates calls from results', () => {
    fc.assert(
      fc.property(anyHistory, fc.nat(2000), (any, characters) => {
        const history = repaired(any);
        const split = splitHistory(history, characters);
        if (split === undefined) return;
        expect([...split.head, ...split.tail]).toEqual(history);
        expect(split.head.length).toBeGreaterThan(0);
        expect(split.tail[0]?.role).not.toBe('tool');
        expect(repaired(split.tail)).toEqual(split.tail);
        const kept = split.tail.reduce((sum, message) => sum + sizeOf(message), 0);
        expect(kept).toBeLessThanOrEqual(characters);
      }),
    );
  });

  test('a history that is a summary already is not summarised again', () => {
    expect(splitHistory(withSummary('notes', 'request', []), 1)).toBeUndefined();
    expect(splitHistory([], 1)).toBeUndefined();
  });

  test('a summary with more after it is, and so is a single request', () => {
    const [summary] = withSummary('notes', 'request', []);
    const later = [summary!, says('more'), says('end')];
    expect(splitHistory(later, sizeOf(says('end')))).toEqual({ head: later.slice(0, 2), tail: later.slice(2) });
    expect(splitHistory([user('go'), says('end')], sizeOf(says('end')))?.head).toEqual([user('go')]);
    const reply = says('An answer at the beginning.');
    expect(splitHistory([reply, says('end')], sizeOf(says('end')))?.head).toEqual([reply]);
  });

  test('four characters count as a token, rounded up', () => {
    expect(estimatedTokens([user('x'.repeat(400))])).toBe(100);
    expect(estimatedTokens([user('x'.repeat(200)), user('x'.repeat(201))])).toBe(101);
  });

  test('a transcript is bounded for any content', () => {
    fc.assert(
      fc.property(anyHistory, fc.integer({ min: 1000, max: 5000 }), (history, characters) => {
        expect(transcript(history, characters).length).toBeLessThan(characters + 100);
      }),
    );
    expect(transcript([user('go'), calls('a'), results('a')], 1000)).toBe(
      '## User\ngo\n\n## Agent calls ls\n{}\n\n## Result of ls (ok)\nresult of a',
    );
  });

  test('the summary contains the exact request', () => {
    const [first, ...rest] = withSummary('what was done', 'fix *this*', [says('tail')]);
    expect(first).toMatchObject({ role: 'user', from: 'summary', text: expect.stringContaining('fix *this*') });
    expect(rest).toEqual([says('tail')]);
  });

  test('results can be cut shorter', () => {
    const long: Message = {
      role: 'tool',
      results: [{ id: 'a', tool: 'ls', output: 'x'.repeat(10_000), status: 'ok' }],
    };
    expect(estimatedTokens(withShortResults([long], 1000))).toBeLessThan(1200 / charactersPerToken);
  });
});
