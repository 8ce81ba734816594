import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCsv } from './csv.js';

function rowsOf(text: string): { rows: object[]; faults: string[] } {
  const rows: object[] = [];
  const faults: string[] = [];
  const csv = createCsv({ onRow: (row) => void rows.push(row), onFault: (fault) => void faults.push(fault) });
  for (const line of text.split('\n')) csv.line(line);
  csv.end();
  return { rows, faults };
}

test('cells come back as they were written, whatever is in them', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ', '{', 'ü'), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell), { maxLength: 6 }), (rows) => {
      const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
      const text = ['a,b,c', ...rows.map((row) => row.map(quoted).join(','))].join('\n');
      expect(rowsOf(text)).toEqual({ rows: rows.map(([a, b, c]) => ({ a, b, c })), faults: [] });
    }),
  );
});

test('empty cells are left out, short rows are rows, and a mark that is never closed is reported', () => {
  expect(rowsOf('\uFEFFa,b,c\n1,,3\n4\n\n"5","x')).toEqual({
    rows: [{ a: '1', c: '3' }, { a: '4' }],
    faults: ['the file ends inside a row; everything before it was read'],
  });
});
