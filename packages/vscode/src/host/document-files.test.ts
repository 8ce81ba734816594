import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorkspace, standardTools } from '@loopfuse/agent';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEdits } from './chat/edits.js';
import { differenceOf, documentFiles, type OpenDocument } from './document-files.js';

/** A folder with one file, which is open in an editor. */
function place(stored: string | Buffer, typed = '') {
  const root = mkdtempSync(join(tmpdir(), 'loopfuse-documents-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const file = join(root, 'index.js');
  writeFileSync(file, stored);
  const document = {
    text: stored.toString() + typed,
    isDirty: typed !== '',
    edits: 0,
    async replace(from: number, to: number, text: string) {
      document.text = document.text.slice(0, from) + text + document.text.slice(to);
      document.isDirty = true;
      document.edits++;
      return true;
    },
    async save() {
      writeFileSync(file, document.text);
      document.isDirty = false;
      return true;
    },
  } satisfies OpenDocument & { edits: number };
  const workspace = createWorkspace(root);
  const path = join(workspace.root, 'index.js');
  const files = documentFiles((asked) => (asked === path ? document : undefined));
  const run = (name: 'replace' | 'write_file', input: Record<string, string>, through = files) =>
    standardTools()
      .find((tool) => tool.name === name)!
      .run(input, { workspace, files: through, signal: new AbortController().signal, onOutput: () => {} });
  return { document, run, files, path, onDisk: () => readFileSync(file, 'utf8'), raw: () => readFileSync(file) };
}

describe('a file that is open in the editor', () => {
  test('is changed in the editor and saved, so that the change can be undone', async () => {
    const { document, run, onDisk } = place('one\ntwo\n');
    const { failed } = await run('replace', { path: 'index.js', old_string: 'two', new_string: 'three' });
    expect([failed, document.text, document.isDirty, document.edits]).toEqual([undefined, 'one\nthree\n', false, 1]);
    expect(onDisk()).toBe('one\nthree\n');
  });

  test('with unsaved changes keeps them: the change is made among them and not saved', async () => {
    const { document, run, onDisk } = place('one\ntwo\n', 'typed by me\n');
    const { output, failed } = await run('replace', { path: 'index.js', old_string: 'two', new_string: 'three' });
    expect([failed, document.text, document.isDirty]).toEqual([undefined, 'one\nthree\ntyped by me\n', true]);
    expect(onDisk()).toBe('one\ntwo\n');
    expect(output).toMatch(/not saved.*commands still see the file as it was/);
  });

  test('with unsaved changes is not overwritten', async () => {
    const { document, run, onDisk } = place('one\n', 'typed by me\n');
    const { output, failed } = await run('write_file', { path: 'index.js', content: 'all new\n' });
    expect([failed, document.text, onDisk()]).toEqual([true, 'one\ntyped by me\n', 'one\n']);
    expect(output).toMatch(/changes that are not saved.*would overwrite them/);
  });

  test('that is formatted when it is saved can be undone, and the model is told to read it again', async () => {
    const { document, run, files, onDisk, path } = place('one\ntwo\n');
    const { save } = document;
    document.save = () => {
      document.text = document.text.replaceAll('"', "'");
      return save();
    };
    const edits = createEdits({ files, remove: async () => {}, kept: { load: async () => [], save: async () => {} } });
    edits.begin('s');
    for (const [old_string, new_string] of [
      ['one', '"1"'],
      ['two', '"2"'],
    ] as const) {
      const { output } = await run('replace', { path: 'index.js', old_string, new_string }, edits.files);
      expect(output).toMatch(/changed it further while saving/);
    }
    edits.end('s');
    expect(onDisk()).toBe("'1'\n'2'\n");
    expect([...(await edits.undo(1, 'keep'))]).toEqual([[path, 'restored']]);
    expect(onDisk()).toBe('one\ntwo\n');
  });

  test('in an encoding that the editor would convert is changed on disk', async () => {
    const { document, run, raw } = place(Buffer.from('caf\xe9 one\n', 'latin1'));
    await run('replace', { path: 'index.js', old_string: 'one', new_string: 'two' });
    expect([document.edits, raw().toString('latin1')]).toEqual([0, 'caf\xe9 two\n']);
  });
});

test('applying the difference of two texts gives the second, and splits no character or line end', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\r\n', '\n', '😀', '😁', 'é') });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { from, to, text: between } = differenceOf(before, after);
      expect(before.slice(0, from) + between + before.slice(to)).toBe(after);
      for (const piece of [before.slice(0, from), before.slice(from, to), between])
        expect(/[\ud800-\udbff]$|^[\udc00-\udfff]|\r$/.test(piece)).toBe(false);
    }),
  );
});
