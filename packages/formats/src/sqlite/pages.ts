import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { packingOf } from '../records/unpacking.js';

/** The current pages of a SQLite database: those of the write-ahead log, else those of the file. */
export interface Pages {
  readonly size: number;
  /** Bytes of a page that tables can use. */
  readonly usable: number;
  readonly count: number;
  readonly encoding: 'utf8' | 'utf16le' | 'utf16be';
  /** Page `number`, counted from 1; the bytes must not be changed. Throws if it does not exist. */
  page(number: number): Buffer;
  close(): void;
}

const magic = 'SQLite format 3\0';
const maxCached = 256;

/** Opens a database for reading: takes no lock and writes nothing. Throws if it is not a database. */
export function openPages(file: string): Pages {
  const main = openSync(file, 'r');
  let log: WriteAheadLog | undefined;
  try {
    const header = readBytes(main, 0, 100);
    if (header.toString('latin1', 0, 16) !== magic)
      throw new TypeError(
        packingOf(header) === undefined
          ? 'it is not a SQLite database'
          : 'it is a packed database, which is not supported. Unpack it first',
      );
    const stored = header.readUInt16BE(16);
    const size = stored === 1 ? 65536 : stored;
    if (size < 512 || (size & (size - 1)) !== 0) throw new TypeError(`the page size ${size} is not one of SQLite's`);
    log = openLog(`${file}-wal`, size);
    const count = log?.pages ?? Math.ceil(fstatSync(main).size / size);
    const usable = size - (header[20] ?? 0);
    const encoding = (['utf8', 'utf8', 'utf16le', 'utf16be'] as const)[header.readUInt32BE(56)] ?? 'utf8';
    const cache = new Map<number, Buffer>();

    function page(number: number): Buffer {
      const known = cache.get(number);
      if (known) return known;
      if (!Number.isInteger(number) || number < 1 || number > count)
        throw new RangeError(`page ${number} of ${count} does not exist`);
      const bytes = log?.page(number) ?? readBytes(main, (number - 1) * size, size);
      if (cache.size >= maxCached) cache.delete(cache.keys().next().value!);
      cache.set(number, bytes);
      return bytes;
    }

    function close(): void {
      closeSync(main);
      log?.close();
    }

    return { size, usable, count, encoding, page, close };
  } catch (cause) {
    closeSync(main);
    log?.close();
    throw cause;
  }
}

interface WriteAheadLog {
  /** Size of the database in pages after the last commit. */
  readonly pages: number;
  page(number: number): Buffer | undefined;
  close(): void;
}

/**
 * The log is a header of 32 bytes, then frames of a header of 24 bytes and a page. A frame is valid if it has the
 * salt of the log and it or a later frame commits (then its second word is the size of the database, not 0).
 */
function openLog(file: string, size: number): WriteAheadLog | undefined {
  if (!existsSync(file)) return undefined;
  const descriptor = openSync(file, 'r');
  try {
    const { at, pages } = committedIn(descriptor, size);
    if (pages > 0)
      return {
        pages,
        page(number) {
          const where = at.get(number);
          return where === undefined ? undefined : readBytes(descriptor, where, size);
        },
        close: () => closeSync(descriptor),
      };
  } catch (cause) {
    closeSync(descriptor);
    throw cause;
  }
  closeSync(descriptor);
  return undefined;
}

/** The places of committed pages in the log, and the size of the database after the last commit; 0 without a commit. */
function committedIn(descriptor: number, size: number): { at: ReadonlyMap<number, number>; pages: number } {
  const length = fstatSync(descriptor).size;
  const at = new Map<number, number>();
  let pages = 0;
  if (length < 32) return { at, pages };
  const header = readBytes(descriptor, 0, 32);
  const salt = header.subarray(16, 24);
  const open = new Map<number, number>();
  const known = (header.readUInt32BE(0) & 0xfffffffe) === 0x377f0682 && header.readUInt32BE(8) === size;
  for (let offset = 32; known && offset + 24 + size <= length; offset += 24 + size) {
    const frame = readBytes(descriptor, offset, 24);
    if (!frame.subarray(8, 16).equals(salt)) break;
    open.set(frame.readUInt32BE(0), offset + 24);
    const committed = frame.readUInt32BE(4);
    if (committed === 0) continue;
    pages = committed;
    for (const [number, where] of open) at.set(number, where);
    open.clear();
  }
  return { at, pages };
}

function readBytes(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const count = readSync(descriptor, bytes, done, length - done, position + done);
    if (count === 0) throw new RangeError(`the file ends before byte ${position + length}`);
    done += count;
  }
  return bytes;
}
