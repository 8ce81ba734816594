import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { entries, textOf } from '@loopfuse/conversation';
import {
  callFor,
  chants,
  fails,
  innocent,
  loopsForever,
  type Script,
  saw,
  say,
  sequence,
} from '@loopfuse/model-server';
import { expect, test } from 'vitest';
import { scriptedWorkplace, type Workplace } from '../../../testing/scripted-workplace.js';
import type { Key } from '../../terminal/keys/key.js';
import { type Chat, startChat } from './chat-session.js';
import type { ChatFlags } from './flags.js';
import { openAgent } from './open-agent.js';
import type { ChatState } from './screen/state.js';

interface Played {
  readonly chat: Chat;
  readonly place: Workplace;
  /** Presses keys by name; everything else is typed. */
  press(...keys: string[]): void;
  until(what: (state: ChatState) => boolean): Promise<ChatState>;
  /** Lets some time go by before the next key; otherwise none does. */
  rest(): void;
  /** Types, sends, and waits for the end or for a question. */
  ask(text: string): Promise<ChatState>;
  another(flags?: Partial<ChatFlags>): Promise<Played>;
}

const names = ['enter', 'escape', 'up', 'down', 'interrupt', 'backspace'];

async function played(script: Script, flags: Partial<ChatFlags> = {}): Promise<Played> {
  return play(await scriptedWorkplace(script), flags);
}

async function play(place: Workplace, flags: Partial<ChatFlags>): Promise<Played> {
  const agent = openAgent(
    {
      loopDetection: true,
      cwd: place.root,
      provider: 'openai-compatible',
      model: 'scripted-model',
      baseUrl: `${place.server.url}/v1`,
      ...flags,
    },
    { env: { HOME: place.home, PATH: process.env.PATH } },
  );
  const kept = flags.resume === undefined ? undefined : await agent.find(flags.resume);
  let time = 0;
  const chat = startChat({ agent, kept, now: () => time });
  function press(...keys: string[]): void {
    for (const key of keys) chat.press(names.includes(key) ? ({ type: key } as Key) : { type: 'text', text: key });
  }
  async function until(what: (state: ChatState) => boolean): Promise<ChatState> {
    for (let left = 1500; !what(chat.state); left--) {
      if (left === 0) throw new Error(`it never came to that: ${JSON.stringify(chat.state, null, 1).slice(-3000)}`);
      await wait(10);
    }
    return chat.state;
  }
  return {
    chat,
    place,
    press,
    until,
    rest() {
      time += 1000;
    },
    ask(text) {
      press(text, 'enter');
      return until(({ conversation, dialog }) => conversation.phase === 'idle' || dialog !== undefined);
    },
    another: (more = {}) => play(place, { ...flags, ...more }),
  };
}

const isIdle = ({ conversation, dialog }: ChatState) => conversation.phase === 'idle' && dialog === undefined;
const asksAboutLoop = ({ conversation, dialog }: ChatState) => conversation.phase === 'idle' && dialog?.type === 'loop';
const itemsOf = ({ conversation }: ChatState) => entries(conversation);
const texts = (state: ChatState) =>
  itemsOf(state).map((item) => {
    if (item.type === 'says' || item.type === 'thinks') return textOf(item.text);
    return item.type === 'you' || item.type === 'note' ? item.text : '';
  });

test('work that moves is not disturbed', async () => {
  const { ask, place } = await played(innocent(), { approval: 'yolo' });
  const state = await ask('What does it do?');
  expect(texts(state).at(-1)).toBe('The function adds two numbers, and the new check passes.');
  expect(itemsOf(state).filter((item) => item.type === 'loop')).toEqual([]);
  expect(existsSync(join(place.root, 'check.mjs'))).toBe(true);
  expect(state.conversation.usage.inputTokens).toBeGreaterThan(100);
});

test.each(['/quit', 'a signal'])('what waits for its turn is not sent any more when one leaves by %s', async (how) => {
  const { chat, press, until, place } = await played(() => ({ ...say('one two three'), fault: { type: 'stall' } }));
  press('first', 'enter');
  await until(() => place.server.requests.length === 1);
  press('second', 'enter');
  expect(chat.state.queued).toEqual(['second']);
  if (how === '/quit') press('/quit', 'enter');
  else chat.quit();
  await chat.left;
  await until(isIdle);
  expect(place.server.requests.length).toBe(1);
});

test('a loop is first told to the model, in one item, and then asked about', async () => {
  const { ask } = await played(loopsForever());
  const state = await ask('go');
  const { dialog } = state;
  expect(itemsOf(state).filter((item) => item.type === 'guard')).toMatchObject([
    { what: 'told', title: 'Repeated calls' },
  ]);
  expect(dialog).toMatchObject({ type: 'loop', calls: [{ tool: 'read_file' }], report: { kind: 'repeated-calls' } });
});

test('/loop off, on, and a tool that is not there', async () => {
  const { ask, press, until, place } = await played(loopsForever());
  press('/loop off', 'enter');
  expect((await until(({ conversation }) => conversation.guard === 'off')).conversation.guard).toBe('off');
  press('/loop exempt no_such_tool', 'enter');
  await until((state) => texts(state).some((text) => text.includes('There is no tool no_such_tool')));
  press('/loop on', 'enter');
  await until(({ conversation }) => conversation.guard === 'watching');
  expect((await ask('go')).dialog?.type).toBe('loop');
  place.server.setScript(() => say('Fine.'));
  press('5');
  await until(isIdle);
  press('/loop on', 'enter');
  await until(({ conversation }) => conversation.guard === 'watching');
  place.server.setScript(loopsForever());
  expect((await ask('once more')).dialog?.type).toBe('loop');
});

test('stop: the model is not asked again, and the next message starts afresh', async () => {
  const { ask, press, until, place } = await played(loopsForever());
  await ask('go');
  await until(asksAboutLoop);
  const { seen } = place.server;
  press('escape');
  await until(isIdle);
  await wait(50);
  expect(place.server.seen).toBe(seen);
  place.server.setScript(() => say('Fine.'));
  expect(texts(await ask('something else')).at(-1)).toBe('Fine.');
});

test('continue once: the halted request goes on by itself, and can trip again', async () => {
  const { ask, press, rest, until, place } = await played(loopsForever());
  await ask('go');
  await until(asksAboutLoop);
  for (let k = 0; k < 2; k++) {
    const { seen } = place.server;
    rest();
    press('2');
    await until(({ conversation }) => conversation.phase === 'working');
    await until(asksAboutLoop);
    expect(place.server.seen).toBeGreaterThanOrEqual(seen + 3);
  }
});

test('continue with a hint: the model gets it as the last word of the user', async () => {
  const { ask, press, until, place } = await played((turn) =>
    saw(turn, 'marmalade') ? say('I see.') : loopsForever()(turn),
  );
  await ask('go');
  await until(asksAboutLoop);
  press('3', 'think of marmalade', 'enter');
  const state = await until((at) => isIdle(at) && texts(at).includes('I see.'));
  expect(texts(state)).toContain('think of marmalade');
  const told = place.server.requests.at(-1)!.turn!.messages.filter(({ role }) => role === 'user');
  expect(told.at(-1)?.text).toMatch(/think of marmalade$/);
});

test('never flag this tool: it goes on to its end, and other tools are still watched', async () => {
  const { ask, press, until, place } = await played(loopsForever({ rounds: 12 }));
  await ask('go');
  await until(asksAboutLoop);
  press('4');
  await until((at) => isIdle(at) && texts(at).includes('That is as far as I got.'));
  place.server.setScript(loopsForever({ action: { search: 'main' } }));
  const { dialog } = await ask('search');
  expect(dialog).toMatchObject({ type: 'loop', calls: [{ tool: 'search_file_content' }] });
});

test('switched off: it goes on to its end and nothing is flagged any more in this session', async () => {
  const { ask, press, until, place, another } = await played(loopsForever({ rounds: 12 }));
  await ask('go');
  await until(asksAboutLoop);
  press('5');
  const state = await until((at) => isIdle(at) && texts(at).includes('That is as far as I got.'));
  expect(state.conversation.guard).toBe('off');
  place.server.setScript(loopsForever({ action: { search: 'main' }, rounds: 12 }));
  expect(texts(await ask('search')).at(-1)).toBe('That is as far as I got.');
  expect((await another({ resume: true })).chat.state.conversation.guard).toBe('off');
});

test('a chant is cut short, its text is kept, and there is no tool to exempt', async () => {
  const { ask } = await played(chants());
  const state = await ask('go');
  const { dialog } = state;
  expect(itemsOf(state).filter((item) => item.type === 'says')).toHaveLength(2);
  expect(dialog).toMatchObject({ report: { kind: 'chanting', choices: ['stop', 'continue', 'hint', 'disable'] } });
});

const writes: Script = sequence(
  [
    (turn) => ({ parts: [callFor(turn, { write: 'a.txt', content: 'a\n' })] }),
    (turn) => ({ parts: [callFor(turn, { write: 'b.txt', content: 'b\n' })] }),
  ],
  { afterwards: () => say('Done.') },
);

test.each([
  ['y', 'n', [true, false]],
  ['a', undefined, [true, true]],
  ['n', 'y', [false, true]],
])('approval by %s and %s: what is written is %j', async (first, second, written) => {
  const { ask, press, until, place } = await played(writes);
  expect((await ask('go')).dialog).toMatchObject({ type: 'approval', request: { title: 'a.txt' } });
  press(first);
  if (second !== undefined) {
    await until(({ dialog }) => dialog?.type === 'approval' && dialog.request.title === 'b.txt');
    press(second);
  }
  await until(isIdle);
  expect(['a.txt', 'b.txt'].map((name) => existsSync(join(place.root, name)))).toEqual(written);
});

test('what to do instead of a call reaches the model, and is shown, also after a resume', async () => {
  const command = { call: { tool: 'run_shell_command', input: { command: 'npm i' } } };
  const { ask, press, until, place, another } = await played(({ turn }) =>
    turn === 0 ? { parts: [command] } : say('As you like.'),
  );
  await ask('Install it.');
  press('i', 'Use pnpm.', 'enter');
  const { conversation } = await until(({ conversation: { phase } }) => phase === 'idle');
  const card = { type: 'tool', status: 'refused', instead: 'Use pnpm.' };
  expect(entries(conversation)).toMatchObject([{ type: 'you' }, card, { type: 'says' }]);
  expect(JSON.stringify(place.server.requests[1]?.body)).toContain('instead:\\nUse pnpm.');
  const { chat } = await another({ resume: true });
  expect(entries(chat.state.conversation)).toContainEqual(expect.objectContaining(card));
});

test('all that a command wrote can be read, though its card and the model get a part of it', async () => {
  const command = { call: { tool: 'run_shell_command', input: { command: 'seq 1 20000' } } };
  const script: Script = ({ turn }) => (turn === 0 ? { parts: [command] } : say('Counted.'));
  const { ask, press, chat } = await played(script, { approval: 'yolo' });
  press('/output', 'enter');
  expect(texts(chat.state).at(-1)).toBe('No call has any output yet.');
  await ask('Count.');
  press('/output 1', 'enter');
  const { dialog } = chat.state;
  const shown = dialog?.type === 'output' ? dialog.lines.map((line) => line.map(({ text }) => text).join('')) : [];
  expect(shown).toEqual(Array.from({ length: 20_000 }, (_, k) => `${k + 1}`));
  press('escape', '/output 2', 'enter');
  expect(texts(chat.state).at(-1)).toBe('There is no call 2 on this screen.');
});

test('Escape in an approval cancels the request, and the chat goes on', async () => {
  const { ask, press, until, place } = await played(writes);
  await ask('go');
  press('escape');
  expect(texts(await until(isIdle)).at(-1)).toBe('Cancelled.');
  expect(existsSync(join(place.root, 'a.txt'))).toBe(false);
  place.server.setScript(() => say('Still here.'));
  expect(texts(await ask('hello')).at(-1)).toBe('Still here.');
});

test('Escape cancels while the model speaks, and while a command runs', async () => {
  const { press, until, place } = await played(() => ({ ...say('one two three '.repeat(50)), pace: { delay: 20 } }), {
    approval: 'yolo',
  });
  press('talk', 'enter');
  await until(({ conversation }) => conversation.live.length > 0);
  press('escape');
  expect(texts(await until(isIdle)).at(-1)).toBe('Cancelled.');
  place.server.setScript((turn) => ({ parts: [callFor(turn, { shell: 'echo begun; sleep 60' })] }));
  press('run', 'enter');
  await until(({ conversation }) =>
    conversation.live.some((block) => block.type === 'tool' && block.streamed.includes('begun')),
  );
  press('escape');
  const state = await until(isIdle);
  expect(itemsOf(state).at(-2)).toMatchObject({ type: 'tool', status: 'cancelled' });
});

test('a dialog that opens while somebody types takes none of the letters', async () => {
  const { press, rest, until, place, chat } = await played(writes);
  place.server.setScript(async (turn) => {
    await wait(150);
    return writes(turn);
  });
  press('go', 'enter', 'wh');
  await until(({ dialog }) => dialog?.type === 'approval');
  press('y', 'enter');
  expect(chat.state.dialog).toMatchObject({ type: 'approval' });
  rest();
  press('y');
  await until(({ dialog }) => dialog?.type === 'approval' && dialog.request.title === 'b.txt');
  press('escape');
  expect((await until(isIdle)).editor.text).toBe('wh');
});

test.each([
  ['enter', 'enter'],
  ['y', 'y'],
  ['y', 'enter'],
])('%s and %s at once answer one question, not the next as well', async (first, second) => {
  const { press, rest, until, place, chat } = await played(writes);
  const asksFor = (title: string) =>
    until(({ dialog }) => dialog?.type === 'approval' && dialog.request.title === title);
  press('go', 'enter');
  await asksFor('a.txt');
  press('enter'); // of the message
  expect(chat.state.dialog).toMatchObject({ type: 'approval', request: { title: 'a.txt' } });
  rest();
  press(first);
  await asksFor('b.txt');
  press(second, second); // a key that is held comes more than twice
  expect(chat.state.dialog).toMatchObject({ type: 'approval', request: { title: 'b.txt' } });
  rest();
  press(second);
  await until(isIdle);
  expect(existsSync(join(place.root, 'b.txt'))).toBe(true);
});

test('an arrow between them says that the question was seen', async () => {
  const { press, until, place } = await played(writes);
  press('go', 'enter');
  await until(({ dialog }) => dialog?.type === 'approval');
  press('down', 'up', 'enter');
  await until(({ dialog }) => dialog?.type === 'approval' && dialog.request.title === 'b.txt');
  press('escape');
  await until(isIdle);
  expect(existsSync(join(place.root, 'a.txt'))).toBe(true);
});

test('nor does a sentence that was typed into it answer it', async () => {
  const { press, until, chat } = await played(writes);
  press('go', 'enter');
  await until(({ dialog }) => dialog?.type === 'approval');
  press(...'what is it?', 'enter');
  expect(chat.state.dialog).toMatchObject({ type: 'approval', request: { title: 'a.txt' } });
  press('escape');
  await until(isIdle);
});

test('an error of the model is told, and the chat goes on', async () => {
  const { ask, place } = await played(fails(401, { message: 'wrong key' }));
  expect(itemsOf(await ask('hello')).at(-1)).toMatchObject({
    type: 'note',
    tone: 'bad',
    text: expect.stringContaining('wrong key'),
  });
  place.server.setScript(() => say('Hello.'));
  expect(texts(await ask('again')).at(-1)).toBe('Hello.');
});

test('a session is resumed with what was said, what it used and its question', async () => {
  const { ask, chat, until, another } = await played(loopsForever());
  await ask('read it');
  await until(asksAboutLoop);
  const again = await another({ resume: chat.sessionId!.slice(0, 8) });
  expect(again.chat.state).toMatchObject({
    dialog: { type: 'loop' },
    conversation: { usage: chat.state.conversation.usage },
  });
  expect(texts(again.chat.state)).toContain('read it');
  again.press('2');
  await again.until(({ conversation }) => conversation.phase === 'working');
  await again.until(asksAboutLoop);
  again.press('escape', 'up');
  expect(again.chat.state.editor.text).toBe('read it');
});

test('an answer without a word is told, also after a resume', async () => {
  const { ask, chat, another } = await played(() => ({ parts: [] }));
  const silent = expect.stringContaining('The model ended without an answer.');
  expect(texts(await ask('hello')).at(-1)).toEqual(silent);
  expect(texts((await another({ resume: chat.sessionId! })).chat.state)).toContainEqual(silent);
});

test('/resume lists the other sessions of the folder and switches to one', async () => {
  const { ask, another } = await played(() => say('Noted.'));
  await ask('remember the milk');
  const later = await another();
  later.press('/resume', 'enter');
  const { dialog } = await later.until((at) => at.dialog !== undefined);
  expect(dialog).toMatchObject({ type: 'sessions', sessions: [{ title: 'remember the milk' }] });
  later.rest();
  later.press('enter');
  await later.until((at) => texts(at).includes('remember the milk'));
  await later.ask('and bread');
  expect(later.place.server.requests.at(-1)?.turn?.messages.map(({ text }) => text)).toEqual([
    'remember the milk',
    'Noted.',
    'and bread',
  ]);
});

test('/model takes another model from the next message on, or says why not', async () => {
  const { ask, press, chat, place } = await played(() => say('Hi.'));
  await ask('hello');
  press('/model other-model', 'enter');
  expect(chat.state.facts.model).toBe('other-model');
  await ask('hello');
  expect(place.server.requests.at(-1)?.turn?.model).toBe('other-model');
  press('/model anthropic claude-x', 'enter');
  expect(texts(chat.state).at(-1)).toContain('ANTHROPIC_API_KEY');
  expect(chat.state.facts.model).toBe('other-model');
});

test('/loop tells what the guard does and what it leaves alone', async () => {
  const { press, chat } = await played(() => say('Hi.'));
  press('/loop exempt ls', 'enter', '/loop', 'enter');
  const list = itemsOf(chat.state).at(-1);
  if (list?.type !== 'list') throw new Error('it must be a list');
  const rows = Object.fromEntries(list.rows);
  expect(rows).toMatchObject({ Exempt: 'ls', Detectors: 'stale-rounds: times 3', Judge: 'none' });
  expect(rows.Policy).toMatch(/^interactive/);
  press('/loop off', 'enter', '/loop', 'enter');
  expect(JSON.stringify(itemsOf(chat.state).at(-1))).toContain('off for this session');
});

test('a settled loop keeps its card when the session is resumed, and a change its diff', async () => {
  const { ask, press, until, chat, place, another } = await played(loopsForever(), { approval: 'yolo' });
  await ask('read it');
  await until(asksAboutLoop);
  place.server.setScript((turn) =>
    turn.messages.at(-1)?.role === 'tool'
      ? say('Done.')
      : { parts: [callFor(turn, { write: 'new.txt', content: 'one\n' })] },
  );
  press('4');
  await until((state) => isIdle(state) && texts(state).includes('Done.'));
  const shown = entries(chat.state.conversation).slice(-3);
  const again = itemsOf((await another({ resume: true })).chat.state);
  expect(again.find((item) => item.type === 'loop')).toMatchObject({
    state: 'answered',
    choice: 'exempt',
    report: { title: 'Repeated calls' },
  });
  expect(again.slice(-3)).toEqual(shown);
  expect(shown).toMatchObject([{ type: 'loop' }, { type: 'tool', display: { type: 'diff' } }, { type: 'says' }]);
});

test('a resumed session whose guard is off says so, and /loop on switches it on', async () => {
  const { ask, press, another } = await played(() => say('Hi.'));
  press('/loop off', 'enter');
  await ask('hello');
  const again = await another({ resume: true });
  expect(texts(again.chat.state).at(-1)).toContain('Loop detection is off in this session');
  expect(again.chat.state.conversation.guard).toBe('off');
  again.press('/loop on', 'enter');
  await again.until(({ conversation }) => conversation.guard === 'watching');
});

test('the key of the provider is in no session file', async () => {
  const place = await scriptedWorkplace((turn) => say(`Your key is ${String(turn.headers.authorization)}`));
  const agent = openAgent(
    {
      loopDetection: true,
      cwd: place.root,
      provider: 'openai-compatible',
      model: 'm',
      baseUrl: `${place.server.url}/v1`,
    },
    { env: { HOME: place.home, LOOPFUSE_API_KEY: 'sk-very-secret-indeed' } },
  );
  const chat = startChat({ agent });
  chat.press({ type: 'text', text: 'tell me' });
  chat.press({ type: 'enter' });
  while (chat.state.conversation.phase !== 'idle') await wait(10);
  const [session] = await agent.sessions();
  expect(readFileSync(session!.file, 'utf8')).not.toContain('very-secret');
});

test('leaving ends what is going on', async () => {
  const { press, until, chat } = await played(() => ({ ...say('word '.repeat(200)), pace: { delay: 20 } }));
  press('talk', 'enter');
  await until(({ conversation }) => conversation.live.length > 0);
  press('interrupt', 'interrupt');
  await chat.left;
  expect(chat.state.conversation.phase).toBe('idle');
});
