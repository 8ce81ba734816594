import fc from 'fast-check';
import type { Json } from 'loopfuse';
import { describe, expect, it } from 'vitest';
import { createDocument } from './document.js';

function read(pieces: readonly Buffer[], longest = 1e6) {
  const records: [string, Json][] = [];
  const keys: string[] = [];
  const long: string[] = [];
  const broken: string[] = [];
  const stops: string[] = [];
  const document = createDocument({
    longest,
    onRecord: (value, key) => records.push([key, value]),
    onKey: (key) => keys.push(key),
    onLong: (key) => long.push(key),
    onBroken: (key) => broken.push(key),
    onStop: (_, reason) => stops.push(reason),
  });
  for (const piece of pieces) document.push(piece);
  return { end: document.end(), records, keys, long, broken, stops };
}

/** The records of a document that was parsed as a whole. */
function plainRecords(value: Json): [string, Json][] {
  if (Array.isArray(value)) return value.map((each): [string, Json] => ['', each]);
  return Object.entries(value as object).flatMap(([key, member]: [string, Json]) =>
    Array.isArray(member) ? member.map((each): [string, Json] => [key, each]) : [[key, member] as [string, Json]],
  );
}

const topLevel = fc.oneof(
  fc.array(fc.jsonValue()),
  fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()))),
) as fc.Arbitrary<Json>;

describe('a document', () => {
  it('gives the records that a parse of the whole gives, however it is cut and spaced', () => {
    fc.assert(
      fc.property(
        topLevel,
        fc.constantFrom(0, 1, '\t'),
        fc.array(fc.nat(), { maxLength: 20 }),
        (value, space, cuts) => {
          const text = JSON.stringify(value, null, space);
          const bytes = Buffer.from(text);
          const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
          const pieces = at.slice(1).map((to, k) => Buffer.from(bytes.subarray(at[k]!, to)));
          const whole = JSON.parse(text) as Json;
          for (const read_ of [read(pieces), read([bytes])]) {
            expect(read_.records).toEqual(plainRecords(whole));
            expect(read_).toMatchObject({ end: 'whole', stops: [], broken: [], long: [] });
          }
        },
      ),
    );
  });

  it('may begin with a byte order mark, which may be cut too', () => {
    const bytes = Buffer.from('\ufeff[1]');
    for (const pieces of [[bytes], Array.from(bytes, (byte) => Buffer.from([byte]))])
      expect(read(pieces)).toMatchObject({ end: 'whole', stops: [], records: [['', 1]] });
  });

  it('that is cut gives the records before the cut', () => {
    fc.assert(
      fc.property(topLevel, fc.nat(), (value, cut) => {
        const bytes = Buffer.from(JSON.stringify(value));
        const { records, end, stops } = read([bytes.subarray(0, cut % bytes.length)]);
        expect(records).toEqual(plainRecords(JSON.parse(bytes.toString()) as Json).slice(0, records.length));
        expect(end).toBe('cut');
        expect(stops).toEqual([]);
      }),
    );
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.string().map((text) => Buffer.from(`[${text}`)),
        ),
        (bytes) => {
          read([Buffer.from(bytes)]);
        },
      ),
    );
  });

  it('skips a value that is broken or too long and goes on behind it', () => {
    expect(read([Buffer.from('{"a":[1,nope,3],"b":{"x":01},"c":"fine"}')])).toMatchObject({
      records: [
        ['a', 1],
        ['a', 3],
        ['c', 'fine'],
      ],
      broken: ['a', 'b'],
      end: 'whole',
    });
    expect(read([Buffer.from(`{"a":"${'x'.repeat(50)}","b":1}`)], 20)).toMatchObject({
      records: [['b', 1]],
      long: ['a'],
    });
  });

  it('stops where it breaks its own grammar', () => {
    expect(read([Buffer.from('{"a":1 "b":2}')]).stops).toEqual(['"," is missing']);
    expect(read([Buffer.from('{"a":1}\n{"a":2}')]).stops).toEqual(['there is more after the end of the document']);
    expect(read([Buffer.from('{"a\nb":1}')]).stops).toEqual(['a line ends inside a string']);
  });

  it('skips a record that nests without end, and reads what follows', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const { records, end } = read([Buffer.from(`[${nested(1000)},${nested(100_000)},1]`)]);
    expect([records.length, end]).toEqual([2, 'whole']);
  });
});
