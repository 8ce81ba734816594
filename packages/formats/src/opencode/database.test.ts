import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { readSessions } from '../index.js';
import { fixture } from '../testing/fixtures.js';

const folder = mkdtempSync(join(tmpdir(), 'loopfuse-database-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(file: string, wants: (id: string, revision: string) => boolean) {
  const events: Record<string, number> = {};
  await readSessions(file, {
    wants,
    onEvent(_, { id }) {
      events[id] = (events[id] ?? 0) + 1;
    },
  });
  return events;
}

describe('a database of many sessions', () => {
  const file = fixture(import.meta.url, 'opencode.db');

  it('reads the sessions that are wanted, and nothing of the others', async () => {
    const asked: string[] = [];
    const all = await read(file, (id) => asked.push(id) > 0);
    expect(asked.sort()).toEqual(['ses_a', 'ses_b']);
    expect(await read(file, (id) => id === 'ses_b')).toEqual({ ses_b: all.ses_b });
  });

  it('has the same revision of a session until that changes', async () => {
    const copy = join(folder, 'opencode.db');
    copyFileSync(file, copy);
    const revisions: string[][] = [];
    for (const path of [file, copy]) {
      const seen: string[] = [];
      await read(path, (id, revision) => seen.push(`${id} ${revision}`) > 0);
      revisions.push(seen);
    }
    expect(revisions[0]).toEqual(revisions[1]);
  });

  it('is said to be packed where it is', async () => {
    const packed = join(folder, 'packed.db.gz');
    writeFileSync(packed, gzipSync(readFileSync(file)));
    const faults: string[] = [];
    await readSessions(packed, {
      onEvent() {},
      onFault: ({ kind, message }) => void faults.push(`${kind}: ${message}`),
    });
    expect(faults).toEqual([
      'unreadable: it could not be read: it is a packed database, which is not supported. Unpack it first',
    ]);
  });

  it('passes on what the visitor throws', async () => {
    const broken = read(file, () => {
      throw new Error('mine');
    });
    await expect(broken).rejects.toThrow('mine');
  });
});
