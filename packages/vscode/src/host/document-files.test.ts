import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorkspace, standardTools } from '@loopfuse/agent';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
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
  const files = documentFiles((path) => (path === join(workspace.root, 'index.js') ? document : undefined));
  const run = (name: 'replace' | 'write_file', input: Record<string, string>) =>
    standardTools()
      .find((tool) => tool.name === name)!
      .run(input, { workspace, files, signal: new AbortController().signal, onOutput: () => {} });
  return { document, run, onDisk: () => readFileSync(file, 'utf8'), raw: () => readFileSync(file) };
}

describe('a file that is open in the editor', () => {
  test('is changed there and saved, so that the change can be undone', async () => {
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

  test('with unsaved changes is not written over', async () => {
    const { document, run, onDisk } = place('one\n', 'typed by me\n');
    const { output, failed } = await run('write_file', { path: 'index.js', content: 'all new\n' });
    expect([failed, document.text, onDisk()]).toEqual([true, 'one\ntyped by me\n', 'one\n']);
    expect(output).toMatch(/changes that are not saved.*would overwrite them/);
  });

  test('in an encoding that the editor does not keep is changed on disk', async () => {
    const { document, run, raw } = place(Buffer.from('caf\xe9 one\n', 'latin1'));
    await run('replace', { path: 'index.js', old_string: 'one', new_string: 'two' });
    expect([document.edits, raw().toString('latin1')]).toEqual([0, 'caf\xe9 two\n']);
  });
});

test('the difference of two texts makes the second of the first, and cuts nothing in two', () => {
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
