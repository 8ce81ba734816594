import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { freshFolder } from '../testing/folders.js';
import { runTool } from '../testing/run-tool.js';
import { readFile } from './read-file/index.js';
import { replace } from './replace/index.js';
import { writeFile } from './write-file/index.js';

const bytesOf = (root: string) => readFileSync(join(root, 'a.txt'));
const put = (root: string, bytes: Buffer) => writeFileSync(join(root, 'a.txt'), bytes);
const edit = (root: string, old_string: string, new_string: string) =>
  runTool(replace, root, { path: 'a.txt', old_string, new_string });

describe('bytes that are not edited stay', () => {
  test('whatever the file holds around the text that is replaced', async () => {
    const root = freshFolder();
    const around = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes.map((one) => one || 1)));
    await fc.assert(
      fc.asyncProperty(around, around, async (before, after) => {
        put(root, Buffer.concat([before, Buffer.from('=OLD='), after]));
        const { failed } = await edit(root, '=OLD=', '=new=');
        const expected = failed ? '=OLD=' : '=new=';
        expect(bytesOf(root).equals(Buffer.concat([before, Buffer.from(expected), after]))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('in a file that is not UTF-8', async () => {
    const root = freshFolder();
    put(root, Buffer.from('caf\xe9 one\n', 'latin1'));
    expect((await runTool(readFile, root, { path: 'a.txt' })).output).toBe(
      '1→caf\ufffd one\n[The file is not UTF-8: each \ufffd stands for a byte that is not ASCII.]',
    );
    expect((await edit(root, 'one', 'two')).failed).toBeUndefined();
    expect(bytesOf(root).toString('latin1')).toBe('caf\xe9 two\n');
  });

  test.each([
    ['caf\ufffd', 'tea'],
    ['two', 'd\u00e9ux'],
  ])('and a change of the others is refused, with the reason: %j to %j', async (old, next) => {
    const root = freshFolder();
    put(root, Buffer.from('caf\xe9 two\n', 'latin1'));
    expect(await edit(root, old, next)).toMatchObject({
      failed: true,
      output: expect.stringMatching(/a\.txt is not UTF-8.*Only ASCII.*convert the file first/),
    });
    expect(bytesOf(root).toString('latin1')).toBe('caf\xe9 two\n');
  });

  test.each<[string, Buffer, Buffer]>([
    ['a mark of UTF-8', Buffer.from('\ufeffold é\n'), Buffer.from('\ufeffnew é\n')],
    ['UTF-16', utf16('old é\r\n'), utf16('new é\r\n')],
    ['UTF-16 the other way round', utf16('old é\n').swap16(), utf16('new é\n').swap16()],
    ['no newline at the end', Buffer.from('old'), Buffer.from('new')],
    ['line ends of Windows', Buffer.from('a\r\nold\r\n'), Buffer.from('a\r\nnew\r\n')],
  ])('with %s', async (_, before, after) => {
    const root = freshFolder();
    put(root, before);
    expect((await edit(root, 'old', 'new')).failed).toBeUndefined();
    expect(bytesOf(root)).toEqual(after);
  });

  test('with line ends of both kinds, in what is replaced and around it', async () => {
    const root = freshFolder();
    put(root, Buffer.from('a\r\nb\r\nc\nd\n'));
    expect((await edit(root, 'a\nb', 'x\ny')).failed).toBeUndefined();
    expect(bytesOf(root).toString()).toBe('x\r\ny\r\nc\nd\n');
    expect((await edit(root, 'c\nd', 'z\nz')).failed).toBeUndefined();
    expect(bytesOf(root).toString()).toBe('x\r\ny\r\nz\nz\n');
  });
});

describe('a file written whole', () => {
  test('keeps its encoding, byte order mark and line ends', async () => {
    const root = freshFolder();
    const write = (content: string) => runTool(writeFile, root, { path: 'a.txt', content });
    put(root, utf16('one\r\n'));
    await write('two é\nthree\n');
    expect(bytesOf(root)).toEqual(utf16('two é\r\nthree\r\n'));
    put(root, Buffer.from('\ufeffone\n'));
    await write('two\n');
    expect(bytesOf(root)).toEqual(Buffer.from('\ufefftwo\n'));
  });

  test('refuses the replacement character for unknown bytes', async () => {
    const root = freshFolder();
    put(root, Buffer.from('caf\xe9\n', 'latin1'));
    const { output, failed } = await runTool(writeFile, root, { path: 'a.txt', content: 'caf\ufffd!\n' });
    expect([failed, output]).toEqual([true, expect.stringMatching(/would be lost/)]);
    expect(bytesOf(root).toString('latin1')).toBe('caf\xe9\n');
  });

  test('becomes UTF-8 where its encoding is not known and all of it is new', async () => {
    const root = freshFolder();
    put(root, Buffer.from('caf\xe9\n', 'latin1'));
    expect((await runTool(writeFile, root, { path: 'a.txt', content: 'tea for € 3\n' })).failed).toBeUndefined();
    expect(bytesOf(root).toString('utf8')).toBe('tea for € 3\n');
  });

  test('refuses half of a surrogate pair', async () => {
    const root = freshFolder();
    const { failed } = await runTool(writeFile, root, { path: 'a.txt', content: 'a\ud800b' });
    expect(failed).toBe(true);
  });
});

function utf16(text: string): Buffer {
  return Buffer.from(`\ufeff${text}`, 'utf16le');
}
