import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskFiles } from '@loopfuse/agent';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEdits } from './edits.js';
import { keptEdits } from './kept-edits.js';

/** A folder with a file, and an agent that writes in it. */
function place() {
  const root = mkdtempSync(join(tmpdir(), 'loopfuse-edits-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const faults: string[] = [];
  const window = (remove = (path: string) => rm(path)) =>
    createEdits({
      files: diskFiles,
      remove,
      kept: keptEdits(join(root, 'kept'), (message) => faults.push(message)),
    });
  const edits = window();
  const at = (name: string) => join(root, name);
  writeFileSync(at('a.ts'), 'one\n');
  const write = async (name: string, text: string) =>
    edits.files.write(at(name), { text, encoding: 'utf8' }, await edits.files.read(at(name)));
  return { edits, at, write, window, faults, read: (name: string) => readFileSync(at(name), 'utf8') };
}

describe('the edits of an answer', () => {
  test('are undone together, and then there is nothing to undo', async () => {
    const { edits, at, write, read } = place();
    edits.begin('s');
    await write('a.ts', 'two\n');
    edits.onResult('c1');
    edits.onResult('c2'); // a call that wrote nothing
    await write('a.ts', 'three\n');
    edits.onResult('c3');
    expect(edits.undoable).toEqual([]);
    edits.end('s');
    expect(edits.undoable).toEqual([{ id: 1, call: 'c3', paths: [at('a.ts')] }]);
    expect([...(await edits.undo(1, 'keep'))]).toEqual([[at('a.ts'), 'restored']]);
    expect([read('a.ts'), edits.undoable]).toEqual(['one\n', []]);
  });

  test('created files are removed, or kept', async () => {
    const { edits, at, write } = place();
    edits.begin('s');
    await write('new.ts', 'x\n');
    edits.end('s');
    expect(edits.created(1)).toEqual([at('new.ts')]);
    expect([...(await edits.undo(1, 'keep')).values()]).toEqual(['kept']);
    expect(existsSync(at('new.ts'))).toBe(true);
    expect([...(await edits.undo(1, 'remove')).values()]).toEqual(['removed']);
    expect(existsSync(at('new.ts'))).toBe(false);
  });

  test.each<[string, (given: ReturnType<typeof place>) => Promise<void>]>([
    ['after the answer', async ({ at }) => writeFileSync(at('a.ts'), 'mine\n')],
    [
      'after a later answer changed it',
      async ({ edits, write }) => {
        edits.begin('s');
        await write('a.ts', 'later\n');
        edits.end('s');
      },
    ],
    ['by removing it', async ({ at }) => rm(at('a.ts'))],
  ])('a file that was changed %s is left as it is', async (_, change) => {
    const here = place();
    here.edits.begin('s');
    await here.write('a.ts', 'two\n');
    here.edits.end('s');
    await change(here);
    const before = existsSync(here.at('a.ts')) ? here.read('a.ts') : undefined;
    expect([...(await here.edits.undo(1, 'remove')).values()]).toEqual(['changed']);
    expect(existsSync(here.at('a.ts')) ? here.read('a.ts') : undefined).toBe(before);
  });

  test('what the user wrote between two edits of the answer is not lost', async () => {
    const { edits, at, write, read } = place();
    edits.begin('s');
    await write('a.ts', 'two\n');
    writeFileSync(at('a.ts'), 'two\nmine\n');
    await write('a.ts', 'three\nmine\n');
    edits.end('s');
    expect([...(await edits.undo(1, 'remove')).values()]).toEqual(['changed']);
    expect(read('a.ts')).toBe('three\nmine\n');
  });

  test('are undone one answer after the other, the latest first', async () => {
    const { edits, write, read } = place();
    for (const text of ['two\n', 'three\n']) {
      edits.begin('s');
      await write('a.ts', text);
      edits.end('s');
    }
    await edits.undo(2, 'keep');
    expect(read('a.ts')).toBe('two\n');
    await edits.undo(1, 'keep');
    expect(read('a.ts')).toBe('one\n');
  });
});

describe('in a window that is opened again', () => {
  test('the edits of the conversation can be undone, also those of an interrupted answer', async () => {
    const { edits, at, write, read, window, faults } = place();
    edits.begin('s');
    await write('a.ts', 'two\n');
    await write('new.ts', 'x\n');
    edits.onResult('c1');
    edits.end('s');
    edits.begin('s');
    await write('a.ts', 'three\n');
    edits.onResult('c2');
    await edits.settled; // and then the window is killed
    expect(statSync(at('kept')).mode & 0o777).toBe(0o700);
    expect(readdirSync(at('kept')).map((name) => statSync(join(at('kept'), name)).mode & 0o777)).toEqual([0o600]);

    const later = window();
    await later.open('s');
    expect(later.undoable).toMatchObject([
      { call: 'c1', paths: [at('a.ts'), at('new.ts')] },
      { call: 'c2', paths: [at('a.ts')] },
    ]);
    expect([...(await later.undo(later.undoable[1]!.id, 'keep')).values()]).toEqual(['restored']);
    expect(read('a.ts')).toBe('two\n');

    const last = window();
    await last.open('s');
    expect(last.undoable).toMatchObject([{ call: 'c1' }]);
    const { id } = last.undoable[0]!;
    expect(last.created(id)).toEqual([at('new.ts')]);
    expect([...(await last.undo(id, 'remove')).values()]).toEqual(['restored', 'removed']);
    expect([read('a.ts'), existsSync(at('new.ts')), readdirSync(at('kept')), faults]).toEqual(['one\n', false, [], []]);
  });

  test('what was changed while it was closed is left as it is', async () => {
    const { edits, at, write, read, window } = place();
    edits.begin('s');
    await write('a.ts', 'two\n');
    edits.end('s');
    await edits.settled;
    writeFileSync(at('a.ts'), 'mine\n');
    const later = window();
    await later.open('s');
    expect([...(await later.undo(later.undoable[0]!.id, 'remove')).values()]).toEqual(['changed']);
    expect(read('a.ts')).toBe('mine\n');
  });

  test('files that were restored before the undo failed are not offered again', async () => {
    const { edits, at, write, read, window } = place();
    edits.begin('s');
    await write('a.ts', 'two\n');
    await write('new.ts', 'x\n');
    edits.end('s');
    await edits.settled;
    const failing = window(() => Promise.reject(new Error('not removed')));
    await failing.open('s');
    await expect(failing.undo(failing.undoable[0]!.id, 'remove')).rejects.toThrow('not removed');
    expect(read('a.ts')).toBe('one\n');
    const later = window();
    await later.open('s');
    expect(later.undoable).toMatchObject([{ paths: [at('new.ts')] }]);
  });

  test('files keep their encoding', async () => {
    const { edits, at, window } = place();
    const bytes = Buffer.from('\ufeffone\r\n', 'utf16le');
    writeFileSync(at('wide.txt'), bytes);
    edits.begin('s');
    const before = await edits.files.read(at('wide.txt'));
    await edits.files.write(at('wide.txt'), { text: 'two\r\n', encoding: 'utf16le' }, before);
    edits.end('s');
    await edits.settled;
    const later = window();
    await later.open('s');
    await later.undo(later.undoable[0]!.id, 'keep');
    expect(readFileSync(at('wide.txt'))).toEqual(bytes);
  });

  test('each conversation has its own edits, stored under its latest id', async () => {
    const { edits, write, window } = place();
    edits.begin('one');
    await write('a.ts', 'two\n');
    edits.end('branched');
    await edits.open(undefined);
    expect(edits.undoable).toEqual([]);
    edits.begin('two');
    edits.end('two');
    await edits.open('branched');
    expect(edits.undoable).toHaveLength(1);
    const later = window();
    await later.open('two');
    expect(later.undoable).toEqual([]);
  });

  test('the edits of the twenty latest conversations are kept', async () => {
    const { edits, at, write } = place();
    for (let k = 0; k < 25; k++) {
      edits.begin(`s${k}`);
      await write('a.ts', `${k}\n`);
      edits.end(`s${k}`);
      await edits.settled;
      await edits.open(undefined);
    }
    expect(readdirSync(at('kept'))).toHaveLength(20);
    await edits.open('s24');
    expect(edits.undoable).toHaveLength(1);
  });

  test.each([
    ['is damaged', '{"version":1,"answ'],
    ['is of another version', '{"version":2}'],
  ])('a file that %s is reported, and nothing is offered', async (_, text) => {
    const { edits, at, write, window, faults } = place();
    edits.begin('s');
    await write('a.ts', 'two\n');
    edits.end('s');
    await edits.settled;
    writeFileSync(join(at('kept'), 's.json'), text);
    const later = window();
    await later.open('s');
    expect(later.undoable).toEqual([]);
    expect(faults).toEqual([expect.stringContaining('The edits of the session s cannot be undone any more')]);
  });

  test('a folder that cannot be written is reported, and this window can still undo', async () => {
    const { edits, at, write, read, faults } = place();
    writeFileSync(at('kept'), 'a file in the way');
    edits.begin('s');
    await write('a.ts', 'two\n');
    edits.end('s');
    await edits.settled;
    expect(faults).toEqual([expect.stringContaining('cannot be undone once the window is closed')]);
    await edits.undo(edits.undoable[0]!.id, 'keep');
    expect(read('a.ts')).toBe('one\n');
  });
});
