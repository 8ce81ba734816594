import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recentHistory } from './recent-history.js';

const said = { role: 'user', parts: [{ text: 'Go on.' }] };
const call = { role: 'model', parts: [{ functionCall: { name: 'ls' } }] };
const result = { role: 'user', parts: [{ functionResponse: { name: 'ls' } }] };
const both = { role: 'model', parts: [{ text: 'Let me see.' }, { functionCall: { name: 'ls' } }] };
const entries = fc.constantFrom<unknown>(
  said,
  call,
  result,
  both,
  { role: 'model' },
  { role: 'user', parts: [] },
  null,
  7,
  'x',
);

describe('recentHistory', () => {
  test('is the last twenty entries', () => {
    const many = Array.from({ length: 30 }, (_, k) => ({ role: 'user', parts: [{ text: `${k}` }] }));
    expect(recentHistory(many)).toEqual(many.slice(10));
  });

  test('leaves out calls at the end and results at the beginning', () => {
    expect(recentHistory([result, result, said, call, result, both, call, call])).toEqual([said, call, result, both]);
    expect(recentHistory([said, result, call, said])).toEqual([said, result, call, said]);
  });

  test('takes an entry with no parts in its list for anything, and one without a list for nothing', () => {
    expect(recentHistory([{ role: 'user', parts: [] }, said, { role: 'model', parts: [] }])).toEqual([said]);
    expect(recentHistory([{ role: 'user' }, said, { role: 'model' }])).toHaveLength(3);
  });

  test('cuts at the ends only, never changes what it is given, and does not mind foreign entries', () => {
    fc.assert(
      fc.property(fc.array(entries, { maxLength: 40 }), (history) => {
        const before = [...history];
        const recent = recentHistory(history);
        expect(history).toEqual(before);
        const at = history.findIndex((_, k) => recent.every((entry, i) => history[k + i] === entry));
        expect(recent.length === 0 || at >= 0).toBe(true);
        expect(recent.length).toBeLessThanOrEqual(20);
        expect(recent.at(-1)).not.toBe(call);
        expect(recent[0]).not.toBe(result);
      }),
    );
  });
});
