import fc from 'fast-check';
import type { Json } from 'loopfuse';
import { describe, expect, it } from 'vitest';
import { isMasked, parsed, timeOf } from './json.js';

describe('timeOf', () => {
  const at = Date.UTC(2026, 2, 1, 10);

  it.each([
    ['an ISO date', '2026-03-01T10:00:00.000Z'],
    ['seconds', at / 1000],
    ['milliseconds', at],
    ['microseconds', at * 1e3],
    ['nanoseconds', at * 1e6],
    ['nanoseconds in digits', `${at}000000`],
    ['milliseconds in digits', String(at)],
  ])('reads %s', (_, value) => {
    expect(timeOf(value)).toBe(at);
  });

  it('is finite or nothing, whatever it is given', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const time = timeOf(value as Json);
        expect(time === undefined || Number.isFinite(time)).toBe(true);
      }),
    );
  });
});

describe('parsed', () => {
  it('reads arguments that are JSON, and leaves the rest as text', () => {
    expect(parsed('{"a":[1]}')).toEqual({ a: [1] });
    expect(parsed('{"a":')).toBe('{"a":');
    expect(parsed('const x = 1;')).toBe('const x = 1;');
    expect(parsed(undefined)).toEqual({});
    expect(parsed({ a: 1 })).toEqual({ a: 1 });
  });

  it('leaves a text as it is that nests so deeply that parsing it takes a hundred times its size in memory', () => {
    const deep = `${'['.repeat(150_000)}${']'.repeat(150_000)}`;
    expect(parsed(deep)).toBe(deep);
  });
});

describe('times as most logs write them', () => {
  it('are those that Date.parse reads', () => {
    const date = fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(date, (one) => {
        expect(timeOf(one.toISOString())).toBe(one.getTime());
      }),
    );
  });

  it('and what only looks like them is read by Date.parse', () => {
    const spoilt = fc
      .tuple(fc.nat(23), fc.constantFrom(...'0123456789 :.-TZx'))
      .map(([at, sign]) => '2026-03-01T10:00:00.000Z'.split('').with(at, sign).join(''));
    fc.assert(
      fc.property(spoilt, (text) => {
        const time = Date.parse(text);
        expect(timeOf(text)).toBe(Number.isNaN(time) ? undefined : time);
      }),
    );
  });
});

describe('isMasked', () => {
  it.each(['[REDACTED]', '__REDACTED__', '<hidden>', '***', '"[Filtered]"', 'REDACTED'])('is a mask: %s', (text) => {
    expect(isMasked(text)).toBe(true);
  });

  it.each(['', 'ok', '12', '**', 'the redacted report of May', '{"path":"hidden"}', 'hidden_files.ts'])(
    'is none: %s',
    (text) => {
      expect(isMasked(text)).toBe(false);
    },
  );
});
