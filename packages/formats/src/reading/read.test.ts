import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createReading, formats, readSessions } from '../index.js';
import { readAll, readBytes } from '../testing/read-fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-formats-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const header = '{"loopfuse":1,"session":"s","agent":"demo"}';
const event = (text: string) => JSON.stringify({ type: 'text', text });
const lines = [header, ...Array.from({ length: 50 }, (_, k) => event(`line ${k} ${'x'.repeat(k * 7)}`))];

const hasZstd = 'createZstdDecompress' in zlib;

/** A frame whose blocks hold their bytes as they are: every Node can make it. */
function zstd(text: string, blockBytes = 128 * 1024): Buffer {
  const bytes = Buffer.from(text);
  const blocks = [Buffer.from('28b52ffd0038', 'hex')];
  for (let at = 0; at === 0 || at < bytes.length; at += blockBytes) {
    const block = bytes.subarray(at, at + blockBytes);
    const head = Buffer.alloc(3);
    head.writeUIntLE(block.length * 8 + (at + blockBytes >= bytes.length ? 1 : 0), 0, 3);
    blocks.push(head, block);
  }
  return Buffer.concat(blocks);
}

describe('reading a file', () => {
  it('unpacks gzip by its first bytes, not its name, and several members in a row', async () => {
    const plain = await readAll(file('plain.jsonl', lines.join('\n')));
    const packed = Buffer.concat([
      zlib.gzipSync(`${lines.slice(0, 20).join('\n')}\n`),
      zlib.gzipSync(lines.slice(20).join('\n')),
    ]);
    const unpacked = await readAll(file('packed.log', packed));
    expect(unpacked.sessions[0]?.events).toEqual(plain.sessions[0]?.events);
    expect(unpacked.faults).toEqual([]);
    expect(unpacked.summary).toMatchObject({ format: 'trace', sessions: 1, events: 50, bytes: packed.length });
  });

  it.each([
    ['bzip2', '425a68393141592653'],
    ['xz', 'fd377a585a000004'],
  ])('says of a file packed with %s that it cannot be read, unless it is an archive', async (packing, begins) => {
    const packed = Buffer.concat([Buffer.from(begins, 'hex'), Buffer.from([0x59, 0, 1, 2])]);
    const message = `it could not be read: it is packed with ${packing}, which is not supported. Unpack it first: ${packing} -d`;
    expect((await readAll(file(`old.jsonl.${packing}`, packed))).faults).toMatchObject([
      { kind: 'unreadable', message },
    ]);
    expect((await readAll(file('code.tar.xz', packed))).faults).toMatchObject([{ kind: 'not-a-session' }]);
  });

  it('reads a cut gzip file as far as it goes', async () => {
    const noisy = [header, ...Array.from({ length: 5000 }, (_, k) => event(String(Math.sin(k))))].join('\n');
    const packed = zlib.gzipSync(noisy);
    const { sessions, faults } = await readAll(file('cut.gz', packed.subarray(0, packed.length >> 1)));
    const count = sessions[0]!.events.length;
    expect(count).toBeGreaterThan(1000);
    expect(count).toBeLessThan(5000);
    expect(faults.at(-1)).toMatchObject({ kind: 'cut', message: expect.stringContaining('unexpected end of file') });
  });

  it.each([10, 3_000_000])('reads a gzip file that is padded with %i zeros', async (zeros) => {
    const packed = Buffer.concat([zlib.gzipSync(lines.join('\n')), Buffer.alloc(zeros)]);
    const { sessions, faults } = await readAll(file(`padded-${zeros}.gz`, packed));
    expect(sessions[0]?.events).toHaveLength(50);
    expect(faults).toEqual([]);
  });

  it.runIf(hasZstd)('unpacks zstd, and several frames in a row, wherever the file is cut in reading', async () => {
    const plain = await readAll(file('plain-too.jsonl', lines.join('\n')));
    const long = [header, ...Array.from({ length: 9000 }, (_, k) => event(`${k} ${'y'.repeat(40)}`))].join('\n');
    const packed = Buffer.concat([zstd(`${lines.slice(0, 20).join('\n')}\n`), zstd(lines.slice(20).join('\n'))]);
    const unpacked = await readAll(file('rollout.jsonl.zst', packed));
    expect(unpacked.sessions[0]?.events).toEqual(plain.sessions[0]?.events);
    expect(unpacked.faults).toEqual([]);
    expect(unpacked.summary).toMatchObject({ format: 'trace', events: 50, bytes: packed.length });
    expect((await readAll(file('long.zst', zstd(long)))).sessions[0]?.events).toHaveLength(9000);
    // The first frame ends one, two, … bytes before a chunk does: the next one begins in two chunks.
    for (let before = 0; before < 6; before++) {
      const first = zstd(`${header}\n${' '.repeat(256 * 1024 - before - header.length - 1 - 12)}`);
      expect(first.length).toBe(256 * 1024 - before); // 12 of them are not the text's
      const both = await readAll(file(`border-${before}.zst`, Buffer.concat([first, zstd(`${event('a')}\n`)])));
      expect(both.faults).toEqual([]);
      expect(both.sessions[0]?.events).toHaveLength(1);
    }
  });

  it.runIf(hasZstd)('reads a cut zstd file as far as it goes, and one that goes on with other bytes', async () => {
    const packed = zstd(lines.join('\n'), 100);
    const cut = await readAll(file('cut.zst', packed.subarray(0, -200)));
    expect(cut.sessions[0]!.events.length).toBeGreaterThan(30);
    expect(cut.faults.at(-1)).toMatchObject({
      kind: 'cut',
      message: expect.stringContaining('unexpected end of file'),
    });
    const junk = await readAll(file('junk.zst', Buffer.concat([packed, Buffer.from('no frame at all')])));
    expect(junk.sessions[0]?.events).toHaveLength(50);
    expect(junk.faults.at(-1)).toMatchObject({ kind: 'cut', message: expect.stringContaining('to its end') });
  });

  it.skipIf(hasZstd)(
    'says of zstd which Node unpacks it, and does not take it for a file of another kind',
    async () => {
      const { sessions, faults } = await readAll(file('rollout.jsonl.zst', zstd(lines.join('\n'))));
      expect(sessions).toEqual([]);
      expect(faults).toMatchObject([{ kind: 'unreadable', message: expect.stringContaining('Node 22.15 or newer') }]);
    },
  );

  it('reports broken lines with their place and reads the rest', async () => {
    const { sessions, faults } = await readAll(
      file('broken.jsonl', [header, '{"type":', event('a'), 'nonsense', event('b'), ''].join('\n')),
    );
    expect(sessions[0]?.events.length).toBe(2);
    expect(faults.map(({ line, kind }) => [line, kind])).toEqual([
      [2, 'broken'],
      [4, 'broken'],
    ]);
  });

  it('takes a last line without an end that is no JSON for one that is being written', async () => {
    const { faults } = await readAll(file('growing.jsonl', `${header}\n${event('a')}\n{"type":"te`));
    expect(faults).toMatchObject([{ line: 3, kind: 'cut' }]);
  });

  it('takes only the last line for one that is being written, not one before a line that is too long', async () => {
    const { faults } = await readAll(
      file('long-end.jsonl', `${header}\n${event('a')}\n{"type":\n${'y'.repeat(3000)}`),
      {
        longestLine: 2000,
      },
    );
    expect(faults.map(({ line, kind }) => [line, kind])).toEqual([
      [3, 'broken'],
      [4, 'too-long'],
    ]);
  });

  it('skips lines that are too long without holding them', async () => {
    const { sessions, faults } = await readAll(
      file('long.jsonl', [header, event('a'), event('y'.repeat(3_000_000)), event('b')].join('\n')),
      { longestLine: 1_000_000 },
    );
    expect(sessions[0]?.events).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]);
    expect(faults).toMatchObject([{ line: 3, kind: 'too-long' }]);
  });

  it.each([
    ['nothing', Buffer.alloc(0), 'the file is empty'],
    ['zeros', Buffer.alloc(100_000), 'it is a binary file'],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'it is a binary file'],
    ['prose', Buffer.from('Dear diary,\n'), 'of a known format'],
    ['other JSON', Buffer.from('{"name":"package","version":"1.0.0"}'), 'of a known format'],
    ['other lines', Buffer.from('{"level":30,"msg":"hello"}\n{"level":30,"msg":"bye"}\n'), 'of a known format'],
    ['a broken database', Buffer.from('SQLite format 3\0then nothing'), 'the file ends before'],
  ])('says of %s that it is no session log', async (name, content, message) => {
    const { sessions, faults, summary } = await readAll(file(`odd-${name}`, content));
    expect(sessions).toEqual([]);
    expect(faults).toMatchObject([{ message: expect.stringContaining(message) }]);
    expect(summary.sessions).toBe(0);
  });

  it('says so when a file cannot be read', async () => {
    mkdirSync(join(folder, 'a-folder'));
    execFileSync('mkfifo', [join(folder, 'a-pipe')]);
    for (const path of [join(folder, 'missing'), join(folder, 'a-folder'), join(folder, 'a-pipe')])
      expect((await readAll(path)).faults).toMatchObject([{ kind: 'unreadable' }]);
  });

  it('survives any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
          fc
            .array(fc.jsonValue())
            .map((values) => Buffer.from(values.map((value) => JSON.stringify(value)).join('\n'))),
          fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value, null, 1))),
        ),
        async (bytes) => {
          await readBytes([bytes]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('survives nesting without end, in lines and in documents', async () => {
    const deep = `${'{"a":['.repeat(50_000)}${']}'.repeat(50_000)}`;
    const line = (content: string) =>
      `{"type":"user","uuid":"${content.length}","sessionId":"s","message":{"role":"user","content":${content}}}\n`;
    const lines = await readBytes([Buffer.from(line('"hello"') + line(deep) + line('"bye"'))]);
    expect(lines.summary).toMatchObject({ format: 'claude-code', events: 2 });
    expect(lines.faults).toMatchObject([{ line: 2, kind: 'broken' }]);
    const hello = '{"role":"user","content":"hello"}';
    const document = await readBytes([Buffer.from(`[${hello},{"role":"user","content":${deep}},${hello}]`)]);
    expect(document.summary).toMatchObject({ format: 'messages', events: 2 });
    expect(document.faults).toMatchObject([{ kind: 'broken', message: expect.stringContaining('1000 levels deep') }]);
  });

  it('stops with what the visitor throws', async () => {
    const mine = new Error('mine');
    for (const path of [file('throw.jsonl', lines.join('\n')), file('throw.gz', zlib.gzipSync(lines.join('\n')))]) {
      const onEvent = () => {
        throw mine;
      };
      await expect(readSessions(path, { onEvent })).rejects.toBe(mine);
    }
  });

  it('stops when the signal says so', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(readSessions(file('stop.jsonl', lines.join('\n')), { onEvent() {} }, { signal })).rejects.toThrow(
      'enough',
    );
  });

  it('refuses a limit that is none', () => {
    expect(() => createReading(formats, 'x', { onEvent() {} }, { longestLine: 0 })).toThrow(/longestLine .* got 0/);
  });

  it('follows a file that is being written, once it has settled on a format', () => {
    const received: string[] = [];
    const reading = createReading(formats, 'live.jsonl', { onEvent: (each) => void received.push(each.type) });
    reading.push(Buffer.from(`${header}\n${event('a')}\n`));
    expect(received).toEqual([]);
    reading.settle();
    expect(received).toEqual(['text']);
    reading.push(Buffer.from(event('b')));
    expect(received).toEqual(['text']);
    reading.push(Buffer.from('\n'));
    expect(received).toEqual(['text', 'text']);
  });
});
