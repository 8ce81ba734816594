import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshFolder } from '../testing/folders.js';
import { session } from '../testing/sessions.js';
import { temporarySuffix } from '../workspace/write-whole.js';
import { listSessions } from './list-sessions.js';
import { saveSession } from './session-file.js';

describe('a list of sessions', () => {
  test('has the latest first, and skips other files', async () => {
    const folder = freshFolder();
    const history = [{ role: 'user', from: 'user', text: 'Fix it\nplease' }] as const;
    await saveSession(join(folder, 'a.json'), session({ id: 'a', updatedAt: '2026-01-01', history }));
    await saveSession(join(folder, 'b.json'), session({ id: 'b', updatedAt: '2026-02-01' }));
    writeFileSync(join(folder, 'c.json'), 'broken');
    expect((await listSessions(folder)).map(({ id, title, halted }) => [id, title, halted])).toEqual([
      ['b', '', false],
      ['a', 'Fix it', false],
    ]);
    expect(await listSessions(join(folder, 'nowhere'))).toEqual([]);
  });

  test('reads a file once, and again when it has changed', async () => {
    const folder = freshFolder();
    const file = join(folder, 'one.json');
    const titles = async () => (await listSessions(folder)).map(({ title }) => title);
    const save = (text: string) => saveSession(file, session({ history: [{ role: 'user', from: 'user', text }] }));
    await save('Fix it');
    utimesSync(file, 1000, 1000);
    expect(await titles()).toEqual(['Fix it']);
    const { size } = statSync(file);
    writeFileSync(file, 'x'.repeat(size));
    utimesSync(file, 1000, 1000);
    expect(await titles()).toEqual(['Fix it']);
    writeFileSync(file, 'x'.repeat(size + 1));
    expect(await titles()).toEqual([]);
    await save('Try again');
    expect(await titles()).toEqual(['Try again']);
    rmSync(file);
    expect(await titles()).toEqual([]);
  });

  test('removes files that a crash has left, but not files that are being written', async () => {
    const folder = freshFolder();
    const [old, fresh] = [`.a.1.x${temporarySuffix}`, `.b.1.x${temporarySuffix}`];
    for (const name of [old, fresh]) writeFileSync(join(folder, name), '');
    utimesSync(join(folder, old), 1, 1);
    await listSessions(folder);
    expect(readdirSync(folder)).toEqual([fresh]);
  });
});
