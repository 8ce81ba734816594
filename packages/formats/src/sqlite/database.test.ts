import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { fixture } from '../testing/fixtures.js';
import { openDatabase } from './index.js';

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true }));

function rowsIn(file: string, table: string) {
  const faults: string[] = [];
  const database = openDatabase(file, (message) => faults.push(message));
  const rows = [...database.rows(table)];
  database.close();
  return { rows, faults, tables: database.tables };
}

describe('a database', () => {
  const words = fixture(import.meta.url, 'words.db');

  it('is read through a B-tree of several levels, with payloads that overflow', () => {
    const { rows, faults, tables } = rowsIn(words, 'word');
    expect(faults).toEqual([]);
    expect(tables).toEqual(['word']); // the other one has no rowids
    expect(rows.length).toBe(400);
    expect(rows[0]).toEqual({ n: 3, text: 'w1 ', size: 0.5, raw: null, 'odd, name': null });
    expect(rows.find(({ n }) => n === 150)?.text).toBe('w50 '.repeat(300));
    expect(rows.find(({ n }) => n === 21)?.raw).toEqual(Buffer.from([7]));
    expect(rows.map(({ n }) => n)).toEqual(rows.map(({ n }) => n).toSorted((a, b) => Number(a) - Number(b)));
  });

  it('is read with what its write-ahead log has committed, and not with what it has not', () => {
    const { rows } = rowsIn(words, 'word');
    expect(rows.find(({ n }) => n === 30)?.text).toBe('changed');
    expect(rows.find(({ n }) => n === 33)).toBeUndefined();
    expect(rows.at(-1)).toMatchObject({ n: 99999999999, text: 'late é 漢', size: -1.5, 'odd, name': 'x' });
    expect(rows.find(({ n }) => n === 7)).toBeUndefined();
  });

  it('is read without the log when there is none', () => {
    const alone = join(folder, 'alone.db');
    writeFileSync(alone, readFileSync(words));
    const { rows } = rowsIn(alone, 'word');
    expect(rows.find(({ n }) => n === 33)?.text).toBe('w11 ');
  });

  it('leaves no file open where the log cannot be read', () => {
    const broken = join(folder, 'broken.db');
    writeFileSync(broken, readFileSync(words));
    mkdirSync(`${broken}-wal`);
    const nextTwo = () => {
      const descriptors = [openSync(words, 'r'), openSync(words, 'r')];
      for (const descriptor of descriptors) closeSync(descriptor);
      return descriptors;
    };
    const before = nextTwo();
    expect(() => rowsIn(broken, 'word')).toThrow('EISDIR');
    expect(nextTwo()).toEqual(before);
  });

  it('may be in UTF-16', () => {
    expect(rowsIn(fixture(import.meta.url, 'utf16.db'), 't').rows).toEqual([
      { a: 'naïve 漢', b: -70000 },
      { a: 'x', b: 9007199254740992 },
    ]);
  });

  it('gives the first columns alone as it gives them among all', () => {
    const database = openDatabase(words, (message) => expect.unreachable(message));
    const all = [...database.rows('word')];
    const columns = database.columns('word');
    expect(columns).toEqual(['n', 'text', 'size', 'raw', 'odd, name']);
    for (const [k, until] of columns.entries()) {
      const first = columns.slice(0, k + 1);
      const wanted = all.map((row) => Object.fromEntries(first.map((column) => [column, row[column]])));
      expect([...database.rows('word', until)]).toEqual(wanted);
    }
    expect(database.columns('missing')).toEqual([]);
    database.close();
  });

  it('has no rows in a table that it does not have', () => {
    expect(rowsIn(words, 'missing').rows).toEqual([]);
  });

  it('survives any damage', () => {
    const bytes = readFileSync(words);
    const path = join(folder, 'damaged.db');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 30 }),
        fc.nat(bytes.length),
        (changes, cut) => {
          const damaged = Buffer.from(bytes.subarray(0, Math.max(cut, 100)));
          for (const [at, byte] of changes) if (at < damaged.length && at >= 18) damaged[at] = byte;
          writeFileSync(path, damaged);
          try {
            rowsIn(path, 'word');
          } catch (cause) {
            expect(cause).toBeInstanceOf(Error); // only opening may throw
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
