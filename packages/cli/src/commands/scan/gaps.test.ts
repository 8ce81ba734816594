import { expect, test } from 'vitest';
import { unreadInWords } from './gaps.js';
import { markdownSummary } from './markdown-summary.js';
import { sarif } from './sarif.js';

const unread = Array.from({ length: 1200 }, (_, k) => ({
  file: `logs/${k}.jsonl`,
  message: 'permission & <b>denied</b>',
}));

test('thousands of files that could not be read bury nothing: the first are named, and all are counted', () => {
  const [{ invocations }] = JSON.parse(sarif([], '/x', { unread })).runs;
  const notes = invocations[0].toolExecutionNotifications as { message: { text: string } }[];
  expect(notes).toHaveLength(101);
  expect(notes.at(-1)?.message.text).toBe(`${unreadInWords(unread)}.`);
  const lines = markdownSummary([], 3, { unread }).split('\n');
  expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(21);
  expect(lines).toContain('- …and 1180 more');
});

test('what a message holds is shown as text in Markdown', () => {
  expect(markdownSummary([], 1, { unread: unread.slice(0, 1) })).toContain(
    '- logs/0.jsonl: permission \\& \\<b\\>denied\\</b\\>\n',
  );
});
