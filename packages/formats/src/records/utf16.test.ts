import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { readSessions } from '../index.js';
import { createUtf8 } from './utf16.js';

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-utf16-'));
afterAll(() => rmSync(folder, { recursive: true }));

function through(bytes: Buffer, cuts: readonly number[]): string {
  const utf8 = createUtf8();
  const pieces: Buffer[] = [];
  let from = 0;
  for (const cut of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    pieces.push(Buffer.from(utf8.push(bytes.subarray(from, cut))));
    from = cut;
  }
  return Buffer.concat([...pieces, utf8.end()]).toString('utf8');
}

const text = fc.string({ unit: 'grapheme' }).map((inner) => `{"text":${JSON.stringify(inner)}}\n`);
const cuts = fc.array(fc.nat(), { maxLength: 6 });

test('UTF-16 of either order, with a mark or without, reads as its text wherever it is cut; UTF-8 stays as it is', () => {
  fc.assert(
    fc.property(text, cuts, (text, cuts) => {
      const little = Buffer.from(text, 'utf16le');
      const big = Buffer.from(little).swap16();
      expect(through(Buffer.concat([Buffer.from([0xff, 0xfe]), little]), cuts)).toBe(text);
      expect(through(Buffer.concat([Buffer.from([0xfe, 0xff]), big]), cuts)).toBe(text);
      expect(through(little, cuts)).toBe(text);
      expect(through(big, cuts)).toBe(text);
      expect(through(Buffer.from(text), cuts)).toBe(text);
    }),
  );
});

test.each(['utf16le', 'utf16be'] as const)('a log in %s gives its sessions', async (encoding) => {
  const lines = [
    { loopfuse: 1, session: 'wide', agent: 'toy' },
    { type: 'prompt', text: 'Grüße' },
    { type: 'text', text: '漢字' },
  ];
  const little = Buffer.from(`\ufeff${lines.map((line) => JSON.stringify(line)).join('\r\n')}\r\n`, 'utf16le');
  const file = join(folder, `${encoding}.jsonl`);
  writeFileSync(file, encoding === 'utf16le' ? little : little.swap16());
  const seen: unknown[] = [];
  const faults: unknown[] = [];
  const summary = await readSessions(file, {
    onEvent: (event, session) => void seen.push([session.id, event]),
    onFault: (fault) => void faults.push(fault),
  });
  expect(faults).toEqual([]);
  expect(seen).toEqual([
    ['wide', lines[1]],
    ['wide', lines[2]],
  ]);
  expect(summary.bytes).toBe(little.length);
});
