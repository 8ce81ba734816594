import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { entries } from '@loopfuse/conversation';
import { say, sequence } from '@loopfuse/model-server';
import { expect, test } from 'vitest';
import { reduce } from '../../webview/state/reduce.js';
import { startState } from '../../webview/state/view-state.js';
import { RecordingEditor, scriptedChat } from '../testing/scripted-chat.js';

const shownBy = ({ posts }: RecordingEditor) => posts.reduce(reduce, startState);
const writes = (path: string, content: string) => ({
  parts: [{ call: { tool: 'write_file', input: { path, content } } }],
});
const twoFiles = () =>
  sequence([writes('README.md', 'changed\n'), writes('new.txt', 'new\n')], { afterwards: () => say('Done.') });
const yolo = { settings: { approval: 'yolo' } } as const;

test('an answer that edited files can be undone: the files are as before, and the model is told with the next message', async () => {
  const { chat, editor, root, server, say: tell, saved, another } = await scriptedChat(twoFiles(), yolo);
  const before = readFileSync(join(root, 'README.md'), 'utf8');
  tell({ type: 'ready' });
  await chat.send('Change it');
  const [edits] = shownBy(editor).facts?.undoable ?? [];
  expect(edits).toMatchObject({ files: ['README.md', 'new.txt'] });
  const last = entries(shownBy(editor).conversation).findLast((item) => item.type === 'tool');
  expect(last).toMatchObject({ call: { id: edits?.call } });

  editor.press = ([first]) => first;
  tell({ type: 'undo-edits', id: edits!.id });
  const note = await editor.next('note', 0);
  expect(editor.notices.at(-1)).toMatchObject({
    message: 'The answer has created new.txt.',
    buttons: ['Remove It', 'Keep It'],
  });
  expect(note).toMatchObject({
    tone: 'good',
    text: expect.stringMatching(
      /^Edits were undone by the user\. As before the answer: README\.md\. Removed.*: new\.txt\./,
    ),
  });
  expect([readFileSync(join(root, 'README.md'), 'utf8'), existsSync(join(root, 'new.txt'))]).toEqual([before, false]);
  await chat.send('And now?');
  expect(shownBy(editor).facts?.undoable).toEqual([]);
  expect(JSON.stringify(server.requests.at(-1)?.body)).toMatch(/Edits were undone by the user.*And now\?/);
  expect((await saved())[0]?.history.map(({ role }) => role)).toEqual(
    'user assistant tool assistant tool assistant user user assistant'.split(' '),
  );

  await chat.close();
  const after = new RecordingEditor();
  after.opened = editor.opened;
  another(after).take({ type: 'ready' });
  await after.next('conversation', 0);
  expect(entries(shownBy(after).conversation)).toContainEqual(
    expect.objectContaining({ type: 'note', text: expect.stringMatching(/^Edits were undone/) }),
  );
});

test('a file that the user has changed since is left alone, and the model is told nothing', async () => {
  const {
    chat,
    editor,
    root,
    say: tell,
    saved,
  } = await scriptedChat(sequence([writes('README.md', 'changed\n')], { afterwards: () => say('Done.') }), yolo);
  await chat.send('Change it');
  writeFileSync(join(root, 'README.md'), 'mine\n');
  tell({ type: 'undo-edits', id: 1 });
  expect(await editor.next('note', 0)).toMatchObject({
    tone: 'warning',
    text: expect.stringMatching(/^No edit was undone.*README\.md/),
  });
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toBe('mine\n');
  expect(JSON.stringify((await saved())[0]?.history)).not.toContain('undone');
});

test('nothing happens if the user closes the question, and an unknown id is reported', async () => {
  const { chat, editor, root, say: tell } = await scriptedChat(twoFiles(), yolo);
  await chat.send('Change it');
  tell({ type: 'undo-edits', id: 1 });
  tell({ type: 'undo-edits', id: 77 });
  expect((await editor.next('note', 0)).text).toBe('There is nothing to undo any more.');
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toBe('changed\n');
  expect(shownBy(editor).facts?.undoable).toHaveLength(1);
});

test('the edits can be undone after the window was opened again, and after another conversation', async () => {
  const { chat, editor, root, say: tell, another, server } = await scriptedChat(twoFiles(), yolo);
  const before = readFileSync(join(root, 'README.md'), 'utf8');
  tell({ type: 'ready' });
  await chat.send('Change it');
  const session = chat.sessionId!;
  await chat.close();

  const after = new RecordingEditor();
  after.opened = editor.opened;
  const reloaded = another(after);
  reloaded.take({ type: 'ready' });
  await after.next('conversation', 0);
  expect(shownBy(after).facts?.undoable).toMatchObject([{ files: ['README.md', 'new.txt'] }]);
  await reloaded.newChat();
  expect(shownBy(after).facts?.undoable).toEqual([]);
  await reloaded.resume(session);
  const [edits] = shownBy(after).facts?.undoable ?? [];

  after.press = ([first]) => first;
  reloaded.take({ type: 'undo-edits', id: edits!.id });
  await after.next('note', 1);
  expect([readFileSync(join(root, 'README.md'), 'utf8'), existsSync(join(root, 'new.txt'))]).toEqual([before, false]);
  await reloaded.send('And now?');
  expect(JSON.stringify(server.requests.at(-1)?.body)).toMatch(/Edits were undone by the user.*And now\?/);
});
