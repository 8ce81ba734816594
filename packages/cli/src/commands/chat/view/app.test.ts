import { render } from 'ink-testing-library';
import { createElement } from 'react';
import { expect, test, vi } from 'vitest';
import { fakeTerminal } from '../../../../testing/terminal.js';
import { lineText } from '../../../terminal/rich/span.js';
import type { Chat } from '../chat-session.js';
import { type Input, reduce } from '../screen/reduce.js';
import { startState } from '../screen/state.js';
import { App } from './app.js';
import { pageOf } from './page.js';
import { statusLine } from './status-lines.js';

const usage = { inputTokens: 12_345, outputTokens: 678, cachedTokens: 1000, reasoningTokens: 0 };
const price = { input: 3, output: 15, cached: 0.3 };
const facts = { model: 'some-model', approval: 'ask' } as const;
const known = { price, guard: 'watching', usage } as const;

/** The screen of a chat to which things happen. */
function screen(...inputs: readonly Input[]) {
  let state = inputs.reduce(reduce, startState(facts, known, [{ type: 'you', text: 'Hello' }]));
  const listeners = new Set<() => void>();
  const chat: Chat = {
    get state() {
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    press() {},
    quit() {},
    sessionId: undefined,
    left: Promise.resolve(),
  };
  const { stdin, stdout, stderr } = process;
  const out = fakeTerminal();
  const shell = { out, err: out, env: {}, streams: { stdin, stdout, stderr }, command: 'loopfuse', exitCode: 0 };
  const drawn = render(createElement(App, { chat, shell }));
  return {
    ...drawn,
    chat,
    shell,
    lines: () => (drawn.lastFrame() ?? '').split('\n').map((line) => line.trimEnd()),
    happens(...more: readonly Input[]) {
      state = more.reduce(reduce, state);
      for (const listener of listeners) listener();
    },
  };
}

/** What a busy machine may need to draw. */
const patience = { timeout: 10_000 };
const text = (words: string): Input => ({ type: 'event', event: { type: 'content', text: words } });
const typed = (words: string): Input => ({ type: 'key', key: { type: 'text', text: words } });

test('at rest: what was said, the line to type in, and the line with model, guard, tokens and cost', () => {
  const { lines, unmount } = screen(text('Hi **there**.'), { type: 'settled' });
  expect(lines()).toEqual([
    '❯ Hello',
    '',
    '  Hi there.',
    '',
    '─'.repeat(100),
    '❯ ▏Ask for something, or /help',
    '─'.repeat(100),
    'some-model · approval ask · guard watching · 12.3k in (1.0k cached), 678 out · ≈ $0.0445',
  ]);
  unmount();
});

test('what is left of the context of the model is shown once it is known', () => {
  const usage = { inputTokens: 30_000, outputTokens: 2000, cachedTokens: 0, reasoningTokens: 0 };
  const { lines, unmount } = screen(
    { type: 'facts', facts: { contextLimit: 128_000 } },
    { type: 'event', event: { type: 'token-usage', usage, total: usage } },
    { type: 'settled' },
  );
  expect(lines().at(-1)).toMatch(/30\.0k in, 2\.0k out · ≈ \$[\d.]+ · 75% context left$/);
  unmount();
});

test('at work: the end of what streams, how long it has taken, what comes next', async () => {
  const { lines, happens, unmount } = screen({ type: 'started' }, text(`${'long '.repeat(2000)}end`));
  expect(lines().slice(1).length).toBeLessThan(24); // what was said before runs up and away
  expect(lines()).toContain('  …');
  expect(lines().some((line) => line.endsWith('long end'))).toBe(true);
  expect(lines().some((line) => /Working 0 s · Esc cancels$/.test(line))).toBe(true);
  happens(typed('and then'), { type: 'key', key: { type: 'enter' } }, typed('x'));
  await vi.waitFor(
    () => expect(lines().slice(-5, -1)).toEqual(['❯ and then', '─'.repeat(100), '❯ x▏', '─'.repeat(100)]),
    patience,
  );
  happens({ type: 'key', key: { type: 'escape' } });
  await vi.waitFor(() => expect(lines().some((line) => / Cancelling \d+ s$/.test(line))).toBe(true), patience);
  unmount();
});

test.each([8, 10, 12, 24, 40])(
  'of what streams there is something to see in a terminal of %d rows, and never too much',
  async (rows) => {
    const { lines, stdout, happens, unmount } = screen({ type: 'started' }, text(`${'long '.repeat(2000)}end`));
    Object.assign(stdout, { rows });
    stdout.emit('resize');
    const drawn = () => lines().slice(lines().lastIndexOf('❯ Hello') + 1);
    await vi.waitFor(() => expect(drawn().length).toBe(rows - 1), patience);
    expect(drawn().at(-7)).toMatch(/long end$/);
    happens(typed('and then'), { type: 'key', key: { type: 'enter' } }, typed('x\n'.repeat(50)));
    await vi.waitFor(() => expect(drawn()).toContain('❯ and then'), patience);
    expect(drawn().length).toBeLessThan(rows);
    unmount();
  },
);

test('how long it has taken is told by the clock, also where the process had no time to draw', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1000);
  const { lines, unmount } = screen({ type: 'started' });
  await vi.waitFor(() => expect(lines().some((line) => / Working 0 s/.test(line))).toBe(true), patience);
  clock.mockReturnValue(62_500);
  await vi.waitFor(() => expect(lines().some((line) => / Working 61 s/.test(line))).toBe(true), patience);
  clock.mockRestore();
  unmount();
});

test('the line at the bottom leaves out what matters least where it has no room for all', () => {
  const judge = { calls: 2, inputTokens: 4000, outputTokens: 100, cachedTokens: 0, reasoningTokens: 0 };
  const begun = startState({ ...facts, contextLimit: 128_000 }, { ...known, usage: { ...usage, cachedTokens: 0 } });
  const state = { ...begun, conversation: { ...begun.conversation, contextTokens: 32_000, judge } };
  const at = (columns: number) => lineText(statusLine(state, pageOf({ out: fakeTerminal() }, { columns, rows: 30 })));
  expect(at(120)).toMatch(/watching · 12\.3k in, 678 out · ≈ \$[\d.]+ · 75% context left · judge 2x, 4\.1k$/);
  expect(at(100)).toMatch(/watching · 12\.3k in, 678 out · ≈ \$[\d.]+ · 75% context left$/);
  expect(at(80)).toMatch(/watching · ≈ \$[\d.]+ · 75% context left$/);
  expect(at(60)).toMatch(/watching · ≈ \$[\d.]+$/);
  expect(at(40)).toBe('some-model · approval ask · guard watching');
});

test('when the person has left, where one could type is gone, and what was said stays', () => {
  const { lines, rerender, chat, shell, unmount } = screen(
    text('Hi.'),
    { type: 'settled' },
    { type: 'key', key: { type: 'interrupt' } },
  );
  rerender(createElement(App, { chat, shell, left: true }));
  expect(lines().slice(0, -1)).toEqual(['❯ Hello', '', '  Hi.', '']);
  expect(lines().at(-1)).toMatch(/^some-model · approval ask/);
  unmount();
});

test('Ctrl-C says what a second one does', () => {
  const { lines, unmount } = screen({ type: 'key', key: { type: 'interrupt' } });
  expect(lines().at(-1)).toBe('Press Ctrl-C again to leave.');
  unmount();
});
