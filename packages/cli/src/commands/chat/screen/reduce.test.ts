import { type ClientEvent, clientEventTypes } from '@loopfuse/agent';
import { consequence, entries, fromHistory, type ItemOf } from '@loopfuse/conversation';
import { describe, expect, test } from 'vitest';
import { callLoop, textLoop } from '../../../../../conversation/testing/loop-report.js';
import { sampleCall, samples } from '../../../../../conversation/testing/samples.js';
import type { Key } from '../../../terminal/keys/key.js';
import { slashCommands } from './commands.js';
import { type Input, reduce } from './reduce.js';
import { slashMenu } from './slash-menu.js';
import { type ChatState, startState } from './state.js';

const noUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
const start = startState({ model: 'm', approval: 'ask' }, { guard: 'watching', usage: noUsage });
const call = sampleCall;
const itemsOf = ({ conversation }: ChatState) => entries(conversation);
const approval = {
  call,
  title: 'README.md',
  effect: 'edit' as const,
  display: { type: 'text' as const, text: 'x' },
  covers: ['read_file'],
};

function after(
  state: ChatState,
  ...inputs: readonly (Input | Key['type'] | `type ${string}` | ClientEvent)[]
): ChatState {
  return inputs.reduce<ChatState>((at, input) => {
    if (typeof input === 'string')
      return reduce(at, {
        type: 'key',
        key: input.startsWith('type ') ? { type: 'text', text: input.slice(5) } : ({ type: input } as Key),
      });
    return reduce(at, isEvent(input) ? { type: 'event', event: input } : input);
  }, state);
}

function isEvent(input: Input | ClientEvent): input is ClientEvent {
  return (clientEventTypes as readonly string[]).includes(input.type);
}

test.each(clientEventTypes)('%s shows, and changes nothing in place', (type) => {
  const before = after(start, samples['tool-call-request']);
  const frozen = JSON.stringify(before);
  const now = after(before, samples[type]);
  expect(JSON.stringify(before)).toBe(frozen);
  expect(JSON.stringify(now)).not.toBe(frozen);
});

test('an event of a kind that nobody knows is told, not dropped', () => {
  const state = reduce(start, { type: 'event', event: { type: 'brand-new' } as never });
  expect(itemsOf(state).at(-1)).toMatchObject({
    type: 'note',
    tone: 'bad',
    text: expect.stringContaining('"brand-new"'),
  });
});

test('a steer is one item, and nothing is asked', () => {
  const { conversation, dialog } = after(start, samples['loop-steered']);
  expect(conversation.items).toMatchObject([{ type: 'guard', what: 'told', title: 'Repeated calls' }]);
  expect([dialog, conversation.guard]).toEqual([undefined, 'steered']);
});

test('on a loop the text so far is kept, then the dialog opens with the calls that take part', () => {
  const { conversation, dialog } = after(
    start,
    samples['tool-call-request'],
    samples.content,
    samples['loop-detected'],
  );
  expect(conversation.items.map(({ type }) => type)).toEqual(['tool', 'says']);
  expect(conversation.live).toMatchObject([{ type: 'loop', state: 'asked' }]);
  expect(dialog).toMatchObject({ type: 'loop', calls: [call], report: { kind: 'repeated-calls' } });
  expect(conversation.guard).toBe('halted');
});

test('what a loop has cost is worked out at what a token has cost so far', () => {
  const price = { input: 2, output: 10, cached: 2 };
  const total = { ...noUsage, inputTokens: 4000, outputTokens: 680 };
  const state = after(
    reduce(start, { type: 'facts', known: { price } }),
    { type: 'token-usage', usage: total, total },
    samples['loop-detected'],
  );
  expect(state.dialog).toMatchObject({ cost: expect.closeTo((((4000 * 2 + 680 * 10) / 1e6) * 2340) / 4680, 9) });
});

test.each([
  ['1', 'stop', 'idle', 'watching'],
  ['2', 'continue', 'working', 'watching'],
  ['4', 'exempt', 'working', 'watching'],
  ['5', 'disable', 'working', 'off'],
] as const)('choice %s is %s: the dialog closes, then %s, guard %s', (key, choice, phase, guard) => {
  const state = after(start, samples['loop-detected'], { type: 'settled' }, `type ${key}`);
  expect(state).toMatchObject({
    dialog: undefined,
    conversation: { phase, guard, live: [] },
    actions: [{ type: 'answer-loop', choice }],
  });
  expect(itemsOf(state).find((item) => item.type === 'loop')).toMatchObject({ state: 'answered', choice });
});

test('a hint goes on with what was typed, and stands on the screen', () => {
  const state = after(start, samples['loop-detected'], { type: 'settled' }, 'type 3', 'type try src', 'enter');
  expect(state.actions).toEqual([{ type: 'answer-loop', choice: 'hint', hint: 'try src' }]);
  expect(itemsOf(state).at(-1)).toEqual({ type: 'you', text: 'try src' });
});

test('a preset that does not resume by itself says so and waits', () => {
  const detected = { type: 'loop-detected', ...callLoop({ choices: ['stop', 'disable'], resumes: false }) } as const;
  const state = after(start, detected, { type: 'settled' }, 'type 2');
  expect(state).toMatchObject({ conversation: { phase: 'idle', guard: 'off' }, actions: [{ choice: 'disable' }] });
  const card = itemsOf(state).at(-1) as ItemOf<'loop'>;
  expect(consequence(card.choice!, card.report)).toContain('Send it again');
});

test('a loop of text can be dismissed with Escape, which is stop', () => {
  const state = after(start, { type: 'loop-detected', ...textLoop() }, { type: 'settled' }, 'escape');
  expect(state).toMatchObject({
    dialog: undefined,
    conversation: { phase: 'idle' },
    actions: [{ type: 'answer-loop', choice: 'stop' }],
  });
});

test.each([
  ['type y', 'once'],
  ['type A', 'always'],
  ['type n', 'no'],
] as const)('an approval is answered by %s with %s', (key, answer) => {
  const state = after(start, { type: 'started' }, { type: 'approval', id: 7, request: approval }, key);
  expect(state).toMatchObject({ dialog: undefined, actions: [{ type: 'answer-approval', id: 7, answer }] });
});

test('an approval is answered with the arrows, and not by other letters', () => {
  const asked = after(start, { type: 'started' }, { type: 'approval', id: 7, request: approval }, 'type x', 'type yes');
  expect(asked.dialog).toMatchObject({ type: 'approval', chosen: 0 });
  expect(after(asked, 'up', 'up', 'enter').actions).toMatchObject([{ answer: 'no' }]);
  expect(after(asked, 'down', 'enter').actions).toMatchObject([{ answer: 'always' }]);
  expect(itemsOf(after(asked, 'details'))).toEqual([{ type: 'display', display: approval.display }]);
});

test('who says no can say what to do instead; Escape goes back, and nothing is no answer', () => {
  const asked = after(start, { type: 'started' }, { type: 'approval', id: 7, request: approval });
  const typing = after(asked, 'type i');
  expect(after(asked, 'up', 'enter').dialog).toEqual(typing.dialog);
  expect(after(typing, 'enter', 'type  ', 'enter')).toMatchObject({ dialog: { type: 'approval' }, actions: [] });
  const back = after(typing, 'type y', 'escape');
  expect(back).toMatchObject({ dialog: { type: 'approval', chosen: 3 }, actions: [] });
  expect(back.dialog).not.toHaveProperty('instead');
  expect(after(typing, 'type Use pnpm.', 'newline', 'type Not npm. ', 'enter')).toMatchObject({
    dialog: undefined,
    actions: [{ type: 'answer-approval', id: 7, answer: { instead: 'Use pnpm.\nNot npm.' } }],
  });
});

test('Escape cancels: the work, a question with the work; and nothing where nothing goes on', () => {
  const working = after(start, { type: 'started' });
  expect(after(working, 'escape')).toMatchObject({
    conversation: { phase: 'stopping' },
    actions: [{ type: 'cancel' }],
  });
  expect(after(working, 'escape', 'escape').actions).toEqual([]);
  expect(after(working, { type: 'approval', id: 1, request: approval }, 'escape')).toMatchObject({
    dialog: undefined,
    conversation: { phase: 'stopping' },
    actions: [{ type: 'cancel' }],
  });
  expect(after(start, 'escape').actions).toEqual([]);
});

test('Ctrl-C empties the line, cancels the work, and twice in a row leaves', () => {
  expect(after(start, 'type abc', 'interrupt')).toMatchObject({ editor: { text: '' }, quitting: true, actions: [] });
  expect(after(start, { type: 'started' }, 'interrupt').actions).toEqual([{ type: 'cancel' }]);
  expect(after(start, 'interrupt', 'interrupt').actions).toEqual([{ type: 'quit' }]);
  expect(after(start, 'interrupt', 'type a', 'interrupt')).toMatchObject({ quitting: true, actions: [] });
  expect(after(start, samples['loop-detected'], 'interrupt')).toMatchObject({ dialog: undefined, quitting: true });
});

test('a typed message is sent when the agent is idle, and can be recalled', () => {
  const sent = after(start, 'type fix', 'newline', 'type it', 'enter');
  expect(sent).toMatchObject({
    conversation: { phase: 'working' },
    actions: [{ type: 'send', text: 'fix\nit' }],
    editor: { text: '' },
  });
  expect(itemsOf(sent)).toEqual([{ type: 'you', text: 'fix\nit' }]);
  expect(after(start, 'type a\\', 'enter').editor.text).toBe('a\n');
  expect(after(sent, { type: 'settled' }, 'up').editor.text).toBe('fix\nit');
});

test('a message sent during work is next; after a cancel or a question it is back in the line', () => {
  const sent = after(start, 'type fix it', 'enter');
  const busy = after(sent, 'type then this', 'enter', 'type and that', 'enter', 'type or');
  expect(busy).toMatchObject({ queued: ['then this', 'and that'], editor: { text: 'or' }, actions: [] });
  expect(after(busy, { type: 'settled' })).toMatchObject({
    queued: [],
    conversation: { phase: 'working' },
    actions: [{ type: 'send', text: 'then this\nand that' }],
    editor: { text: 'or' },
  });
  for (const ended of [after(busy, 'escape'), after(busy, samples['loop-detected'])])
    expect(after(ended, { type: 'settled' })).toMatchObject({
      queued: [],
      conversation: { phase: 'idle' },
      actions: [],
      editor: { text: 'then this\nand that\nor' },
    });
  expect(after(sent, 'type /loop', 'enter', { type: 'settled' }).actions).toEqual([{ type: 'describe-loop' }]);
});

test('commands and messages that are sent during work stay separate, in order', () => {
  const lines = ['/model other', 'then this', 'and that', '/compress', 'at last'];
  const sent = after(start, 'type fix it', 'enter', ...lines.flatMap((line) => [`type ${line}`, 'enter'] as const));
  const second = after(sent, { type: 'settled' });
  expect(second).toMatchObject({
    actions: [
      { type: 'choose-model', words: 'other' },
      { type: 'send', text: 'then this\nand that' },
    ],
    queued: ['/compress', 'at last'],
  });
  const third = after(second, { type: 'settled' });
  expect(third).toMatchObject({ actions: [{ type: 'compress' }], queued: ['at last'] });
  expect(after(third, { type: 'settled' })).toMatchObject({ actions: [{ type: 'send', text: 'at last' }], queued: [] });
});

test('a command is one line, and what only begins with a slash is a message', () => {
  expect(after(start, 'type /model other', 'newline', 'type go on', 'enter')).toMatchObject({
    actions: [{ type: 'choose-model', words: 'other' }],
    editor: { text: 'go on' },
  });
  for (const text of ['/etc/hosts: what is it?', '// why is this here?', '/* and this */'])
    expect(after(start, `type ${text}`, 'enter').actions).toEqual([{ type: 'send', text }]);
});

test('leaving waits for nothing', () => {
  expect(after(start, 'type fix it', 'enter', 'type /quit', 'enter').actions).toEqual([{ type: 'quit' }]);
});

test.each([
  ['/loop', { type: 'describe-loop' }],
  ['/loop off', { type: 'disable' }],
  ['/loop on', { type: 'enable' }],
  ['/loop exempt ls', { type: 'exempt', tool: 'ls' }],
  ['/model', { type: 'describe-model' }],
  ['/model google gemini-3-pro', { type: 'choose-model', words: 'google gemini-3-pro' }],
  ['/approval yolo', { type: 'set-approval', mode: 'yolo' }],
  ['/output', { type: 'show-output' }],
  ['/output 12', { type: 'show-output', number: 12 }],
  ['/compress', { type: 'compress' }],
  ['/resume', { type: 'list-sessions' }],
  ['/quit', { type: 'quit' }],
  ['/QUIT ', { type: 'quit' }],
] as const)('%s', (line, action) => {
  expect(after(start, `type ${line}`, 'enter').actions).toEqual([action]);
});

test.each(['/lop', '/output x', '/output 1 2', '/loop maybe', '/constructor', '/approval maybe'])(
  '%s is told about and does nothing',
  (line) => {
    const { actions, conversation } = after(start, `type ${line}`, 'enter');
    expect([actions, conversation.phase, conversation.items.at(-1)]).toMatchObject([
      [],
      'idle',
      { type: 'note', tone: 'warning' },
    ]);
  },
);

describe('the menu of commands', () => {
  const names = (state: ChatState) => slashMenu(state)?.commands.map(({ name }) => name);
  const marked = (state: ChatState) => names(state)?.[slashMenu(state)!.chosen];

  test('opens with a slash, narrows with every letter, and ends with the name', () => {
    expect(names(after(start, 'type /'))).toEqual(slashCommands.map(({ name }) => name));
    expect(names(after(start, 'type /', 'type RE'))).toEqual(['restore', 'resume']);
    expect(names(after(start, 'type /', 'type x'))).toBeUndefined();
    expect(names(after(start, 'type /x', 'backspace', 'type l'))).toEqual(['loop']);
    for (const text of ['/loop ', 'a /', '/loop\n', '//']) expect(names(after(start, `type ${text}`))).toBeUndefined();
  });

  test('arrows choose, and Enter runs what is marked', () => {
    const open = after(start, 'type /re');
    expect([marked(open), marked(after(open, 'down')), marked(after(open, 'down', 'down'))]).toEqual([
      'restore',
      'resume',
      'restore',
    ]);
    expect(after(open, 'up', 'enter')).toMatchObject({ actions: [{ type: 'list-sessions' }], editor: { text: '' } });
    expect(itemsOf(after(open, 'up', 'enter')).at(-1)).toEqual({ type: 'you', text: '/resume' });
    expect(marked(after(open, 'down', 'type s'))).toBe('restore');
    expect(itemsOf(after(start, 'type /', 'enter')).at(-1)?.type).toBe('list');
  });

  test('Tab completes what is marked', () => {
    expect(after(start, 'type /co', 'tab').editor.text).toBe('/compress');
    expect(after(start, 'type /l', 'tab').editor.text).toBe('/loop ');
    expect(after(start, 'type /re', 'down', 'tab').editor.text).toBe('/resume');
    expect(after(start, 'type /x', 'tab').editor.text).toBe('/x');
    expect(after(start, 'type /l', 'tab', 'type off', 'enter').actions).toEqual([{ type: 'disable' }]);
  });

  test('Escape closes it and nothing else; Tab or a letter opens it again', () => {
    const closed = after(start, { type: 'started' }, 'type /', 'escape');
    expect(closed).toMatchObject({ editor: { text: '/' }, conversation: { phase: 'working' }, actions: [] });
    expect(names(closed)).toBeUndefined();
    expect(after(closed, 'escape').conversation.phase).toBe('stopping');
    expect(names(after(closed, 'tab'))).toHaveLength(slashCommands.length);
    expect(names(after(closed, 'type l'))).toEqual(['loop']);
    expect(after(start, 'type /', 'interrupt')).toMatchObject({ editor: { text: '' }, menu: undefined });
  });

  test('is not in the way of what was sent before', () => {
    const sent = after(start, 'type one', 'enter', { type: 'settled' }, 'type /help', 'enter');
    expect(after(sent, 'up').editor.text).toBe('/help');
    expect(after(sent, 'up', 'up').editor.text).toBe('one');
  });

  test('what it runs waits for its turn where something goes on', () => {
    const busy = after(start, { type: 'started' }, 'type /lo', 'enter');
    expect(busy).toMatchObject({ queued: ['/loop'], actions: [], menu: undefined });
  });
});

test('a look at an output waits for nothing, and leaves no trace', () => {
  const busy = after(start, { type: 'started' }, 'type /output 3', 'enter');
  expect(busy).toMatchObject({ queued: [], actions: [{ type: 'show-output', number: 3 }], editor: { text: '' } });
  expect(itemsOf(busy)).toEqual([]);
});

describe('a long output', () => {
  const lines = Array.from({ length: 100 }, (_, k) => [{ text: `${k}`, colours: [] }]);
  const dialog = { type: 'output', title: 't', lines, top: 0, room: 10 } as const;
  const open = reduce(start, { type: 'output', dialog });
  const top = (...keys: Parameters<typeof after>[1][]) => {
    const { dialog: now } = after(open, ...keys);
    return now?.type === 'output' ? now.top : undefined;
  };

  test('is scrolled by lines and by pages, and not beyond its ends', () => {
    expect([top('up'), top('down'), top('down', 'down', 'up')]).toEqual([0, 1, 1]);
    expect([top('type  '), top('type  ', 'type  '), top('type  ', 'type b')]).toEqual([9, 18, 0]);
    expect([top('end'), top('type G'), top('end', 'down'), top('end', 'home'), top('end', 'type g')]).toEqual([
      90, 90, 90, 0, 0,
    ]);
    expect([top('type x'), top('left')]).toEqual([0, 0]);
  });

  test.each(['escape', 'enter', 'type q', 'close'] as const)('%s closes it, and cancels nothing', (key) => {
    const working = reduce(after(start, { type: 'started' }), { type: 'output', dialog });
    expect(after(working, key)).toMatchObject({ dialog: undefined, conversation: { phase: 'working' }, actions: [] });
  });

  test('does not take the place of a question, but makes room for one', () => {
    const asked = after(open, { type: 'started' }, { type: 'approval', id: 7, request: approval });
    expect(asked.dialog?.type).toBe('approval');
    expect(reduce(asked, { type: 'output', dialog }).dialog?.type).toBe('approval');
  });
});

test('a session is chosen from the list; an empty list is told', () => {
  expect(itemsOf(reduce(start, { type: 'sessions', sessions: [] }))).toHaveLength(1);
  const one = { file: 'f', updatedAt: '', model: 'm', title: 't', messages: 2, halted: false };
  const sessions = ['a', 'b'].map((id) => ({ ...one, id }));
  const asked = reduce(start, { type: 'sessions', sessions });
  expect(after(asked, 'down', 'enter').actions).toEqual([{ type: 'resume', session: sessions[1] }]);
  expect(after(asked, 'escape')).toMatchObject({ dialog: undefined, actions: [] });
});

test('a resumed session that was halted asks again', () => {
  const history = [{ role: 'user', from: 'user', text: 'go' }] as const;
  const conversation = fromHistory({ history, halted: callLoop() });
  const state = reduce(start, { type: 'resumed', conversation, facts: {}, since: '2026-01-01' });
  expect(state).toMatchObject({ dialog: { type: 'loop' }, editor: { past: ['go'] } });
  expect(itemsOf(state).map(({ type }) => type)).toEqual(['note', 'you', 'loop']);
});

test('of a long session that is resumed, the end is shown', () => {
  const history = Array.from({ length: 40 }, (_, k) => ({ role: 'user', from: 'user', text: `${k}` }) as const);
  const state = reduce(start, { type: 'resumed', conversation: fromHistory({ history }), facts: {}, since: 'today' });
  expect(itemsOf(state)).toHaveLength(26);
  expect(itemsOf(state)[1]).toMatchObject({ text: '16 earlier entries not shown' });
  expect(state.editor.past).toHaveLength(40);
});
