import { messageOf } from 'loopfuse/words';
import type { Pages } from './pages.js';

export type Cell = null | number | string | Buffer;

/** A row of a table: its rowid and its columns in the order of the table's definition. */
export interface Row {
  readonly rowid: number;
  readonly cells: readonly Cell[];
}

const leaf = 13;
const interior = 5;
/** A B-tree of this depth would have more pages than a file can have. */
const maxDepth = 40;

/**
 * The rows of the table whose B-tree begins at page `root`, in the order of their rowids, with their first `width`
 * columns; later columns are not read. A page that cannot be read is reported to `onFault` and skipped with everything
 * below it.
 */
export function* rowsOf(
  pages: Pages,
  root: number,
  onFault: (message: string) => void,
  width = Number.POSITIVE_INFINITY,
): Generator<Row> {
  const seen = new Set<number>();
  yield* walk(root, 0);

  function* walk(number: number, depth: number): Generator<Row> {
    let page: Buffer;
    try {
      if (depth > maxDepth || seen.has(number)) throw new RangeError(`page ${number} is part of a cycle`);
      seen.add(number);
      page = pages.page(number);
    } catch (cause) {
      onFault(messageOf(cause));
      return;
    }
    const start = number === 1 ? 100 : 0;
    const kind = page[start];
    if (kind !== leaf && kind !== interior) {
      onFault(`page ${number} is not a table page`);
      return;
    }
    const count = page.readUInt16BE(start + 3);
    const pointers = start + (kind === leaf ? 8 : 12);
    for (let k = 0; k < count; k++) {
      if (pointers + 2 * k + 2 > page.length) break;
      const at = page.readUInt16BE(pointers + 2 * k);
      if (kind === interior) {
        if (at + 4 <= page.length) yield* walk(page.readUInt32BE(at), depth + 1);
        continue;
      }
      let row: Row;
      try {
        row = rowAt(pages, page, at, width);
      } catch (cause) {
        onFault(`row ${k} of page ${number}: ${messageOf(cause)}`);
        continue;
      }
      yield row;
    }
    if (kind === interior) yield* walk(page.readUInt32BE(start + 8), depth + 1);
  }
}

/** A cell of a leaf: size of the payload, rowid, the part of the payload that fits, and the page with the rest. */
function rowAt(pages: Pages, page: Buffer, at: number, width: number): Row {
  const [size, afterSize] = varint(page, at);
  const [rowid, from] = varint(page, afterSize);
  const { usable } = pages;
  const most = usable - 35;
  let here = size;
  if (size > most) {
    const least = Math.floor(((usable - 12) * 32) / 255) - 23;
    here = least + ((size - least) % (usable - 4));
    if (here > most) here = least;
  }
  if (size > 0x40000000) throw new RangeError(`a payload of ${size} bytes is too large`);
  const begun = page.subarray(from, from + here);
  const needed = here === size ? size : endOf(begun, width);
  if (needed <= here) return { rowid, cells: cellsOf(begun, pages.encoding, width) };
  const payload = Buffer.allocUnsafe(size);
  page.copy(payload, 0, from, from + here);
  let next = page.readUInt32BE(from + here);
  for (let done = here; done < size; ) {
    const overflow = pages.page(next);
    next = overflow.readUInt32BE(0);
    const part = Math.min(size - done, usable - 4);
    overflow.copy(payload, done, 4, 4 + part);
    done += part;
  }
  return { rowid, cells: cellsOf(payload, pages.encoding, width) };
}

/** Where the first `width` columns of a record end; infinity if its beginning does not contain the whole header. */
function endOf(begun: Buffer, width: number): number {
  const [headerSize, first] = varint(begun, 0);
  if (width === Number.POSITIVE_INFINITY || headerSize > begun.length) return Number.POSITIVE_INFINITY;
  let end = headerSize;
  let head = first;
  for (let k = 0; k < width && head < headerSize; k++) {
    const [type, after] = varint(begun, head);
    head = after;
    end += sizeOf(type);
  }
  return end;
}

/** A record: the size of its header, the type of each column, then the columns. */
function cellsOf(payload: Buffer, encoding: Pages['encoding'], width: number): Cell[] {
  const [headerSize, first] = varint(payload, 0);
  const cells: Cell[] = [];
  let at = headerSize;
  for (let head = first; head < headerSize && cells.length < width; ) {
    const [type, after] = varint(payload, head);
    head = after;
    const size = sizeOf(type);
    if (at + size > payload.length) throw new RangeError('a column ends after its row');
    cells.push(cellOf(type, payload, at, size, encoding));
    at += size;
  }
  return cells;
}

function sizeOf(type: number): number {
  if (type >= 12) return (type - (type % 2 === 0 ? 12 : 13)) / 2;
  return [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0][type] ?? 0;
}

function cellOf(type: number, payload: Buffer, at: number, size: number, encoding: Pages['encoding']): Cell {
  if (type === 0) return null;
  if (type === 8 || type === 9) return type - 8;
  if (type === 7) return payload.readDoubleBE(at);
  if (type === 6) return Number(payload.readBigInt64BE(at));
  if (type < 7) return payload.readIntBE(at, size);
  const bytes = payload.subarray(at, at + size);
  if (type % 2 === 0) return bytes;
  if (encoding === 'utf8') return bytes.toString('utf8');
  return encoding === 'utf16le' ? bytes.toString('utf16le') : Buffer.from(bytes).swap16().toString('utf16le');
}

/** SQLite's integers of one to nine bytes. Those beyond 2^53 lose their last bits; logs have none. */
function varint(bytes: Buffer, at: number): [value: number, after: number] {
  let value = 0;
  for (let k = 0; k < 8; k++) {
    const byte = bytes[at + k];
    if (byte === undefined) throw new RangeError('a number ends after its page');
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, at + k + 1];
  }
  const last = bytes[at + 8];
  if (last === undefined) throw new RangeError('a number ends after its page');
  return [value * 256 + last, at + 9];
}
