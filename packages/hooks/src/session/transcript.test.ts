import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claudeCode, geminiCli, type LinesFormat } from '@loopfuse/formats';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bookmark, endOf, readOn } from './transcript.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopfuse-transcript-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const newFile = () => join(folder, `${++files}.jsonl`);

function read(format: LinesFormat, bookmark: Bookmark): { texts: string[]; bookmark: Bookmark; skipped: number } {
  const texts: string[] = [];
  const result = readOn(format, bookmark, (event) => {
    if (event.type === 'text' || event.type === 'reasoning') texts.push(event.text);
  });
  return { texts, ...result };
}

const claudeLine = (k: number, text: string) =>
  JSON.stringify({
    type: 'assistant',
    uuid: `line-${k}`,
    sessionId: 's',
    message: {
      id: `message-${k}`,
      content: [
        { type: 'text', text },
        { type: 'tool_use', id: `call-${k}`, name: 'Read', input: {} },
      ],
    },
  });
/** Gemini CLI writes a message again whenever it grows. */
const geminiLines = (k: number, text: string) =>
  [text.slice(0, Math.ceil(text.length / 2)), text, text]
    .map((content) => JSON.stringify({ id: `message-${k}`, type: 'gemini', content }))
    .join('\n');

describe.each([
  ['claude-code', claudeCode, claudeLine],
  ['gemini-cli', geminiCli, geminiLines],
] as const)('a transcript of %s', (_name, format, lineOf) => {
  test('read while it grows, cut anywhere, gives the same text as read at once, and nothing twice', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat({ max: 4000 }), { maxLength: 12 }),
        (texts, cuts) => {
          const bytes = Buffer.from(texts.map((text, k) => `${lineOf(k, text)}\n`).join(''));
          const file = newFile();
          writeFileSync(file, '');
          let bookmark: Bookmark = endOf(file);
          let text = '';
          let from = 0;
          for (const to of [...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length]) {
            appendFileSync(file, bytes.subarray(from, to));
            from = to;
            const next = read(format, bookmark);
            text += next.texts.join('');
            bookmark = next.bookmark;
          }
          expect(text).toBe(texts.join(''));
          expect(bookmark.offset).toBe(bytes.length);
        },
      ),
      { numRuns: 60 },
    );
  });
});

test('of a transcript that grew by very much only the end is read, and how much was left out is reported', () => {
  const file = newFile();
  writeFileSync(file, '');
  const start = endOf(file);
  const filler = `${claudeLine(1, 'x'.repeat(100_000))}\n`;
  for (let k = 0; k < 50; k++) appendFileSync(file, filler);
  appendFileSync(file, `${claudeLine(2, 'the end')}\n`);
  const { texts, bookmark, skipped } = read(claudeCode, start);
  expect(texts.at(-1)).toBe('the end');
  expect(skipped).toBeGreaterThan(3_000_000);
  expect(texts.join('').length).toBeLessThan(1_100_000);
  expect(read(claudeCode, bookmark).texts).toEqual([]);
});

test('a transcript that was rewritten is read from its end on', () => {
  const file = newFile();
  writeFileSync(file, `${claudeLine(1, 'a long line, and then another one')}\n`);
  const bookmark = endOf(file);
  truncateSync(file, 10);
  expect(read(claudeCode, bookmark)).toMatchObject({ texts: [], bookmark: { offset: 10 } });
});

test('a transcript that is not there begins at 0; reading it throws', () => {
  const path = join(folder, 'missing.jsonl');
  expect(endOf(path)).toEqual({ path, offset: 0 });
  expect(() => read(claudeCode, { path, offset: 0 })).toThrow('ENOENT');
});

test.skipIf(process.platform === 'win32')('a pipe in the place of a transcript is not waited for', () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  expect(endOf(pipe)).toEqual({ path: pipe, offset: 0 });
  expect(read(claudeCode, endOf(pipe))).toMatchObject({ texts: [], bookmark: { offset: 0 } });
});

test('calls, results, prompts and the bounds of turns are left to the hooks', () => {
  const file = newFile();
  writeFileSync(file, '');
  const start = endOf(file);
  appendFileSync(
    file,
    `${JSON.stringify({ type: 'user', uuid: 'u', sessionId: 's', message: { content: 'do it' } })}\n`,
  );
  appendFileSync(file, `${claudeLine(1, 'I do')}\n`);
  const types: string[] = [];
  readOn(claudeCode, start, ({ type }) => types.push(type));
  expect(types).toEqual(['text']);
});
