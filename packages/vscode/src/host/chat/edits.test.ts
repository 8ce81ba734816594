import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskFiles } from '@loopfuse/agent';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEdits } from './edits.js';

/** A folder with a file, and an agent that writes in it. */
function place() {
  const root = mkdtempSync(join(tmpdir(), 'loopfuse-edits-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const edits = createEdits({ files: diskFiles, remove: (path) => rm(path) });
  const at = (name: string) => join(root, name);
  writeFileSync(at('a.ts'), 'one\n');
  const write = async (name: string, text: string) =>
    edits.files.write(at(name), { text, encoding: 'utf8' }, await edits.files.read(at(name)));
  return { edits, at, write, read: (name: string) => readFileSync(at(name), 'utf8') };
}

describe('the edits of an answer', () => {
  test('are undone at once, however many there were, and then there is nothing to undo', async () => {
    const { edits, at, write, read } = place();
    edits.begin();
    await write('a.ts', 'two\n');
    edits.onResult('c1');
    edits.onResult('c2'); // a call that wrote nothing
    await write('a.ts', 'three\n');
    edits.onResult('c3');
    expect(edits.undoable).toEqual([]);
    edits.end();
    expect(edits.undoable).toEqual([{ id: 1, call: 'c3', paths: [at('a.ts')] }]);
    expect([...(await edits.undo(1, 'keep'))]).toEqual([[at('a.ts'), 'restored']]);
    expect([read('a.ts'), edits.undoable]).toEqual(['one\n', []]);
  });

  test('created files are removed, or kept', async () => {
    const { edits, at, write } = place();
    edits.begin();
    await write('new.ts', 'x\n');
    edits.end();
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
        edits.begin();
        await write('a.ts', 'later\n');
        edits.end();
      },
    ],
    ['by removing it', async ({ at }) => rm(at('a.ts'))],
  ])('a file that was changed %s is left as it is', async (_, change) => {
    const here = place();
    here.edits.begin();
    await here.write('a.ts', 'two\n');
    here.edits.end();
    await change(here);
    const before = existsSync(here.at('a.ts')) ? here.read('a.ts') : undefined;
    expect([...(await here.edits.undo(1, 'remove')).values()]).toEqual(['changed']);
    expect(existsSync(here.at('a.ts')) ? here.read('a.ts') : undefined).toBe(before);
  });

  test('what the person wrote between two edits of the answer is not lost', async () => {
    const { edits, at, write, read } = place();
    edits.begin();
    await write('a.ts', 'two\n');
    writeFileSync(at('a.ts'), 'two\nmine\n');
    await write('a.ts', 'three\nmine\n');
    edits.end();
    expect([...(await edits.undo(1, 'remove')).values()]).toEqual(['changed']);
    expect(read('a.ts')).toBe('three\nmine\n');
  });

  test('are undone one answer after the other, the latest first', async () => {
    const { edits, write, read } = place();
    for (const text of ['two\n', 'three\n']) {
      edits.begin();
      await write('a.ts', text);
      edits.end();
    }
    await edits.undo(2, 'keep');
    expect(read('a.ts')).toBe('two\n');
    await edits.undo(1, 'keep');
    expect(read('a.ts')).toBe('one\n');
  });
});
