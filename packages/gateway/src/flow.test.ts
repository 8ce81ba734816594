import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { bytesOf, flow } from './flow.js';

test('what came before a stream broke off is given, though nobody wanted to read on at that moment', async () => {
  const source = new Readable({ read() {} });
  const given: string[] = [];
  const broken = new Promise<unknown>((resolve) => {
    const reading = flow(source, { data: (bytes) => void given.push(String(bytes)), end() {}, fail: resolve });
    reading.pause();
  });
  source.push('one ');
  source.push('two');
  source.destroy(new Error('cut'));
  expect(await broken).toEqual(new Error('cut'));
  expect(given).toEqual(['one two']);
});

test('so it is where it is read one piece at a time', async () => {
  const source = new Readable({ read() {} });
  source.push('one ');
  const pieces = bytesOf(source);
  const given = [String((await pieces.next()).value)];
  source.push('two ');
  source.push('three');
  source.destroy(new Error('cut'));
  const rest = async () => {
    for await (const piece of pieces) given.push(String(piece));
  };
  await expect(rest()).rejects.toThrow('cut');
  expect(given.join('')).toBe('one two three');
});
