import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientEvent } from '@loopfuse/agent';
import { costOf, entries, type ItemOf } from '@loopfuse/conversation';
import {
  alternates,
  callFor,
  chants,
  cutsTheStream,
  fails,
  loopsForever,
  plainAnswer,
  recoversAfterSteer,
  type Script,
  sameError,
  say,
  sequence,
  stalls,
  thinksInCircles,
} from '@loopfuse/model-server';
import { type LoopKind, loopKinds } from 'loopfuse';
import { describe, expect, test, vi } from 'vitest';
import { choicesWithHints } from '../../../../conversation/testing/loop-report.js';
import { reduce } from '../../webview/state/reduce.js';
import { startState, type ViewState } from '../../webview/state/view-state.js';
import { RecordingEditor, scriptedChat, storedKey } from '../testing/scripted-chat.js';

const ask = { settings: { policy: 'ask', approval: 'yolo' } } as const;
const pageOf = ({ posts }: RecordingEditor): ViewState => posts.reduce(reduce, startState);
const loopsOn = ({ conversation }: ViewState) =>
  entries(conversation).filter((item): item is ItemOf<'loop'> => item.type === 'loop');
const types = (events: readonly ClientEvent[]) => events.map(({ type }) => type);

describe('a request', () => {
  test('streams to the page in order and ends settled', async () => {
    const { chat, editor, saved } = await scriptedChat(() => say('One two three.'));
    await chat.send('Count');
    expect(editor.of('started')).toEqual([{ type: 'started', text: 'Count' }]);
    const text = editor.events.map((event) => (event.type === 'content' ? event.text : '')).join('');
    expect(text).toBe('One two three.');
    expect(types(editor.events).at(-1)).toBe('finished');
    expect(editor.posts.findIndex(({ type }) => type === 'settled')).toBeGreaterThan(
      editor.posts.findLastIndex(({ type }) => type === 'events'),
    );
    expect(editor.busy).toEqual([true, false]);
    expect((await saved()).map(({ id }) => id)).toEqual([editor.opened?.id]);
  });

  test('is refused while another one is running, and its text is returned', async () => {
    const { chat, editor } = await scriptedChat(stalls({ after: 1 }));
    const first = chat.send('One');
    await editor.next('started', 0);
    await chat.send('Two');
    expect(editor.notes).toEqual([expect.stringMatching(/Stop it first/)]);
    expect(editor.of('compose')).toEqual([{ type: 'compose', text: 'Two' }]);
    chat.stop();
    await first;
  });

  test('is not lost if two are sent at the same moment', async () => {
    const { chat, editor, server } = await scriptedChat(() => say('Yes.'));
    await Promise.all([chat.send('One'), chat.send('Two')]);
    expect(server.seen).toBe(1);
    expect(editor.of('started').map(({ text }) => text)).toEqual(['One']);
    expect(editor.of('compose').map(({ text }) => text)).toEqual(['Two']);
  });

  test('that is cancelled ends at once, with everything cleared, and the next one works', async () => {
    const { chat, editor, server } = await scriptedChat(stalls({ after: 2 }));
    const sent = chat.send('Wait');
    await editor.next('events', 0);
    chat.stop();
    await sent;
    expect(types(editor.events).at(-1)).toBe('user-cancelled');
    expect(chat.busy).toBe(false);
    server.setScript(plainAnswer);
    await chat.send('Again');
    expect(types(editor.events).at(-1)).toBe('finished');
  });

  test.each([
    ['a server that refuses', fails(400), /./],
    ['a stream that is cut', cutsTheStream(), /./],
  ])('with %s ends in a clear message, and the next one works', async (_, script: Script, message) => {
    const { chat, editor, server } = await scriptedChat(script);
    await chat.send('Hello');
    const last = editor.events.at(-1);
    expect(last).toMatchObject({ type: 'error', message: expect.stringMatching(message) });
    expect(editor.logged).toContainEqual(expect.objectContaining({ level: 'error' }));
    server.setScript(plainAnswer);
    await chat.send('Again');
    expect(types(editor.events).at(-1)).toBe('finished');
  });

  test('to a server that is down says so, with a notification if the page is hidden', async () => {
    const { chat, editor, server } = await scriptedChat(plainAnswer);
    await server.close();
    editor.visible = false;
    await chat.send('Hello');
    expect(editor.events.at(-1)).toMatchObject({ type: 'error' });
    expect(editor.notices).toEqual([expect.objectContaining({ tone: 'error' })]);
    expect(chat.busy).toBe(false);
  }, 20_000);
});

describe('a loop', () => {
  const loops: [LoopKind, Script, object][] = [
    ['repeated-calls', loopsForever(), {}],
    ['cycle', alternates(), {}],
    ['repeated-failure', sameError(), {}],
    ['chanting', chants(), {}],
    ['circling', thinksInCircles({ times: 60 }), {}],
  ];

  test.each(loops)(
    'of the kind %s halts the request, and page, status bar and log show it',
    async (kind, script, settings) => {
      const {
        chat,
        editor,
        saved,
        say: tell,
      } = await scriptedChat(script, {
        settings: { ...ask.settings, ...settings },
      });
      tell({ type: 'ready' });
      await editor.next('conversation', 0);
      await chat.send('Find the bug');
      const loop = editor.events.at(-1);
      expect(loop).toMatchObject({ type: 'loop-detected', kind, title: loopKinds[kind].title });
      expect(editor.posts.map(({ type }) => type).filter((type) => type === 'settled')).toHaveLength(1);
      expect(chat.busy).toBe(false);
      expect(chat.guard).toBe('halted');
      expect(editor.guards.at(-1)).toBe('halted');
      expect(editor.of('facts').at(-1)?.facts.guard).toBe('halted');
      const [session] = await saved();
      expect(session?.halted?.kind).toBe(kind);
      const warning = editor.logged.find(({ level, data }) => level === 'warn' && data !== undefined);
      expect(JSON.stringify(warning?.data)).toContain('"evidence"');
      expect(editor.notices).toEqual([]);
    },
  );

  test('that a judge found is reported like any other', async () => {
    const opinion = say(JSON.stringify({ analysis: 'It reads the same file for ever.', confidence: 0.95 }));
    const loops = loopsForever();
    const { chat, editor } = await scriptedChat((turn) => (turn.model === 'judge' ? opinion : loops(turn)), {
      settings: {
        ...ask.settings,
        judge: { model: 'judge', schedule: 'ancestors' },
        detectors: {
          'stale-rounds': false,
        },
      },
    });
    await chat.send('Find the bug');
    expect(editor.events.at(-1)).toMatchObject({ type: 'loop-detected', kind: 'judged' });
    expect(editor.of('facts').at(-1)?.facts.judge?.calls).toBeGreaterThan(0);
  });

  test('is shown in a notification if the page is hidden, with the choices as buttons', async () => {
    const { chat, editor } = await scriptedChat(loopsForever(), ask);
    editor.visible = false;
    await chat.send('Find the bug');
    const [notice] = editor.notices;
    expect(notice?.message).toMatch(/^Repeated calls: .*Spent on it: /);
    expect(notice?.buttons).toEqual(['Stop', 'Continue', 'Hint…', 'Exempt read_file', 'Switch Off']);
  });
});

describe('a stricter approval mode in the settings', () => {
  test('takes effect at once, also after “Run all” and during a request', async () => {
    const script = sequence([
      (turn) => ({ parts: [callFor(turn, { write: 'a.txt', content: 'a' })] }),
      (turn) => ({
        parts: [callFor(turn, { shell: 'echo go > went.txt; while [ ! -e on.txt ]; do sleep 0.05; done' })],
      }),
      (turn) => ({ parts: [callFor(turn, { write: 'b.txt', content: 'b' })] }),
      say('Done.'),
    ]);
    const scripted = await scriptedChat(script, { settings: { policy: 'ask', approval: 'auto-edit' } });
    const { chat, editor, root } = scripted;
    scripted.say({ type: 'ready' });
    await editor.next('conversation', 0);
    scripted.say({ type: 'set-approval', mode: 'yolo' });
    const sent = chat.send('Write');
    while (!existsSync(join(root, 'went.txt'))) await new Promise((later) => setTimeout(later, 20));
    scripted.settings = { ...scripted.settings, approval: 'ask' };
    const refreshed = chat.refresh();
    while (editor.logged.every(({ message }) => !message.includes('Approval is ask')))
      await new Promise((later) => setTimeout(later, 20));
    writeFileSync(join(root, 'on.txt'), '');
    const { id } = await editor.next('approval', 0);
    scripted.say({ type: 'answer-approval', id, answer: 'no' });
    await sent;
    await refreshed;
    expect([existsSync(join(root, 'a.txt')), existsSync(join(root, 'b.txt'))]).toEqual([true, false]);
  });
});

describe('a page that is not loaded yet', () => {
  test('gets the messages that were kept for it after the conversation', async () => {
    const scripted = await scriptedChat(plainAnswer);
    const { chat, editor } = scripted;
    editor.hasPage = false;
    chat.compose();
    await chat.resume('no-such-session');
    await chat.send('Hello');
    editor.hasPage = true;
    scripted.say({ type: 'ready' });
    await editor.next('compose', 0);
    expect(editor.posts.map(({ type }) => type).filter((type) => type !== 'facts')).toEqual([
      'conversation',
      'compose',
      'note',
    ]);
    expect(editor.of('conversation')[0]?.history).toHaveLength(2);
    expect(editor.notes[0]).toMatch(/no-such-session|no sessions/);
  });

  test('gets the text back if nothing can be sent', async () => {
    const scripted = await scriptedChat(plainAnswer);
    const { chat, editor } = scripted;
    scripted.settings = {};
    editor.hasPage = false;
    await chat.send('Hello');
    editor.hasPage = true;
    scripted.say({ type: 'ready' });
    expect(await editor.next('compose', 0)).toEqual({ type: 'compose', text: 'Hello' });
  });
});

describe('the choice about a loop', () => {
  async function halted(script: Script = loopsForever()) {
    const scripted = await scriptedChat(script, ask);
    await scripted.chat.send('Find the bug');
    expect(scripted.chat.halted).toBeDefined();
    return scripted;
  }

  test('stop ends the request, also after the window was closed', async () => {
    const { chat, editor, server, another } = await halted();
    const { seen } = server;
    await chat.answerLoop('stop');
    expect(server.seen).toBe(seen);
    expect(editor.of('loop-answered')).toEqual([{ type: 'loop-answered', choice: 'stop' }]);
    await chat.close();
    const later = new RecordingEditor();
    later.opened = editor.opened;
    another(later).take({ type: 'ready' });
    const conversation = await later.next('conversation', 0);
    expect(conversation.halted).toBeUndefined();
    expect([chat.guard, editor.guards.at(-1), conversation.facts.guard]).toEqual(['watching', 'watching', 'watching']);
    expect(conversation.history.length).toBeGreaterThan(2);
  });

  test('continue goes on, and the same loop is seen a second time', async () => {
    const { chat, editor } = await halted();
    await chat.answerLoop('continue');
    const found = editor.events.filter(({ type }) => type === 'loop-detected');
    expect(found).toHaveLength(2);
    expect(editor.guards.filter((state) => state === 'halted')).toHaveLength(2);
    expect(chat.halted).toBeDefined();
  });

  test('hint sends the model the hint of the user', async () => {
    const { chat, editor, server } = await halted();
    server.setScript(() => say('Now I see.'));
    await chat.answerLoop('hint', 'Look into src.');
    expect(editor.of('started').at(-1)).toEqual({ type: 'started', text: 'Look into src.' });
    expect(server.requests.at(-1)?.turn?.messages.at(-1)?.text).toContain('Look into src.');
    expect(types(editor.events).at(-1)).toBe('finished');
    expect(chat.guard).toBe('watching');
  });

  test('is carried out once if two are made at once', async () => {
    const { chat, editor, server } = await halted();
    server.setScript(() => say('Done.'));
    const { seen } = server;
    await Promise.all([chat.answerLoop('continue'), chat.answerLoop('exempt')]);
    expect(editor.of('loop-answered')).toHaveLength(1);
    expect(server.seen).toBe(seen + 1);
  });

  test('with an empty hint is refused', async () => {
    const { chat, editor } = await halted();
    await chat.answerLoop('hint', '  ');
    expect(editor.of('loop-answered')).toEqual([]);
    expect(chat.halted).toBeDefined();
  });

  test('exempt does not flag the tool again', async () => {
    const { chat, editor, server } = await halted();
    server.setScript(loopsForever({ rounds: 30 }));
    await chat.answerLoop('exempt');
    expect(types(editor.events).filter((type) => type === 'loop-detected')).toHaveLength(1);
    expect(types(editor.events).at(-1)).toBe('finished');
  });

  test('disable stops detection until it is switched on again', async () => {
    const { chat, editor, server } = await halted();
    server.setScript(loopsForever({ rounds: 30 }));
    await chat.answerLoop('disable');
    expect(types(editor.events).at(-1)).toBe('finished');
    expect(chat.guard).toBe('off');
    expect(chat.guardRows).toContainEqual(['Detectors', 'none']);
    await chat.toggleDetection();
    expect(chat.guard).toBe('watching');
    expect(chat.guardRows).toContainEqual(['Detectors', 'stale-rounds: times 3']);
    server.setScript(loopsForever());
    await chat.send('Once more');
    expect(types(editor.events).at(-1)).toBe('loop-detected');
  });

  test('in a notification is carried out', async () => {
    const { chat, editor, server } = await halted();
    await chat.answerLoop('stop');
    editor.visible = false;
    editor.press = (buttons) => buttons.find((label) => label === 'Hint…');
    editor.typed = 'Try the tests.';
    const settled = editor.next('settled', 2);
    await chat.send('Go');
    server.setScript(() => say('Done.'));
    await settled;
    expect(server.requests.at(-1)?.turn?.messages.some(({ text }) => text.includes('Try the tests.'))).toBe(true);
    expect(types(editor.events).at(-1)).toBe('finished');
  });
});

describe('the cost of a loop', () => {
  test('is shown in dollars if the price of the model is known', async () => {
    const priceOf = () => ({ input: 2, output: 10, cached: 1 });
    const { chat, editor } = await scriptedChat(loopsForever(), { ...ask, priceOf });
    await chat.send('Find the bug');
    const live = pageOf(editor);
    expect(loopsOn(live)[0]?.cost).toBeGreaterThan(0);
    expect(loopsOn(live)[0]?.cost).toBeLessThanOrEqual(costOf(live.conversation) ?? 0);
    chat.take({ type: 'ready' });
    await editor.next('conversation', 0);
    expect(loopsOn(pageOf(editor))).toEqual(loopsOn(live));
  });

  test('is not shown if the price is not known', async () => {
    const { chat, editor } = await scriptedChat(loopsForever(), ask);
    await chat.send('Find the bug');
    const page = pageOf(editor);
    expect([loopsOn(page)[0]?.cost, page.conversation.price]).toEqual([undefined, undefined]);
    expect(loopsOn(page)).toHaveLength(1);
  });
});

test.each(choicesWithHints)(
  'a loop settled with %s keeps its card after a change of settings, a reload and a resume',
  async (choice, hint) => {
    const priceOf = () => ({ input: 2, output: 10, cached: 1 });
    const { chat, editor, server, another } = await scriptedChat(loopsForever(), { ...ask, priceOf });
    chat.take({ type: 'ready' });
    await editor.next('conversation', 0);
    await chat.send('Find the bug');
    server.setScript(() => say('Done.'));
    await chat.answerLoop(choice, hint);
    const live = entries(pageOf(editor).conversation);
    expect(loopsOn(pageOf(editor))).toMatchObject([
      { state: 'answered', choice, report: { title: loopKinds['repeated-calls'].title }, cost: expect.any(Number) },
    ]);
    await chat.refresh();
    expect(entries(pageOf(editor).conversation)).toEqual(live);
    chat.take({ type: 'ready' });
    await editor.next('conversation', 2);
    expect(entries(pageOf(editor).conversation)).toEqual(live);
    const id = chat.sessionId!;
    await chat.close();
    const later = new RecordingEditor();
    const window = another(later);
    await window.resume(id);
    expect(entries(pageOf(later).conversation).slice(0, live.length)).toEqual(live);
    expect(later.notes).toEqual(['The session was resumed.']);
  },
);

test('the diff of a change stays in its card after a reload', async () => {
  const write = { call: { tool: 'write_file', input: { path: 'new.txt', content: 'one\n' } } };
  const script: Script = ({ turn }) => (turn === 0 ? { parts: [write] } : say('Done.'));
  const { chat, editor } = await scriptedChat(script, ask);
  await chat.send('Write it');
  await chat.refresh();
  expect(entries(pageOf(editor).conversation)[1]).toMatchObject({
    type: 'tool',
    display: { type: 'diff', patch: expect.stringContaining('+one') },
  });
});

describe('a page', () => {
  test('that loads during a request gets everything once', async () => {
    const {
      chat,
      editor,
      say: tell,
    } = await scriptedChat(
      sequence([
        (turn) => ({ parts: [{ text: 'Let me look. ' }, callFor(turn, { read: 'README.md' })] }),
        stalls({ after: 2 }),
      ]),
    );
    await chat.send('');
    const sent = chat.send('Look');
    await vi.waitFor(() => expect(types(editor.events)).toContain('tool-call-request'), { timeout: 15_000 });
    tell({ type: 'ready' });
    const conversation = await editor.next('conversation', 0);
    expect(conversation.history).toEqual([]);
    const after = editor.posts.slice(editor.posts.indexOf(conversation));
    expect(after[1]).toEqual({ type: 'started', text: 'Look' });
    const again = after[2];
    expect(again?.type === 'events' && types(again.events).slice(0, 2)).toEqual(['content', 'tool-call-request']);
    chat.stop();
    await sent;
  });

  test('shows that the guard is watching again when the model recovers', async () => {
    const { chat, editor } = await scriptedChat(recoversAfterSteer(), { settings: { approval: 'yolo' } });
    await chat.send('Find the bug');
    expect(editor.guards).toContain('steered');
    expect(types(editor.events)).toContain('loop-steered');
    expect(types(editor.events).at(-1)).toBe('finished');
  });

  test('that sends invalid messages is ignored, with a line in the log', async () => {
    const { chat, editor } = await scriptedChat(plainAnswer);
    for (const wrong of [null, {}, { type: 'rm' }, { type: 'resume', id: '../x' }]) chat.take(wrong);
    expect(editor.logged.map(({ level }) => level)).toEqual(['warn', 'warn', 'warn', 'warn']);
    expect(editor.posts).toEqual([]);
  });

  test('can run commands of ours and no others', async () => {
    const { editor, say: tell } = await scriptedChat(plainAnswer);
    tell({ type: 'command', command: 'loopfuse.setApiKey' });
    tell({ type: 'command', command: 'loopfuse.erase' });
    tell({ type: 'command', command: 'loopfuse.manageTrust' });
    expect(editor.ran).toEqual(['loopfuse.setApiKey', 'workbench.trust.manage']);
  });

  test('opens files of the folder and no others', async () => {
    const { editor, root, say: tell } = await scriptedChat(plainAnswer);
    tell({ type: 'ready' });
    await editor.next('conversation', 0);
    for (const path of [
      'README.md',
      'README.md:3',
      join(root, 'README.md'),
      '../../etc/passwd',
      '/etc/passwd',
      'none.md',
      '.',
    ])
      tell({ type: 'open-file', path });
    const file = join(root, 'README.md');
    expect(editor.files).toEqual([{ file }, { file, line: 3 }, { file }]);
    expect(editor.notes).toHaveLength(4);
  });
});

describe('an approval', () => {
  const writes: Script = sequence([(turn) => ({ parts: [callFor(turn, { write: 'new.txt', content: 'hello\n' })] })]);

  test.each([
    ['once', true],
    ['no', false],
  ] as const)('answered with %s', async (answer, written) => {
    const { chat, editor, root, say: tell } = await scriptedChat(writes);
    const sent = chat.send('Write it');
    const { id } = await editor.next('approval', 0);
    tell({ type: 'open-diff', id });
    await expect
      .poll(() => editor.diffs, { timeout: 10_000 })
      .toEqual([expect.objectContaining({ before: '', after: 'hello\n' })]);
    expect(existsSync(join(root, 'new.txt'))).toBe(false);
    tell({ type: 'answer-approval', id, answer });
    await sent;
    expect(existsSync(join(root, 'new.txt')) && readFileSync(join(root, 'new.txt'), 'utf8') === 'hello\n').toBe(
      written,
    );
    const result = editor.events.find(({ type }) => type === 'tool-call-result');
    expect(result).toMatchObject({ status: written ? 'ok' : 'refused' });
  });

  test('is withdrawn when the request is stopped', async () => {
    const { chat, editor } = await scriptedChat(writes);
    const sent = chat.send('Write it');
    const { id } = await editor.next('approval', 0);
    chat.stop();
    await sent;
    expect(editor.of('approval-gone')).toEqual([{ type: 'approval-gone', id }]);
  });

  test.each(['stop', 'close'] as const)('%s during an open approval is not recorded as a refusal', async (how) => {
    const script = sequence([(turn) => ({ parts: [callFor(turn, { write: 'a.txt', content: 'a' })] }), say('Done.')]);
    const { chat, editor, saved } = await scriptedChat(script, { settings: { policy: 'ask' } });
    const sent = chat.send('Write');
    await editor.next('approval', 0);
    await chat[how]();
    await sent;
    const [session] = await saved();
    expect(session?.history.at(-1)).toMatchObject({ role: 'tool', results: [{ status: 'not-run' }] });
    expect(JSON.stringify(session?.history)).not.toContain('declined by the user');
  });

  test('is also asked for in a notification if the page is hidden', async () => {
    const { chat, editor } = await scriptedChat(writes);
    editor.visible = false;
    editor.press = () => 'Show';
    const sent = chat.send('Write it');
    await editor.next('approval', 0);
    chat.stop();
    await sent;
    expect(editor.notices[0]).toMatchObject({
      message: expect.stringMatching(/write_file.*new\.txt/),
      buttons: ['Show'],
    });
    expect(editor.revealed).toBe(1);
  });
});

describe('a session', () => {
  test('that was interrupted when the window closed can be continued', async () => {
    const { chat, editor, server, another } = await scriptedChat(stalls({ after: 2 }));
    void chat.send('Look for it');
    await editor.next('events', 0);
    await chat.close();
    const later = new RecordingEditor();
    later.opened = editor.opened;
    const next = another(later);
    next.take({ type: 'ready' });
    const conversation = await later.next('conversation', 0);
    expect(conversation).toMatchObject({ cut: true, sessionId: editor.opened?.id });
    expect(conversation.history[0]).toMatchObject({ role: 'user', text: 'Look for it' });
    server.setScript(() => say('Found.'));
    await next.goOn();
    expect(types(later.events).at(-1)).toBe('finished');
    next.take({ type: 'ready' });
    expect((await later.next('conversation')).cut).toBe(false);
  });

  test('can be left for a new one, listed, and resumed', async () => {
    const { chat, editor, say: tell } = await scriptedChat(() => say('Yes.'));
    await chat.send('First question');
    const first = chat.sessionId!;
    await chat.newChat();
    expect(chat.sessionId).toBeUndefined();
    await chat.send('Second question');
    tell({ type: 'list-sessions' });
    const { sessions } = await editor.next('sessions', 0);
    expect(sessions.map(({ title }) => title).sort()).toEqual(['First question', 'Second question']);
    await chat.resume(first);
    expect(editor.of('conversation').at(-1)).toMatchObject({ sessionId: first, cut: false });
    expect(editor.opened).toEqual({ id: first });
    await chat.resume('nowhere');
    expect(editor.notes.at(-1)).toMatch(/No session is called/);
    expect(chat.sessionId).toBe(first);
  });

  test('keeps its settings while a request is running, and a page that loads does not wait for the new ones', async () => {
    const scripted = await scriptedChat(stalls({ after: 2 }));
    const { chat, editor, server } = scripted;
    const sent = chat.send('Wait');
    await editor.next('events', 0);
    scripted.settings = { ...scripted.settings, model: 'another' };
    const refreshed = chat.refresh();
    scripted.say({ type: 'ready' });
    const conversation = await editor.next('conversation', 0);
    expect(conversation.facts.model).toBe('scripted');
    server.setScript(plainAnswer);
    chat.stop();
    await sent;
    await chat.send('Go on');
    expect(server.requests.at(-1)?.turn?.model).toBe('another');
    await refreshed;
    const [session, ...more] = await scripted.saved();
    expect(more).toEqual([]);
    expect(session?.history.filter(({ role }) => role === 'user')).toHaveLength(2);
  });

  test('survives a change of settings', async () => {
    const scripted = await scriptedChat(() => say('Yes.'));
    const { chat, editor } = scripted;
    await chat.send('A question');
    const id = chat.sessionId;
    scripted.settings = { ...scripted.settings, model: 'another' };
    await chat.refresh();
    expect(editor.of('conversation').at(-1)).toMatchObject({ sessionId: id, facts: { model: 'another' } });
    await chat.send('And now?');
    expect(scripted.server.requests.at(-1)?.turn?.model).toBe('another');
    expect(await scripted.saved()).toHaveLength(1);
  });

  test('survives a change of settings even if it cannot be saved', async () => {
    const scripted = await scriptedChat(() => say('Yes.'));
    const { chat, editor, home } = scripted;
    await chat.send('A question');
    const id = chat.sessionId;
    const folder = join(home, '.loopfuse');
    renameSync(folder, `${folder}-before`);
    writeFileSync(folder, 'a file where the folder was');
    await chat.refresh();
    const shown = editor.of('conversation').at(-1);
    expect(shown?.history.map(({ role }) => role)).toEqual(['user', 'assistant']);
    await chat.send('And now?');
    expect(scripted.server.requests.at(-1)?.turn?.messages.map(({ text }) => text)).toContain('A question');
    rmSync(folder);
    renameSync(`${folder}-before`, folder);
    await chat.send('And then?');
    const [session, ...more] = await scripted.saved();
    expect(more).toEqual([]);
    expect(session).toMatchObject({ id, history: { length: 6 } });
  });

  test('that cannot be read any more is named on the page', async () => {
    const scripted = await scriptedChat(() => say('Yes.'));
    await scripted.chat.send('A question');
    const { opened } = scripted.editor;
    const [project = ''] = readdirSync(join(scripted.home, '.loopfuse/sessions'));
    const file = join(scripted.home, '.loopfuse/sessions', project, `${opened?.id}.json`);
    writeFileSync(file, '{"version":1,');
    const editor = Object.assign(new RecordingEditor(), { opened });
    const later = scripted.another(editor);
    later.take({ type: 'ready' });
    const { text } = await editor.next('note');
    expect(text).toContain(`The last conversation cannot be opened: ${file} cannot be resumed`);
    expect(editor.posts.map(({ type }) => type)).toEqual(['conversation', 'note']);
  });
});

test('a key stored in the editor is sent to the model, and is in no log, file or program', async () => {
  const { chat, editor, server, root, saved } = await scriptedChat(
    loopsForever({ action: { shell: `echo ${storedKey}; env > env.txt` } }),
    ask,
  );
  await chat.send(`Is ${storedKey} the key?`);
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${storedKey}`);
  expect(types(editor.events).at(-1)).toBe('loop-detected');
  expect(JSON.stringify(editor.logged)).toContain('"evidence"');
  expect(JSON.stringify(editor.logged)).not.toContain(storedKey);
  expect(JSON.stringify(await saved())).not.toContain(storedKey);
  expect(readFileSync(join(root, 'env.txt'), 'utf8')).not.toContain(storedKey);
});

describe('a problem', () => {
  test('a folder that is not trusted: nothing is sent, and a button leads to where trust is given', async () => {
    const { chat, editor, server } = await scriptedChat(plainAnswer);
    editor.trusted = false;
    editor.press = (buttons) => buttons[0];
    await chat.send('Hello');
    expect(server.seen).toBe(0);
    expect(editor.notes[0]).toMatch(/not trusted/);
    expect(editor.of('compose')).toEqual([{ type: 'compose', text: 'Hello' }]);
    expect(editor.of('facts').at(-1)?.facts).toMatchObject({
      trusted: false,
      blocked: expect.stringMatching(/not trusted/),
    });
    expect(editor.ran).toEqual(['workbench.trust.manage']);
    editor.trusted = true;
    await chat.refresh();
    await chat.send('Hello');
    expect(server.seen).toBe(1);
  });

  test('no model: the page is told what to set, and a change of settings is enough', async () => {
    const scripted = await scriptedChat(plainAnswer);
    const { chat, editor } = scripted;
    const { settings } = scripted;
    scripted.settings = {};
    scripted.say({ type: 'ready' });
    const { facts } = await editor.next('conversation', 0);
    expect(facts.blocked).toMatch(/provider/);
    await chat.send('Hello');
    expect(editor.notices.at(-1)?.buttons).toEqual(['Choose a Model', 'Open Settings']);
    expect(facts.remedies?.[0]).toEqual({ label: 'Choose a Model', command: 'loopfuse.chooseModel' });
    scripted.settings = settings;
    await chat.refresh();
    await chat.send('Hello');
    expect(types(editor.events).at(-1)).toBe('finished');
  });

  test('detection that the settings switch off is not switched on, and a note says so', async () => {
    const { chat, editor } = await scriptedChat(plainAnswer, { settings: { disable: true } });
    await chat.toggleDetection();
    expect(chat.guard).toBe('off');
    expect(editor.notes.at(-1)).toMatch(/Loop detection is off in the settings/);
  });

  test('a slow answer is shown while it streams', async () => {
    const { chat, editor } = await scriptedChat(() => ({
      parts: [{ text: 'one two three four' }],
      pace: { delay: 20 },
    }));
    await chat.send('Slowly');
    expect(editor.of('events').length).toBeGreaterThan(2);
    expect(editor.of('settled')).toHaveLength(1);
  });

  test('an event of an unknown kind is logged and passed on', async () => {
    const { chat, editor } = await scriptedChat(plainAnswer);
    chat.show({ type: 'telepathy', text: 'boo' } as unknown as ClientEvent);
    const { events } = await editor.next('events', 0);
    expect(events).toEqual([{ type: 'telepathy', text: 'boo' }]);
    expect(editor.logged).toContainEqual(
      expect.objectContaining({ level: 'warn', message: expect.stringMatching(/unknown kind.*telepathy/) }),
    );
  });

  test('an invalid event of another client is reported and does no harm', async () => {
    const { chat, editor } = await scriptedChat(plainAnswer);
    editor.visible = false;
    for (const broken of [null, 7, {}, { type: 'loop-detected' }]) chat.show(broken as unknown as ClientEvent);
    expect(editor.logged.filter(({ level }) => level === 'error' || level === 'warn').length).toBeGreaterThan(2);
    await chat.send('Hello');
    expect(chat.busy).toBe(false);
    expect(editor.logged.at(-1)).toMatchObject({ message: expect.stringMatching(/ended/) });
  });
});
