import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entries } from '@loopfuse/conversation';
import { loopsForever, type Script, say, sequence } from '@loopfuse/model-server';
import { expect, test, vi } from 'vitest';
import { reduce } from '../../webview/state/reduce.js';
import { startState } from '../../webview/state/view-state.js';
import { type RecordingEditor, type ScriptedChat, scriptedChat } from '../testing/scripted-chat.js';

const shownBy = ({ posts }: RecordingEditor) => entries(posts.reduce(reduce, startState).conversation);
const writes: Script = sequence(
  [{ parts: [{ call: { tool: 'write_file', input: { path: 'README.md', content: 'changed\n' } } }] }],
  { afterwards: () => say('Done.') },
);
const yolo = { settings: { approval: 'yolo', policy: 'ask' } } as const;

test('the last message is sent again with its attachments, and its first answer is removed', async () => {
  const { chat, editor, server, root, saved, say: tell } = await scriptedChat(() => say('First.'));
  await chat.send('Hello');
  await chat.attach({ file: join(root, 'README.md'), title: '', text: 'one\n', isUnsaved: false });
  tell({ type: 'send', text: 'What is this?' });
  await editor.next('settled', 1);
  server.setScript(() => say('Second.'));
  tell({ type: 'retry' });
  await editor.next('settled', 2);
  const body = JSON.stringify(server.requests.at(-1)?.body);
  expect(body).toMatch(/Hello.*First\..*What is this\?.*README\.md, the whole file/);
  expect(body.split('What is this?')).toHaveLength(2);
  expect(shownBy(editor).map((item) => item.type)).toEqual(['you', 'says', 'you', 'says']);
  expect(shownBy(editor)[2]).toMatchObject({ text: 'What is this?', attached: [{ path: 'README.md' }] });
  const [session] = await saved();
  expect(session?.history.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
  expect(JSON.stringify(session?.history.at(-1))).toContain('Second.');
});

test('edits stay unless they are undone as well, and the model is told that they stay', async () => {
  const { chat, editor, server, root, say: tell } = await scriptedChat(writes, yolo);
  await chat.send('Change it');
  server.setScript(() => say('Again.'));
  tell({ type: 'retry' }); // the question is closed without an answer
  tell({ type: 'retry' }); // pressed twice
  await vi.waitFor(() => expect(editor.notices).toHaveLength(1), { timeout: 15_000 });
  expect(editor.notices.at(-1)?.buttons).toEqual(['Undo Edits and Retry', 'Keep Edits and Retry']);
  expect(chat.busy).toBe(false);
  await vi.waitFor(() => expect(editor.logged.at(-1)?.message).toMatch(/not sent again/), { timeout: 15_000 });
  editor.press = ([, second]) => second;
  tell({ type: 'retry' });
  await editor.next('settled', 1);
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toBe('changed\n');
  expect(JSON.stringify(server.requests.at(-1)?.body)).toMatch(/still there: README\.md\..*Change it/);
});

test('with undo the files are as before the answer', async () => {
  const { chat, editor, server, root, say: tell } = await scriptedChat(writes, yolo);
  const before = readFileSync(join(root, 'README.md'), 'utf8');
  await chat.send('Change it');
  server.setScript(() => say('Again.'));
  editor.press = ([first]) => first;
  tell({ type: 'retry' });
  await editor.next('settled', 1);
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toBe(before);
  expect(JSON.stringify(server.requests.at(-1)?.body)).not.toMatch(/undone|write_file.*README/);
});

test('a request that was halted for a loop can be retried with a fresh guard', async () => {
  const { chat, editor, server, say: tell } = await scriptedChat(loopsForever(), yolo);
  await chat.send('Read it');
  expect(chat.halted).toBeDefined();
  server.setScript(() => say('Better.'));
  tell({ type: 'retry' });
  await editor.next('settled', 1);
  expect(chat.halted).toBeUndefined();
  expect(shownBy(editor).map((item) => item.type)).toEqual(['you', 'says']);
  expect(editor.guards.at(-1)).toBe('watching');
});

test('the message is not lost if another one is sent at the same moment', async () => {
  const { chat, editor, server, say: tell } = await scriptedChat(() => say('Yes.'));
  await chat.send('First');
  tell({ type: 'retry' });
  await chat.send('Second');
  await vi.waitFor(() => expect(chat.busy).toBe(false));
  const sent = JSON.stringify(server.requests.at(-1)?.body);
  const returned = editor.of('compose').map(({ text }) => text);
  for (const text of ['First', 'Second']) expect(sent.includes(text) || returned.includes(text)).toBe(true);
});

test('a note says that there is nothing to retry', async () => {
  const { editor, say: tell } = await scriptedChat(() => say('Yes.'));
  tell({ type: 'retry' });
  expect((await editor.next('note', 0)).text).toMatch(/not in the history/);
});

test.each([
  ['another message was sent', async ({ chat }: ScriptedChat) => chat.send('And this?')],
  ['a new chat was begun', async ({ chat }: ScriptedChat) => chat.newChat()],
])('a question that is answered after %s changes nothing', async (_, goesOn) => {
  const scripted = await scriptedChat(writes, yolo);
  const { chat, editor, server, say: tell } = scripted;
  await chat.send('Change it');
  server.setScript(() => say('Again.'));
  let press = (_: string | undefined) => {};
  editor.notify = (_, message, ...buttons) => {
    editor.notices.push({ tone: '', message, buttons });
    return new Promise((resolve) => {
      press = resolve;
    });
  };
  tell({ type: 'retry' });
  await vi.waitFor(() => expect(editor.notices).toHaveLength(1), { timeout: 15_000 });
  tell({ type: 'retry' });
  expect((await editor.next('note', 0)).text).toMatch(/notification asks/);
  await goesOn(scripted);
  const { seen } = server;
  const told = editor.next('note');
  press(editor.notices[0]?.buttons[1]);
  expect((await told).text).toMatch(/continued since/);
  expect(server.seen).toBe(seen);
});
