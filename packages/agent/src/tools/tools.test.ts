import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { freshFolder, put } from '../testing/folders.js';
import { runTool } from '../testing/run-tool.js';
import { glob } from './glob/index.js';
import { ls } from './ls/index.js';
import { readFile } from './read-file/index.js';
import { readManyFiles } from './read-many-files/index.js';
import { replace } from './replace/index.js';
import { searchTool } from './search-file-content/search-file-content.js';
import { searchWalking } from './search-file-content/search-walking.js';
import { standardTools } from './tools.js';
import { writeFile } from './write-file/index.js';

const text = (root: string, path: string) => readFileSync(join(root, path), 'utf8');

describe('the tools', () => {
  test('have the names that models know, and simple schemas', () => {
    expect(standardTools().map(({ name }) => name)).toEqual([
      'read_file',
      'read_many_files',
      'ls',
      'glob',
      'search_file_content',
      'write_file',
      'replace',
      'run_shell_command',
    ]);
    for (const { schema } of standardTools()) {
      const json = JSON.stringify(z.toJSONSchema(schema, { target: 'draft-7', io: 'input' }));
      expect(json).not.toMatch(/anyOf|oneOf|allOf|\$ref/);
    }
  });
});

describe('read_file', () => {
  test('numbers lines, and says how to read on', async () => {
    const root = freshFolder();
    put(root, { 'a.txt': 'one\ntwo\r\nthree\n' });
    expect((await runTool(readFile, root, { path: 'a.txt' })).output).toBe('1→one\n2→two\n3→three');
    expect((await runTool(readFile, root, { path: 'a.txt', offset: 2, limit: 1 })).output).toBe(
      '2→two\n[Lines 2 to 2 of 3. Read on with offset 3.]',
    );
    expect(await runTool(readFile, root, { path: 'a.txt', offset: 9 })).toMatchObject({
      output: 'The file has 3 lines; there is no line 9.',
      failed: true,
    });
  });

  test('keeps within its bounds for any file', async () => {
    const root = freshFolder();
    put(root, {
      'wide.txt': 'x'.repeat(100_000),
      'long.txt': 'line\n'.repeat(50_000),
      'lines.txt': `${'y'.repeat(1900)}\n`.repeat(100),
    });
    for (const path of ['wide.txt', 'long.txt', 'lines.txt']) {
      const { output } = await runTool(readFile, root, { path });
      expect(output.length).toBeLessThan(42_000);
      expect(output).toMatch(/more characters|Read on with offset/);
    }
  });

  test('says what it cannot read', async () => {
    const root = freshFolder();
    put(root, { 'empty.txt': '', 'binary.bin': 'a\0b' });
    mkdirSync(join(root, 'folder'));
    const outputs = await Promise.all(
      ['empty.txt', 'binary.bin', 'folder', 'nowhere.txt'].map(
        async (path) => (await runTool(readFile, root, { path })).output,
      ),
    );
    expect(outputs).toEqual([
      '(the file is empty)',
      'binary.bin is not text (3 bytes).',
      'folder is a folder, not a file.',
      'There is no file nowhere.txt.',
    ]);
  });
});

describe('read_many_files', () => {
  test('puts each file under its name, cuts what is long, and says what is left out', async () => {
    const root = freshFolder();
    put(root, { 'a.txt': 'A', 'b.txt': 'B', 'big.txt': 'z'.repeat(30_000) });
    expect((await runTool(readManyFiles, root, { paths: ['a.txt', 'b.*', 'nowhere.txt'] })).output).toBe(
      '=== a.txt\nA\n\n=== b.txt\nB\n\n[There is no file nowhere.txt.]',
    );
    expect((await runTool(readManyFiles, root, { paths: ['big.txt'] })).output).toMatch(
      /18000 more characters; use read_file/,
    );
    expect(await runTool(readManyFiles, root, { paths: ['*.none'] })).toMatchObject({
      output: 'No file matches.',
      failed: true,
    });
  });

  test('ends before it becomes too long', async () => {
    const root = freshFolder();
    for (let k = 0; k < 60; k++) put(root, { [`f${String(k).padStart(2, '0')}.txt`]: 'z'.repeat(5000) });
    const { output } = await runTool(readManyFiles, root, { paths: ['*.txt'] });
    expect(output.length).toBeLessThan(48_000);
    expect(output).toMatch(/more files match and were not read/);
    expect(output).toMatch(/first 50 files/);
  });
});

describe('ls and glob', () => {
  test('ls shows folders first', async () => {
    const root = freshFolder();
    put(root, { 'z/x': '', 'a.txt': '' });
    expect((await runTool(ls, root, {})).output).toBe('z/\na.txt');
    expect((await runTool(ls, root, { path: 'z' })).output).toBe('x');
    expect(await runTool(ls, root, { path: 'a.txt' })).toMatchObject({
      output: 'a.txt is a file, not a folder.',
      failed: true,
    });
  });

  test('glob finds by name', async () => {
    const root = freshFolder();
    put(root, { 'src/a.ts': '', 'src/b.js': '' });
    expect((await runTool(glob, root, { pattern: '**/*.ts' })).output).toBe('src/a.ts');
    expect((await runTool(glob, root, { pattern: '*.js', path: 'src' })).output).toBe('src/b.js');
    expect((await runTool(glob, root, { pattern: '*.py' })).output).toBe('No file matches *.py.');
  });
});

describe('search_file_content', () => {
  const search = searchTool([searchWalking]);

  test('gives path, line and text', async () => {
    const root = freshFolder();
    put(root, {
      'src/a.ts': 'const x = 1;\nfoo();\n',
      'src/b.md': 'foo\n',
      'node_modules/p/i.js': 'foo\n',
      'bin.dat': 'foo\0',
    });
    expect((await runTool(search, root, { pattern: 'fo+' })).output).toBe('src/a.ts:2: foo();\nsrc/b.md:1: foo');
    expect((await runTool(search, root, { pattern: 'foo', include: '*.md' })).output).toBe('src/b.md:1: foo');
    expect((await runTool(search, root, { pattern: 'foo', path: 'src/a.ts' })).output).toBe('src/a.ts:2: foo();');
    expect((await runTool(search, root, { pattern: 'nothing' })).output).toBe('No line matches nothing.');
    expect(await runTool(search, root, { pattern: '(' })).toMatchObject({ failed: true });
  });

  test('an expression that takes too long is stopped', async () => {
    const root = freshFolder();
    put(root, { 'a.txt': `${'a'.repeat(40)}!\n` });
    expect((await runTool(search, root, { pattern: '^(a+)+$' })).output).toMatch(/a\.txt was given up/);
  });

  test('stays within its bounds', async () => {
    const root = freshFolder();
    put(root, { 'a.txt': `${'m'.repeat(1000)}\n`.repeat(2000) });
    const { output } = await runTool(search, root, { pattern: 'm' });
    expect(output.length).toBeLessThan(42_000);
    expect(output).toMatch(/more narrowly/);
  });

  test('searches are tried in order until one is available', async () => {
    const root = freshFolder();
    put(root, { 'a.txt': 'x\n' });
    const absent = async () => undefined;
    expect((await runTool(searchTool([absent, searchWalking]), root, { pattern: 'x' })).output).toBe('a.txt:1: x');
    expect(await runTool(searchTool([absent]), root, { pattern: 'x' })).toMatchObject({ failed: true });
  });

  test('the available search finds the same as our own', async () => {
    const root = freshFolder();
    put(root, {
      '.gitignore': 'skip/\n',
      'a.txt': 'needle 1\nhay\nneedle 2\n',
      'sub/.hidden': 'needle 3\n',
      'skip/b.txt': 'needle\n',
    });
    const tool = standardTools().find(({ name }) => name === 'search_file_content')!;
    const more = [
      {},
      { path: 'sub' },
      { path: 'a.txt' },
      { include: '*.txt' },
      { include: 'sub/**' },
      { include: '**/.h*' },
    ];
    for (const input of more.map((one) => ({ pattern: 'needle \\d', ...one })))
      expect((await runTool(tool, root, input)).output).toBe((await runTool(search, root, input)).output);
    expect((await runTool(tool, root, { pattern: '(' })).failed).toBe(true);
    expect((await runTool(tool, root, { pattern: '--help' })).output).toBe('No line matches --help.');
  });
});

describe('write_file and replace', () => {
  test('write_file makes folders, replaces all, keeps permissions, shows the difference', async () => {
    const root = freshFolder();
    expect((await runTool(writeFile, root, { path: 'new/a.sh', content: 'one\n' })).output).toBe(
      'new/a.sh was created (1 line).',
    );
    chmodSync(join(root, 'new/a.sh'), 0o755);
    const { output, display } = await runTool(writeFile, root, { path: 'new/a.sh', content: 'two\nthree\n' });
    expect(output).toBe('new/a.sh was changed (2 lines).');
    expect(display).toMatchObject({ type: 'diff', path: 'new/a.sh' });
    expect((display as { patch: string }).patch).toContain('-one\n+two\n+three');
    expect(text(root, 'new/a.sh')).toBe('two\nthree\n');
    expect(statSync(join(root, 'new/a.sh')).mode & 0o777).toBe(0o755);
    expect((await runTool(writeFile, root, { path: 'new/a.sh', content: 'two\nthree\n' })).output).toMatch(
      /nothing was changed/,
    );
  });

  test('an empty file has no lines', async () => {
    const { output } = await runTool(writeFile, freshFolder(), { path: 'empty.txt', content: '' });
    expect(output).toBe('empty.txt was created (0 lines).');
  });

  test.skipIf(process.platform === 'win32')('a new file has the permissions that the umask leaves', async () => {
    const root = freshFolder();
    const before = process.umask(0o027);
    onTestFinished(() => void process.umask(before));
    await runTool(writeFile, root, { path: 'a.txt', content: 'one\n' });
    expect(statSync(join(root, 'a.txt')).mode & 0o777).toBe(0o640);
  });

  test('what is written is exactly what was given', async () => {
    const root = freshFolder();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (content) => {
        await runTool(writeFile, root, { path: 'a.txt', content });
        expect(text(root, 'a.txt')).toBe(content);
      }),
      { numRuns: 40 },
    );
  });

  test('replace changes exactly the given text, the given number of times', async () => {
    const root = freshFolder();
    const edit = (old_string: string, new_string: string, times?: number) =>
      runTool(replace, root, { path: 'a.txt', old_string, new_string, ...(times === undefined ? {} : { times }) });
    put(root, { 'a.txt': 'one two one\n' });
    expect(await edit('two', '$& $1 2')).toMatchObject({ output: 'a.txt was changed (1 line).' });
    expect(text(root, 'a.txt')).toBe('one $& $1 2 one\n');
    expect(await edit('one', '1')).toMatchObject({
      failed: true,
      output: expect.stringMatching(/2 times in a\.txt, not 1/),
    });
    expect(await edit('one', '1', 2)).not.toMatchObject({ failed: true });
    expect(text(root, 'a.txt')).toBe('1 $& $1 2 1\n');
    expect(await edit('missing', 'x')).toMatchObject({
      failed: true,
      output: expect.stringMatching(/not found in a\.txt/),
    });
    expect(await edit('1', '1')).toMatchObject({ failed: true });
    expect(await edit('', 'x')).toMatchObject({ failed: true });
    expect(await runTool(replace, root, { path: 'b.txt', old_string: '', new_string: 'new' })).toMatchObject({
      output: 'b.txt was created (1 line).',
    });
  });

  test('replace keeps the line ends of a file', async () => {
    const root = freshFolder();
    writeFileSync(join(root, 'a.txt'), 'a\r\nb\r\nc\r\n');
    await runTool(replace, root, { path: 'a.txt', old_string: 'a\nb', new_string: 'x\ny\nz' });
    expect(text(root, 'a.txt')).toBe('x\r\ny\r\nz\r\nc\r\n');
  });
});
