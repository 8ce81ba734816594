import type { ClientEvent, Message } from '@loopfuse/agent';
import { type ClientEventType, clientEventTypes } from '@loopfuse/agent/events';
import { entries, type Item, openLoop, textOf } from '@loopfuse/conversation';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callLoop } from '../../../../conversation/testing/loop-report.js';
import type { Facts, ToView } from '../../protocol/index.js';
import { reduce } from './reduce.js';
import { startState, type ViewState } from './view-state.js';

const usage = { inputTokens: 10, outputTokens: 2, cachedTokens: 0, reasoningTokens: 0 };
const facts: Facts = { model: 'm', provider: 'p', approval: 'ask', guard: 'watching', usage, trusted: true };
const ofLs = callLoop().findings.map((one) => ({ ...one, tools: ['ls'] }));
const finding = ofLs[0]!;
const halted = callLoop({ explanation: 'ls was called 3 times.', findings: ofLs, dropped: ['b'] });
const call = (id: string) => ({ id, tool: 'ls', input: { path: '.' } });
const ask = (id: string): ClientEvent => ({ type: 'tool-call-request', call: call(id), title: '.' });
const conversation: ToView = { type: 'conversation', sessionId: 's', history: [], facts };

const itemsOf = ({ conversation }: ViewState) => entries(conversation);

function after(...inputs: readonly Parameters<typeof reduce>[1][]): ViewState {
  return [conversation, ...inputs].reduce(reduce, startState);
}

function seen(...events: readonly ClientEvent[]): ViewState {
  return after({ type: 'started', text: 'Go' }, { type: 'events', events });
}

/** For each kind of event, what it must leave on the page after a call was requested. */
const kinds: {
  readonly [Type in ClientEventType]: [Extract<ClientEvent, { type: Type }>, (state: ViewState) => void];
} = {
  content: [{ type: 'content', text: 'Hi' }, last({ type: 'says', open: true })],
  reasoning: [{ type: 'reasoning', text: 'Hm' }, last({ type: 'thinks', open: true })],
  'tool-call-request': [
    { type: 'tool-call-request', call: call('b'), title: 'x' },
    last({ type: 'tool', title: 'x', status: 'pending' }),
  ],
  'tool-call-output': [{ type: 'tool-call-output', id: 'a', text: 'out' }, last({ type: 'tool', streamed: 'out' })],
  'tool-call-result': [
    { type: 'tool-call-result', id: 'a', tool: 'ls', status: 'ok', output: 'x', display: { type: 'text', text: 'y' } },
    last({ type: 'tool', status: 'ok', output: 'x', display: { type: 'text', text: 'y' } }),
  ],
  'token-usage': [
    { type: 'token-usage', usage, total: { ...usage, inputTokens: 99 } },
    ({ conversation: now }) => expect(now.usage.inputTokens).toBe(99),
  ],
  'history-compressed': [
    { type: 'history-compressed', tokensBefore: 41_000, tokensAfter: 900 },
    last({ type: 'note', text: 'The conversation was compressed: 41.0k → 900 tokens.' }),
  ],
  'judge-consulted': [
    {
      type: 'judge-consulted',
      opinion: { type: 'opinion', by: 'j', confidence: 0.1, analysis: 'fine' },
      spending: { calls: 1, inputTokens: 5, outputTokens: 5 },
    },
    ({ conversation: now }) => expect(now.judge?.calls).toBe(1),
  ],
  'judge-failed': [
    {
      type: 'judge-failed',
      message: 'it answered with 400',
      spending: { calls: 4, failures: 1, inputTokens: 5, outputTokens: 5 },
    },
    ({ conversation: now }) => expect(now.judge?.failures).toBe(1),
  ],
  'loop-suspected': [
    { type: 'loop-suspected', finding, explanation: 'twice' },
    (state) => {
      last({ type: 'guard', what: 'suspected', explanation: 'twice' })(state);
      expect(state.conversation.guard).toBe('suspicious');
    },
  ],
  'loop-steered': [
    { ...halted, type: 'loop-steered', message: 'Stop it.' },
    (state) => {
      last({ type: 'guard', what: 'told', message: 'Stop it.' })(state);
      expect(state.conversation.guard).toBe('steered');
    },
  ],
  'loop-rewound': [
    { ...halted, type: 'loop-rewound', id: 'rewind-9', note: 'It repeats.', rounds: 3, tokens: 1200, tried: [] },
    last({ type: 'guard', what: 'rewound', message: 'It repeats.', takenOut: 'rewind-9' }),
  ],
  'loop-escalated': [
    { ...halted, type: 'loop-escalated', to: { provider: 'p', model: 'stronger' } },
    last({ type: 'guard', what: 'escalated', done: 'stronger takes the next turn' }),
  ],
  'loop-shadowed': [
    { ...halted, type: 'loop-shadowed' },
    (state) => {
      last({ type: 'guard', what: 'shadowed' })(state);
      expect(state.conversation.guard).toBe('watching');
    },
  ],
  'loop-detected': [
    { ...halted, type: 'loop-detected' },
    (state) => {
      last({ type: 'loop', state: 'asked', report: halted, calls: [call('a')] })(state);
      expect(state.conversation.guard).toBe('halted');
      expect(itemsOf(state).find(({ type }) => type === 'tool')).toMatchObject({ status: 'not-run' });
      expect(state.announced.at(-1)?.text).toContain('ls was called 3 times.');
    },
  ],
  warning: [{ type: 'warning', message: 'w' }, last({ type: 'note', tone: 'warning', text: 'w' })],
  error: [{ type: 'error', message: 'e', status: 401 }, last({ type: 'note', tone: 'bad', text: 'e', about: 'key' })],
  'max-turns': [{ type: 'max-turns', turns: 50 }, last({ type: 'note', tone: 'warning' })],
  'user-cancelled': [{ type: 'user-cancelled' }, last({ type: 'note', text: 'Cancelled.' })],
  finished: [{ type: 'finished', reason: 'length' }, last({ type: 'note', tone: 'warning' })],
};

function last(item: Partial<Item> | { readonly [key: string]: unknown }): (state: ViewState) => void {
  return (state) => expect(itemsOf(state).at(-1)).toMatchObject(item);
}

test.each(clientEventTypes)('%s is handled', (type) => {
  const [event, check] = kinds[type];
  const state = seen(ask('a'), event);
  check(state);
  expect(state.problems).toEqual([]);
  expect(itemsOf(state).filter((item) => item.type === 'note' && item.about === 'fault')).toEqual([]);
});

test('an event of an unknown kind is shown and reported, and the events after it are handled', () => {
  const state = seen({ type: 'hologram' } as never, { type: 'content', text: 'still here' });
  expect(state.problems).toEqual(['an event of an unknown kind came from the agent: "hologram"']);
  expect(itemsOf(state).at(-2)).toMatchObject({ type: 'note', tone: 'bad', text: expect.stringContaining('hologram') });
  expect(itemsOf(state).at(-1)).toMatchObject({ type: 'says' });
  expect(reduce(state, { type: 'settled' }).problems).toEqual([]);
});

test('an invalid event or message is reported, and the page goes on', () => {
  const broken = { type: 'loop-detected' } as never;
  const state = seen(broken, { type: 'content', text: 'on' });
  expect(state.problems).toHaveLength(1);
  expect(itemsOf(state).at(-1)).toMatchObject({ type: 'says' });
  expect(after({ type: 'events' } as never).problems[0]).toContain('"events" could not be read');
  expect(after({ type: 'hologram' } as never).problems[0]).toContain('"hologram"');
  expect(after({ type: 'not-understood', message: 'no' }).problems).toEqual(['no']);
});

test('no content of an event breaks the page', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...clientEventTypes),
      fc.dictionary(
        fc.constantFrom('text', 'id', 'call', 'finding', 'findings', 'total', 'message', 'output'),
        fc.anything(),
      ),
      (type, rest) => {
        expect(itemsOf(seen(ask('a'), { ...rest, type } as never)).length).toBeGreaterThan(0);
      },
    ),
  );
});

const speech = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constantFrom('content', 'reasoning'),
      text: fc.string({ unit: fc.constantFrom('a', ' ', '\n', '`', '#', '- '), maxLength: 30 }),
    }),
    fc.record({ type: fc.constant('tool-call-output'), id: fc.constant('a'), text: fc.string({ maxLength: 12 }) }),
  ),
  { maxLength: 12 },
);

test('the result does not depend on how the stream is cut into deltas and messages', () => {
  fc.assert(
    fc.property(speech, fc.array(fc.nat(30), { maxLength: 20 }), fc.nat(4), (parts, cuts, size) => {
      const joined = joinAdjacent(parts as ClientEvent[]);
      const torn = joined.flatMap((event, k) => tear(event, cuts[k] ?? 0));
      const messages = torn.map((event): ToView => ({ type: 'events', events: [event] }));
      const begun = after({ type: 'started', text: 'Go' }, { type: 'events', events: [ask('a')] });
      const one = reduce(reduce(begun, { type: 'events', events: joined }), { type: 'settled' });
      const many = reduce(messages.reduce(reduce, begun), { type: 'settled' });
      const some = reduce(grouped(torn, size + 1).reduce(reduce, begun), { type: 'settled' });
      expect(itemsOf(many)).toEqual(itemsOf(one));
      expect(itemsOf(some)).toEqual(itemsOf(one));
    }),
  );
});

/** As the host sends them: adjacent deltas of one kind merged. */
function joinAdjacent(events: readonly ClientEvent[]): ClientEvent[] {
  const joined: ClientEvent[] = [];
  for (const event of events) {
    const before = joined.at(-1);
    if (before !== undefined && before.type === event.type && 'text' in before && 'text' in event)
      joined[joined.length - 1] = { ...before, text: before.text + event.text };
    else joined.push(event);
  }
  return joined;
}

function tear(event: ClientEvent, at: number): ClientEvent[] {
  if (!('text' in event)) return [event];
  return [
    { ...event, text: event.text.slice(0, at) },
    { ...event, text: event.text.slice(at) },
  ];
}

function grouped(events: readonly ClientEvent[], size: number): ToView[] {
  const messages: ToView[] = [];
  for (let k = 0; k < events.length; k += size) messages.push({ type: 'events', events: events.slice(k, k + size) });
  return messages;
}

test('a conversation looks the same when resumed as when it was live', () => {
  const history: Message[] = [
    { role: 'user', from: 'user', text: 'Go' },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'Hm' },
        { type: 'text', text: 'I look.' },
        { type: 'tool-call', ...call('a') },
      ],
    },
    { role: 'tool', results: [{ id: 'a', tool: 'ls', status: 'ok', output: 'x' }] },
    { role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] },
  ];
  const live = reduce(
    seen(
      { type: 'reasoning', text: 'Hm' },
      { type: 'content', text: 'I look.' },
      ask('a'),
      { type: 'tool-call-result', id: 'a', tool: 'ls', status: 'ok', output: 'x' },
      { type: 'content', text: 'Done.' },
      { type: 'finished', reason: 'stop' },
    ),
    { type: 'settled' },
  );
  const resumed = reduce(startState, { ...conversation, history });
  expect(itemsOf(resumed)).toEqual(itemsOf(live));
  expect(resumed.conversation.sent).toEqual(live.conversation.sent);
});

test('a loop is asked about with its cost, and the answer makes it a line', () => {
  const price = { input: 0.5e6 / 2340, output: 0.5e6 / 2340, cached: 0 };
  const priced = reduce(seen(ask('a')), {
    type: 'facts',
    facts: { ...facts, usage: { ...usage, inputTokens: 2338 }, price },
  });
  const asked = reduce(priced, { type: 'events', events: [{ ...halted, type: 'loop-detected' }] });
  expect(openLoop(asked.conversation)).toMatchObject({ state: 'asked', cost: 0.5 });
  const sent = reduce(asked, { type: 'loop-choice', choice: 'hint', hint: 'Look' });
  expect(openLoop(sent.conversation)).toMatchObject({ state: 'sent', choice: 'hint', hint: 'Look' });
  const settled = reduce(sent, { type: 'loop-answered', choice: 'hint' });
  expect(openLoop(settled.conversation)).toBeUndefined();
  expect(itemsOf(settled).at(-1)).toMatchObject({ type: 'loop', state: 'answered', choice: 'hint', hint: 'Look' });
});

test('a second loop is asked about again', () => {
  const first = reduce(seen({ ...halted, type: 'loop-detected' }), { type: 'loop-answered', choice: 'continue' });
  const second = [
    { type: 'started' } as const,
    { type: 'events', events: [{ ...halted, type: 'loop-detected' }] } as const,
  ].reduce<ViewState>(reduce, first);
  expect(itemsOf(second).filter(({ type }) => type === 'loop')).toMatchObject([
    { state: 'answered' },
    { state: 'asked' },
  ]);
});

test('a new request settles an unanswered loop', () => {
  const state = reduce(seen({ ...halted, type: 'loop-detected' }), { type: 'started', text: 'Else' });
  expect(openLoop(state.conversation)).toBeUndefined();
  expect(itemsOf(state).at(-1)).toMatchObject({ type: 'you', text: 'Else' });
});

test('approvals are shown until they are answered or withdrawn', () => {
  const request = {
    call: call('a'),
    title: '.',
    effect: 'run',
    display: { type: 'text', text: 'x' },
    covers: ['ls'],
  } as const;
  const asked = [1, 2, 3].map((id): ToView => ({ type: 'approval', id, request })).reduce(reduce, seen(ask('a')));
  expect(asked.conversation.approvals.map(({ id }) => id)).toEqual([1, 2, 3]);
  const fewer = reduce(reduce(asked, { type: 'approval-gone', id: 1 }), { type: 'approval-answer', id: 3 });
  expect(fewer.conversation.approvals.map(({ id }) => id)).toEqual([2]);
  expect(reduce(fewer, { type: 'settled' }).conversation.approvals).toEqual([]);
});

test('after settled no call is running and no text is open', () => {
  const state = reduce(seen(ask('a'), { type: 'content', text: ' \n' }), { type: 'settled' });
  expect(state.conversation).toMatchObject({ phase: 'idle' });
  expect(itemsOf(state).map(({ type }) => type)).toEqual(['you', 'tool']);
  expect(itemsOf(state)[1]).toMatchObject({ status: 'not-run' });
});

test('the guard stays off, and a suspicion is shown once', () => {
  const off = reduce(startState, { ...conversation, facts: { ...facts, guard: 'off' } });
  const event: ClientEvent = { type: 'loop-suspected', finding, explanation: 'x' };
  expect(reduce(off, { type: 'events', events: [event] }).conversation.guard).toBe('off');
  expect(itemsOf(seen(event, event, event)).filter(({ type }) => type === 'guard')).toHaveLength(1);
});

test('a finished text is read out, not every delta of it', () => {
  const speaking = seen({ type: 'content', text: 'One ' }, { type: 'content', text: 'two.' });
  expect(speaking.announced).toEqual([]);
  expect(reduce(speaking, { type: 'settled' }).announced.map(({ text }) => text)).toEqual(['One two.']);
});

test('only the end of the output of a tool is kept', () => {
  let state = seen(ask('a'));
  for (let k = 0; k < 2000; k++)
    state = reduce(state, {
      type: 'events',
      events: [{ type: 'tool-call-output', id: 'a', text: `${'x'.repeat(60)} ${k}\n` }],
    });
  const card = itemsOf(state).at(-1);
  expect(card).toMatchObject({ streamed: expect.stringMatching(/1999\n$/) });
  expect(JSON.stringify(card).length).toBeLessThan(60_000);
});

test('a conversation replaces the previous one, with its loop and its interrupted request', () => {
  const history: Message[] = [{ role: 'assistant', parts: [{ type: 'tool-call', ...call('z') }] }];
  const state = reduce(seen({ type: 'content', text: 'old' }), { ...conversation, history, halted, cut: true });
  expect(itemsOf(state).map(({ type }) => type)).toEqual(['tool', 'loop']);
  expect(openLoop(state.conversation)).toMatchObject({ calls: [call('z')] });
  expect(state.cut).toBe(true);
  expect(reduce(state, { type: 'started' }).cut).toBe(false);
});

test('elements of one conversation are not reused for the next', () => {
  const first = seen(ask('a'), { type: 'content', text: 'x' });
  const second = reduce(first, { ...conversation, history: [{ role: 'user', from: 'user', text: 'Go' }] });
  expect(second.shown).not.toBe(first.shown);
});

test('a choice that could not be carried out is asked for again, and other notes do not cause that', () => {
  const sent = [
    { type: 'loop-choice', choice: 'hint' } as const,
    { type: 'note', tone: 'warning', text: 'Something else.' } as const,
  ].reduce<ViewState>(reduce, seen({ ...halted, type: 'loop-detected' }));
  expect(openLoop(sent.conversation)?.state).toBe('sent');
  expect(openLoop(reduce(sent, { type: 'loop-choice-failed' }).conversation)?.state).toBe('asked');
});

test('the text of an answer is kept unchanged', () => {
  const [, said] = itemsOf(seen({ type: 'content', text: 'a\n\nb\n\n```\nc' }));
  expect(said?.type === 'says' && textOf(said.text)).toBe('a\n\nb\n\n```\nc');
});
