import { describe, expect, test } from 'vitest';
import { type Attachment, bounded, requestInWords } from './attachment.js';
import { estimatedTokens, transcript } from './compress.js';
import type { Message } from './message.js';
import { modelMessages } from './model-messages.js';

const total: Attachment = { path: 'src/total.ts', lines: [3, 4], text: 'let sum;\r\nreturn sum;\r\n' };

describe('what the model reads of an attachment', () => {
  test('is its path, its lines with their numbers, and its text, after the message', () => {
    expect(requestInWords({ text: 'Why?', attachments: [total] })).toBe(
      'Why?\n\n[Attached by the user: src/total.ts, lines 3 to 4]\n3→let sum;\n4→return sum;',
    );
  });

  test('says whether it is the whole file, one line, empty, unsaved or cut', () => {
    const words = (attachment: Attachment) => requestInWords({ text: '', attachments: [attachment] });
    expect(words({ path: 'a', text: 'x' })).toContain('a, the whole file]\n1→x');
    expect(words({ path: 'a', lines: [7, 7], text: 'x' })).toContain('a, line 7]\n7→x');
    expect(words({ path: 'a', text: '' })).toContain('(the file is empty)');
    expect(words({ path: 'a', text: 'x', unsaved: true })).toContain('as it is in the editor, not saved]');
    expect(words({ path: 'a', text: 'x', cut: 1200 })).toMatch(/\n\[1.200 more characters are not shown/);
  });

  test('is sent, counted and summarised with the message', () => {
    const message: Message = { role: 'user', from: 'user', text: 'Why?', attachments: [total] };
    expect(modelMessages([message])).toEqual([{ role: 'user', content: expect.stringContaining('4→return sum;') }]);
    expect(estimatedTokens([message])).toBeGreaterThan(estimatedTokens([{ ...message, attachments: [] }]));
    expect(transcript([message], 10_000)).toContain('src/total.ts, lines 3 to 4');
  });
});

describe('a bounded attachment', () => {
  test('is unchanged where it is short, and ends with a whole line where it is long', () => {
    expect(bounded(total)).toBe(total);
    expect(bounded({ path: 'a', text: 'one\ntwo\nthree\n' }, 9)).toEqual({ path: 'a', text: 'one\ntwo\n', cut: 6 });
  });

  test('ends within a line where a whole one would leave out most of it', () => {
    expect(bounded({ path: 'a', text: `{\n${'x'.repeat(100)}` }, 50)).toMatchObject({ cut: 52 });
  });

  test('never ends in the middle of a character', () => {
    expect(bounded({ path: 'a', text: 'aaa😀😀' }, 4)).toEqual({ path: 'a', text: 'aaa', cut: 4 });
  });
});
