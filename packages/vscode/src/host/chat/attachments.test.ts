import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { maxAttached } from '@loopfuse/agent';
import { entries } from '@loopfuse/conversation';
import { fails, plainAnswer, say } from '@loopfuse/model-server';
import { expect, test } from 'vitest';
import { reduce } from '../../webview/state/reduce.js';
import { startState } from '../../webview/state/view-state.js';
import type { Excerpt } from '../editor.js';
import { RecordingEditor, scriptedChat } from '../testing/scripted-chat.js';

const excerpt = (file: string | undefined, more: Partial<Excerpt> = {}): Excerpt => ({
  file,
  title: 'a document',
  text: 'one\ntwo\n',
  isUnsaved: false,
  ...more,
});
const shownBy = ({ posts }: RecordingEditor) => posts.reduce(reduce, startState);

test('what is attached on the page goes to the model with path, lines and text, and is shown with the message', async () => {
  const { chat, editor, server, root, saved, say: tell, another } = await scriptedChat(() => say('Seen.'));
  editor.selected = excerpt(join(root, 'src/index.js'), { lines: [3, 4] });
  tell({ type: 'attach' });
  const { attached } = await editor.next('attached', 0);
  expect(attached).toEqual([{ id: 1, path: 'src/index.js', lines: [3, 4] }]);
  tell({ type: 'send', text: 'What is this?' });
  await editor.next('settled', 0);
  expect(editor.of('started')).toEqual([
    { type: 'started', text: 'What is this?', attached: [{ path: 'src/index.js', lines: [3, 4] }] },
  ]);
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain(
    JSON.stringify('What is this?\n\n[Attached by the user: src/index.js, lines 3 to 4]\n3→one\n4→two').slice(1, -1),
  );
  expect(shownBy(editor).attached).toEqual([]);
  expect((await saved())[0]?.history[0]).toMatchObject({
    text: 'What is this?',
    attachments: [{ text: 'one\ntwo\n' }],
  });

  await chat.close();
  const after = new RecordingEditor();
  after.opened = editor.opened;
  another(after).take({ type: 'ready' });
  await after.next('conversation', 0);
  expect(entries(shownBy(after).conversation)[0]).toEqual({
    type: 'you',
    text: 'What is this?',
    attached: [{ path: 'src/index.js', lines: [3, 4] }],
  });
});

test('the unsaved text of a document is sent and marked as not saved', async () => {
  const { chat, editor, server, root, say: tell } = await scriptedChat(plainAnswer);
  await chat.attach(excerpt(join(root, 'README.md'), { text: 'not on disk', isUnsaved: true }));
  expect(shownBy(editor).attached).toEqual([{ id: 1, path: 'README.md', note: 'not saved' }]);
  tell({ type: 'send', text: 'Go' });
  await editor.next('settled', 0);
  expect(JSON.stringify(server.requests.at(-1)?.body)).toMatch(
    /README\.md, the whole file, as it is in the editor, not saved\]\\n1→not on disk/,
  );
});

test('a long text is cut, and the chip says so', async () => {
  const { chat, editor, root } = await scriptedChat(plainAnswer);
  await chat.attach(excerpt(join(root, 'README.md'), { text: 'x'.repeat(maxAttached + 1200) }));
  expect(shownBy(editor).attached[0]?.note).toMatch(/the last 1.200 characters are left out/);
});

test('it can be removed, the same one is attached once, and there is a limit', async () => {
  const { chat, editor, root, server, say: tell } = await scriptedChat(plainAnswer);
  await chat.attach(excerpt(join(root, 'README.md')));
  await chat.attach(excerpt(join(root, 'README.md'), { text: 'later' }));
  expect(shownBy(editor).attached.map(({ id }) => id)).toEqual([2]);
  tell({ type: 'detach', id: 2 });
  expect(shownBy(editor).attached).toEqual([]);
  for (let k = 1; k <= 11; k++) await chat.attach(excerpt(join(root, 'README.md'), { lines: [k, k] }));
  expect(shownBy(editor).attached).toHaveLength(10);
  expect(editor.notes.at(-1)).toMatch(/10 attachments at most/);
  await chat.attach(excerpt(join(root, 'README.md'), { lines: [1, 1], text: 'later' }));
  expect(shownBy(editor).attached.map(({ lines }) => lines?.[0])).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 1]);
  await chat.send('from another extension');
  expect(JSON.stringify(server.requests.at(-1)?.body)).not.toContain('Attached by the user');
  expect(shownBy(editor).attached).toHaveLength(10);
});

test('files outside of the folder, links to them, and unsaved documents are refused', async () => {
  const { chat, editor, root, home } = await scriptedChat(plainAnswer);
  writeFileSync(join(home, 'secret.txt'), 'x');
  symlinkSync(join(home, 'secret.txt'), join(root, 'harmless.txt'));
  for (const file of [join(home, 'secret.txt'), join(root, 'harmless.txt'), '/etc/passwd'])
    await chat.attach(excerpt(file));
  expect(editor.notes).toEqual(Array(3).fill(expect.stringMatching(/^Not attached: .*outside the workspace/)));
  await chat.attach(excerpt(undefined));
  expect(editor.notes.at(-1)).toMatch(/save it first/);
  expect(shownBy(editor).attached).toEqual([]);
});

test('files that may contain keys are asked about', async () => {
  const { chat, editor, root } = await scriptedChat(plainAnswer);
  await chat.attach(excerpt(join(root, '.npmrc')));
  expect(editor.notices).toEqual([expect.objectContaining({ message: expect.stringContaining('.npmrc') })]);
  expect(shownBy(editor).attached).toEqual([]);
  editor.press = ([first]) => first;
  await chat.attach(excerpt(join(root, '.npmrc')));
  expect(shownBy(editor).attached).toHaveLength(1);
});

test('a page that loads later shows what was attached before, and focuses the composer', async () => {
  const { chat, editor, root, say: tell } = await scriptedChat(plainAnswer);
  editor.hasPage = false;
  await chat.attach(excerpt(join(root, 'README.md')));
  editor.hasPage = true;
  tell({ type: 'ready' });
  await editor.next('compose', 0);
  expect(shownBy(editor).attached).toEqual([{ id: 1, path: 'README.md' }]);
});

test('what cannot be sent stays attached', async () => {
  const { chat, editor, root, say: tell } = await scriptedChat(fails(400));
  editor.trusted = false;
  await chat.attach(excerpt(join(root, 'README.md')));
  tell({ type: 'send', text: 'Go' });
  await editor.next('compose', 1);
  expect(shownBy(editor).attached).toHaveLength(1);
});

test('the button says so if no editor is open', async () => {
  const { editor, say: tell } = await scriptedChat(plainAnswer);
  tell({ type: 'attach' });
  expect((await editor.next('note', 0)).text).toMatch(/open a file/);
});
