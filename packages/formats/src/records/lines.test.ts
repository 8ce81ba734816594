import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLines } from './lines.js';

function read(pieces: readonly Buffer[], longest = 1000) {
  const lines: [number, string][] = [];
  const long: [number, number][] = [];
  const bad: number[] = [];
  const reader = createLines({
    longest,
    onLine: (text, line) => lines.push([line, text]),
    onLong: (line, bytes) => long.push([line, bytes]),
    onBadBytes: (line) => bad.push(line),
  });
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return { lines, long, bad };
}

describe('lines', () => {
  it('are the same however the bytes are cut, and those of a plain split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' })),
        fc.constantFrom('\n', '\r\n'),
        fc.array(fc.nat()),
        (texts, end, cuts) => {
          const bytes = Buffer.from(texts.join(end));
          const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
          const pieces = at.slice(1).map((to, k) => Buffer.from(bytes.subarray(at[k]!, to)));
          const plain = bytes
            .toString('utf8')
            .replace(/^\uFEFF/, '')
            .split('\n')
            .map((text, k): [number, string] => [k + 1, text.endsWith('\r') ? text.slice(0, -1) : text])
            .filter(([, text]) => text.trim() !== '');
          expect(read(pieces, 1e6).lines).toEqual(plain);
          expect(read([bytes], 1e6).lines).toEqual(plain);
        },
      ),
    );
  });

  it('drop a byte order mark', () => {
    expect(read([Buffer.from([0xef]), Buffer.from([0xbb, 0xbf, 0x61])]).lines).toEqual([[1, 'a']]);
  });

  it('that are too long are reported and skipped, and the next ones are numbered rightly', () => {
    const long = 'x'.repeat(5000);
    const { lines, long: reported } = read([
      Buffer.from(`a\n${long.slice(0, 2500)}`),
      Buffer.from(`${long.slice(2500)}\nb\n${long}`),
    ]);
    expect(lines).toEqual([
      [1, 'a'],
      [3, 'b'],
    ]);
    expect(reported).toEqual([
      [2, 5000],
      [4, 5000],
    ]);
  });

  it('hold nothing of a line that is too long', () => {
    const chunk = Buffer.alloc(1024 * 1024, 0x61);
    const before = process.memoryUsage().rss;
    const reader = createLines({ longest: 1024, onLine() {}, onLong() {}, onBadBytes() {} });
    for (let k = 0; k < 200; k++) reader.push(chunk);
    reader.end();
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('report bytes that are no UTF-8, but not a replacement character that was there', () => {
    expect(read([Buffer.from([0x61, 0xff, 0x0a]), Buffer.from('\uFFFD\n')])).toMatchObject({
      lines: [
        [1, 'a\uFFFD'],
        [2, '\uFFFD'],
      ],
      bad: [1],
    });
  });
});
