import { openPages } from './pages.js';
import { type Cell, rowsOf } from './table.js';

/** A row as its columns by name. */
export type Named = Readonly<Record<string, Cell>>;

/** A SQLite database, opened for reading only. */
export interface Database {
  /** Names of the tables that can be read. */
  readonly tables: readonly string[];
  /** The columns of a table; none when there is no such table. */
  columns(table: string): readonly string[];
  /**
   * The rows of a table in the order in which they were inserted; none when there is no such table. With `until` only
   * the columns up to that one, which is fast if the long columns come after it.
   */
  rows(table: string, until?: string): Iterable<Named>;
  close(): void;
}

interface Table {
  readonly root: number;
  readonly columns: readonly string[];
  /** The column that is an alias of the rowid. */
  readonly rowid: string | undefined;
}

/**
 * Opens the database in `file` and its write-ahead log. Only ordinary tables are read, page by page. It takes no locks,
 * so an agent that writes at the same time is not disturbed. Throws if it is not a SQLite database; what is broken in
 * it is reported to `onFault`.
 */
export function openDatabase(file: string, onFault: (message: string) => void): Database {
  const pages = openPages(file);
  const tables = new Map<string, Table>();
  for (const { cells } of rowsOf(pages, 1, onFault)) {
    const [type, name, , root, sql] = cells;
    if (type !== 'table' || typeof name !== 'string' || typeof root !== 'number' || typeof sql !== 'string') continue;
    const columns = columnsOf(sql);
    if (columns) tables.set(name, { root, ...columns });
  }
  return {
    tables: [...tables.keys()],
    columns: (name) => tables.get(name)?.columns ?? [],
    *rows(name, until) {
      const table = tables.get(name);
      if (!table) return;
      const last = until === undefined ? -1 : table.columns.indexOf(until);
      const columns = last < 0 ? table.columns : table.columns.slice(0, last + 1);
      for (const { rowid, cells } of rowsOf(pages, table.root, onFault, columns.length)) {
        const row: Record<string, Cell> = {};
        columns.forEach((column, k) => {
          row[column] = cells[k] ?? null;
        });
        if (table.rowid !== undefined && columns.includes(table.rowid)) row[table.rowid] = rowid;
        yield row;
      }
    },
    close: () => pages.close(),
  };
}

const constraint = /^(constraint|primary|unique|check|foreign)\b/i;

/** The columns in a CREATE TABLE statement; undefined for tables of other kinds. */
function columnsOf(sql: string): { columns: string[]; rowid: string | undefined } | undefined {
  const open = sql.indexOf('(');
  const close = sql.lastIndexOf(')');
  if (open < 0 || close < open || /\bwithout\s+rowid\b/i.test(sql.slice(close))) return undefined;
  const columns: string[] = [];
  let rowid: string | undefined;
  for (const part of splitAtCommas(sql.slice(open + 1, close))) {
    const text = part.trim();
    const name = /^(?:"((?:[^"]|"")*)"|`([^`]*)`|\[([^\]]*)\]|'([^']*)'|([^\s(]+))/.exec(text);
    if (!name || (name[5] !== undefined && constraint.test(text))) continue;
    const column = name[1]?.replaceAll('""', '"') ?? name[2] ?? name[3] ?? name[4] ?? name[5]!;
    if (/^\s*integer\s+primary\s+key\b(?!\s+desc\b)/i.test(text.slice(name[0].length))) rowid = column;
    columns.push(column);
  }
  return { columns, rowid };
}

/** Splits at commas outside of brackets and quotes. */
function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quoted = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (quoted !== '') {
      if (char === quoted) quoted = '';
    } else if (char === '"' || char === "'" || char === '`') quoted = char;
    else if (char === '[') quoted = ']';
    else if (char === '(') depth++;
    else if (char === ')') depth--;
    else if (char === ',' && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}
