import type { Json } from 'loopfuse';

export interface CsvOptions {
  /** A row: its cells by the names of their columns, without empty cells. */
  readonly onRow: (row: { readonly [column: string]: Json }) => void;
  readonly onFault: (message: string) => void;
}

/** Reads comma-separated values (RFC 4180) line by line; a quoted cell may span many lines. */
export interface Csv {
  line(text: string): void;
  end(): void;
}

/** Characters. A longer row is skipped: a quotation mark in it was probably never closed. */
const longestRow = 16 * 1024 * 1024;
const mostColumns = 1000;

export function createCsv({ onRow, onFault }: CsvOptions): Csv {
  let columns: readonly string[] | undefined;
  let cells: string[] = [];
  /** The parts of an open quoted cell; undefined outside of one. */
  let quoted: string[] | undefined;
  let held = 0;

  function finishRow(): void {
    const row = cells;
    cells = [];
    held = 0;
    if (row.length === 1 && row[0] === '') return;
    if (columns === undefined) {
      columns = row.slice(0, mostColumns).map((name) => name.trim());
      return;
    }
    const found: { [column: string]: Json } = {};
    for (const [k, name] of columns.entries()) {
      const cell = row[k];
      if (cell !== undefined && cell !== '' && cell !== 'null') found[name] = cell;
    }
    onRow(found);
  }

  /** Continues a quoted cell from `at`. Returns where it ends, or -1 if the line ends first. */
  function quote(text: string, at: number): number {
    for (;;) {
      const end = text.indexOf('"', at);
      if (end < 0) {
        quoted!.push(text.slice(at), '\n');
        return -1;
      }
      quoted!.push(text.slice(at, end));
      if (text.charCodeAt(end + 1) !== 34) {
        if (cells.length < mostColumns) cells.push(quoted!.join(''));
        quoted = undefined;
        return end + 1;
      }
      quoted!.push('"');
      at = end + 2;
    }
  }

  return {
    line(text) {
      held += text.length;
      if (held > longestRow) {
        onFault(`a row has more than ${longestRow} characters; it was skipped`);
        cells = [];
        quoted = undefined;
        held = 0;
        return;
      }
      let at = columns === undefined && text.charCodeAt(0) === 0xfeff ? 1 : 0;
      if (quoted !== undefined) {
        at = quote(text, at);
        if (at < 0) return;
        if (at >= text.length) return finishRow();
        at++; // the comma
      }
      for (;;) {
        if (text.charCodeAt(at) === 34) {
          quoted = [];
          at = quote(text, at + 1);
          if (at < 0) return;
          if (at >= text.length) break;
          at++;
          continue;
        }
        const end = text.indexOf(',', at);
        if (cells.length < mostColumns) cells.push(text.slice(at, end < 0 ? undefined : end));
        if (end < 0) break;
        at = end + 1;
      }
      finishRow();
    },
    end() {
      if (quoted !== undefined) onFault('the file ends inside a row; everything before it was read');
    },
  };
}
