import type { Glyphs } from '../glyphs.js';
import { coloured, type Line, lineText, lineWidth, type Span, span } from './span.js';
import { wrapSpans } from './wrap-spans.js';

export type Alignment = 'left' | 'right' | 'center' | null;

export interface Table {
  readonly header: readonly (readonly Span[])[];
  readonly rows: readonly (readonly (readonly Span[])[])[];
  readonly align: readonly Alignment[];
}

/** Narrower than this a column is hard to read, and the rows are written one by one. */
const narrowest = 8;

/** A table that fits into the columns: cells wrap, and where that would be too narrow each row becomes a small list. */
export function tableLines(table: Table, columns: number, glyphs: Glyphs): Line[] {
  const widths = fitted(naturalWidths(table), columns - 3 * (table.header.length - 1));
  if (widths === undefined) return records(table, columns, glyphs);
  const rule = widths.map((width) => glyphs.rule.repeat(width)).join(`${glyphs.rule}${cross(glyphs)}${glyphs.rule}`);
  return [
    ...rowLines(
      table.header.map((cell) => coloured(cell, 'bold')),
      widths,
      table.align,
      glyphs,
    ),
    [span(rule, 'dim')],
    ...table.rows.flatMap((row) => rowLines(row, widths, table.align, glyphs)),
  ];
}

function cross({ column }: Glyphs): string {
  return column === '|' ? '+' : '┼';
}

function naturalWidths({ header, rows }: Table): number[] {
  return header.map((cell, k) => Math.max(1, ...[cell, ...rows.map((row) => row[k] ?? [])].map(lineWidth)));
}

/** Reduces the widest columns until all fit; `undefined` if they would become too narrow. */
function fitted(natural: readonly number[], room: number): number[] | undefined {
  const widths = [...natural];
  let total = widths.reduce((sum, width) => sum + width, 0);
  while (total > room) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest]! <= narrowest) return undefined;
    widths[widest]!--;
    total--;
  }
  return widths;
}

function rowLines(
  row: readonly (readonly Span[])[],
  widths: readonly number[],
  align: readonly Alignment[],
  glyphs: Glyphs,
): Line[] {
  const cells = widths.map((width, k) => wrapSpans(row[k] ?? [], width));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, nth) =>
    cells.flatMap((lines, k) => {
      const padded = aligned(lines[nth] ?? [], widths[k]!, align[k] ?? null);
      return k === 0 ? padded : [span(` ${glyphs.column} `, 'dim'), ...padded];
    }),
  );
}

function aligned(line: Line, width: number, align: Alignment): Line {
  const blanks = Math.max(0, width - lineWidth(line));
  const left = align === 'right' ? blanks : align === 'center' ? blanks >> 1 : 0;
  return [span(' '.repeat(left)), ...line, span(' '.repeat(blanks - left))].filter(({ text }) => text !== '');
}

function records({ header, rows }: Table, columns: number, glyphs: Glyphs): Line[] {
  return rows.flatMap((row) =>
    header.flatMap((name, k) =>
      wrapSpans([...coloured(name, 'bold'), span(': '), ...(row[k] ?? [])], columns, {
        first: [span(k === 0 ? `${glyphs.bullet} ` : '  ')],
        rest: [span('    ')],
      }).filter((line) => lineText(line).trim() !== ''),
    ),
  );
}
