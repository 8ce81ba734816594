import { entries } from '@loopfuse/conversation';
import { expect, test } from 'vitest';
import type { ToHost, ToView } from '../protocol/index.js';
import { createStore } from './store.js';

const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
const conversation: ToView = {
  type: 'conversation',
  sessionId: 's',
  history: [],
  facts: { model: 'm', provider: 'p', approval: 'ask', guard: 'watching', usage, trusted: true },
};
const delta: ToView = { type: 'events', events: [{ type: 'content', text: 'x' }] };

/** A store whose frames come when the test says so. */
function setUp(cost = 0) {
  const posted: ToHost[] = [];
  const frames: (() => void)[] = [];
  let time = 0;
  let drawn = 0;
  const store = createStore((message) => posted.push(message), {
    now: () => time,
    nextFrame: (callback) => frames.push(callback),
  });
  store.watch(() => {
    drawn++;
    time += cost;
  });
  return {
    store,
    posted,
    frame() {
      time += 16;
      for (const callback of frames.splice(0)) callback();
      return drawn;
    },
  };
}

test('changes are shown once per frame, however many messages come', () => {
  const { store, frame } = setUp();
  store.receive(conversation);
  for (let k = 0; k < 1000; k++) store.receive(delta);
  expect(entries(store.state.conversation)).toHaveLength(1);
  expect(frame()).toBe(1);
  expect(frame()).toBe(1);
  store.receive(delta);
  expect(frame()).toBe(2);
});

test('after a long render the page waits, but not for long', () => {
  const { store, frame } = setUp(1000);
  store.receive(delta);
  expect(frame()).toBe(1);
  store.receive(delta);
  expect([frame(), frame(), frame(), frame()]).toEqual([1, 1, 1, 2]);
});

test('an input that changes nothing causes no render', () => {
  const { store, frame } = setUp();
  store.show({ type: 'stopping' });
  expect(frame()).toBe(0);
});

test.each([
  undefined,
  null,
  5,
  'text',
  [],
  {},
  { type: 'nonsense' },
  { type: 'events' },
  { ...conversation, facts: {} },
])('an invalid message is reported to the host: %j', (message) => {
  const { store, posted } = setUp();
  store.receive(message);
  expect(posted).toEqual([{ type: 'problem', message: expect.stringContaining('not understood') }]);
  expect(entries(store.state.conversation)).toMatchObject([{ type: 'note', tone: 'bad' }]);
});

test('a problem is reported once', () => {
  const { store, posted } = setUp();
  store.receive({ type: 'events', events: [{ type: 'hologram' }] });
  store.receive(delta);
  expect(posted).toHaveLength(1);
});

test('a removed listener is not called', () => {
  const { store, frame } = setUp();
  let changes = 0;
  store.watch(() => changes++)();
  store.receive(delta);
  frame();
  expect(changes).toBe(0);
});
