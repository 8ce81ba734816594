import type { ClientEvent } from '@loopfuse/agent';
import { clientEventTypes } from '@loopfuse/agent/events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callLoop } from '../testing/loop-report.js';
import { sampleCall, samples } from '../testing/samples.js';
import {
  type Conversation,
  costOf,
  entries,
  type FaceEvent,
  openLoop,
  reduce,
  startConversation,
  statusOf,
  textOf,
} from './index.js';

type Event = ClientEvent | FaceEvent;
const after = (...events: readonly Event[]): Conversation => events.reduce(reduce, startConversation());
const detected = samples['loop-detected'];
const request = {
  call: sampleCall,
  title: 'README.md',
  effect: 'edit',
  display: { type: 'text', text: 'x' },
  covers: ['read_file'],
} as const;

const faceEvents: { readonly [Type in FaceEvent['type']]: Extract<FaceEvent, { type: Type }> } = {
  started: { type: 'started', text: 'Go' },
  busy: { type: 'busy' },
  stopping: { type: 'stopping' },
  settled: { type: 'settled' },
  approval: { type: 'approval', id: 1, request },
  'approval-gone': { type: 'approval-gone', id: 1 },
  'loop-choice': { type: 'loop-choice', choice: 'hint', hint: 'Look' },
  'loop-choice-failed': { type: 'loop-choice-failed' },
  'loop-answered': { type: 'loop-answered', choice: 'continue' },
  typed: { type: 'typed', text: '/help' },
  note: { type: 'note', tone: 'good', text: 'Fine.' },
  list: { type: 'list', rows: [['a', 'b']] },
  display: { type: 'display', display: request.display },
  known: { type: 'known', known: { guard: 'off' } },
};
const every = fc.constantFrom<Event>(...Object.values(samples), ...Object.values(faceEvents));

describe('laws', () => {
  test('any events in any order are shown: nothing throws, nothing is called unknown, no state is changed in place', () => {
    fc.assert(
      fc.property(fc.array(every, { maxLength: 40 }), (events) => {
        let state = startConversation();
        for (const event of events) {
          const frozen = JSON.stringify(state);
          const next = reduce(state, event);
          expect(JSON.stringify(state)).toBe(frozen);
          expect(next.items.slice(0, state.items.length)).toEqual(state.items);
          state = next;
        }
        expect(entries(state).filter((item) => item.type === 'note' && item.about === 'fault')).toEqual([]);
        const settled = reduce(reduce(state, faceEvents.settled), { type: 'loop-answered', choice: 'stop' });
        expect(settled.live).toEqual([]);
      }),
    );
  });

  test('final items are never changed: their list only grows, by reference', () => {
    fc.assert(
      fc.property(fc.array(every, { maxLength: 40 }), (events) => {
        let state = startConversation();
        for (const event of events) {
          const next = reduce(state, event);
          for (const [at, item] of state.items.entries()) expect(next.items[at]).toBe(item);
          state = next;
        }
      }),
    );
  });

  test('any content of an event is accepted, and the next event is shown', () => {
    const keys = fc.constantFrom('text', 'id', 'call', 'finding', 'findings', 'total', 'message', 'output', 'choice');
    fc.assert(
      fc.property(fc.constantFrom(...clientEventTypes), fc.dictionary(keys, fc.anything()), (type, rest) => {
        const state = after(samples['tool-call-request'], { ...rest, type } as never, samples.warning);
        expect(entries(state).at(-1)).toMatchObject({ type: 'note', text: 'careful' });
      }),
    );
    expect(entries(after(null as never))).toMatchObject([{ type: 'note', about: 'fault' }]);
    expect(entries(after({ type: 'hologram' } as never))).toMatchObject([
      { text: expect.stringContaining('"hologram"') },
    ]);
  });

  test('how the stream was cut does not matter', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '`', '#', '- '), maxLength: 60 });
    fc.assert(
      fc.property(
        text,
        fc.array(fc.nat(60), { maxLength: 12 }),
        fc.constantFrom('content', 'reasoning'),
        (whole, cuts, type) => {
          const at = [...new Set([0, ...cuts.filter((cut) => cut < whole.length), whole.length])].sort((a, b) => a - b);
          const deltas = at.slice(1).map((end, k): Event => ({ type, text: whole.slice(at[k], end) }));
          expect(after(...deltas, faceEvents.settled)).toEqual(after({ type, text: whole }, faceEvents.settled));
        },
      ),
    );
  });

  test('10,000 deltas behind 1,000 items copy none of these, and of the text only the block that is being written', () => {
    const earlier = Array.from({ length: 1000 }, (_, k): Event => ({ type: 'note', tone: 'plain', text: `${k}` }));
    let state = after(...earlier);
    const { items } = state;
    const lists = new Set<unknown>();
    let longest = 0;
    for (let k = 0; k < 10_000; k++) {
      state = reduce(state, { type: 'content', text: k % 100 === 99 ? 'end.\n\nNext ' : 'word ' });
      const [speech] = state.live;
      if (speech?.type !== 'says') throw new Error('nothing is being said');
      expect(state.items).toBe(items);
      lists.add(speech.text.done);
      longest = Math.max(longest, speech.text.rest.length);
    }
    expect(lists.size).toBeLessThan(102); // a new list of blocks for each block, and not for each delta
    expect(longest).toBeLessThan(1200);
  });

  test('what a tool writes is kept within bounds, and not copied with every delta', () => {
    let state = after(samples['tool-call-request']);
    let copies = 0;
    let before = 0;
    for (let k = 0; k < 10_000; k++) {
      state = reduce(state, { type: 'tool-call-output', id: 'c1', text: `${'x'.repeat(60)} ${k}\n` });
      const [card] = state.live;
      const length = card?.type === 'tool' ? card.streamed.length : 0;
      if (length < before) copies++;
      before = length;
      expect(length).toBeLessThanOrEqual(50_000);
    }
    expect(copies).toBeLessThan(40);
    expect(state.live).toMatchObject([{ streamed: expect.stringMatching(/9999\n$/) }]);
    const [card] = state.live;
    const { streamed = '', linesBefore = 0 } = card?.type === 'tool' ? card : {};
    expect(linesBefore + streamed.split('\n').length - 1).toBe(10_000); // how much is not shown can be told
  });
});

test('calls are numbered through the conversation, and cards say what came of each', () => {
  const request = (id: string): ClientEvent => ({
    ...samples['tool-call-request'],
    call: { id, tool: 'ls', input: {} },
  });
  const result = { type: 'tool-call-result', tool: 'ls', output: 'o' } as const;
  const state = after(
    ...[request('a'), request('b'), { ...result, id: 'a', status: 'ok', milliseconds: 2500 } as const],
    ...[{ ...result, id: 'b', status: 'refused', instead: 'Use glob.' } as const, { type: 'settled' } as const],
    request('c'),
  );
  expect(entries(state)).toMatchObject([
    { number: 1, status: 'ok', milliseconds: 2500 },
    { number: 2, status: 'refused', instead: 'Use glob.' },
    { number: 3, status: 'pending' },
  ]);
});

test.each(clientEventTypes)('%s shows, or is counted', (type) => {
  const before = after(samples['tool-call-request']);
  expect(reduce(before, samples[type])).not.toEqual(before);
});

describe('a loop', () => {
  test('is asked about with the calls that take part and its cost, and keeps its card when it is settled', () => {
    const usage = { inputTokens: 4000, outputTokens: 680, cachedTokens: 0, reasoningTokens: 0 };
    const asked = after(
      { type: 'known', known: { price: { input: 2, output: 10, cached: 2 } } },
      faceEvents.started,
      { type: 'tool-call-request', call: { id: 'x', tool: 'ls', input: {} }, title: '.' },
      samples['tool-call-request'],
      { type: 'token-usage', usage, total: usage },
      detected,
      faceEvents.settled,
    );
    expect(statusOf(asked)).toBe('waiting-for-choice');
    expect(openLoop(asked)).toMatchObject({
      state: 'asked',
      calls: [sampleCall],
      cost: expect.closeTo((((4000 * 2 + 680 * 10) / 1e6) * 2340) / 4680, 9),
    });
    const sent = reduce(asked, faceEvents['loop-choice']);
    expect(openLoop(sent)).toMatchObject({ state: 'sent', choice: 'hint', hint: 'Look' });
    expect(openLoop(reduce(sent, faceEvents['loop-choice-failed']))).toEqual(openLoop(asked));
    const settled = reduce(sent, { type: 'loop-answered', choice: 'hint', hint: 'Look' });
    expect([openLoop(settled), statusOf(settled)]).toEqual([undefined, 'idle']);
    expect(settled.items.at(-1)).toMatchObject({
      type: 'loop',
      state: 'answered',
      choice: 'hint',
      hint: 'Look',
      report: { title: 'Repeated calls' },
    });
  });

  test.each([
    ['Else', 'stop'],
    [undefined, 'continue'],
  ] as const)('that nobody has decided about is settled by the next request: %j means %s', (text, choice) => {
    const { items } = after(detected, faceEvents.settled, { type: 'started', text });
    expect(items.find((item) => item.type === 'loop')).toMatchObject({ state: 'answered', choice });
  });

  test('is not asked about once another one has come', () => {
    const state = after(detected, detected);
    expect(entries(state).map((item) => item.type === 'loop' && item.state)).toEqual(['answered', 'asked']);
  });

  test('a note about a choice that cannot be carried out changes nothing in the card', () => {
    const sent = after(detected, faceEvents['loop-choice'], {
      type: 'note',
      tone: 'warning',
      text: 'The hint is empty.',
    });
    expect(openLoop(sent)?.state).toBe('sent');
  });

  test('switched off is off, whatever happens', () => {
    const off = after(detected, { type: 'loop-answered', choice: 'disable' }, samples['loop-suspected'], detected);
    expect(off.guard).toBe('off');
  });
});

test('a suspicion does not interrupt the current text, and is shown once', () => {
  const state = after(samples.content, samples['loop-suspected'], samples.content, samples['loop-suspected']);
  const [said, ...rest] = entries(state);
  expect(said?.type === 'says' && textOf(said.text)).toBe('hellohello');
  expect(rest).toMatchObject([{ type: 'guard', what: 'suspected' }]);
});

test('calls side by side stay in order, and one is not dropped because the guard says something about another', () => {
  const call = (id: string): Event => ({ type: 'tool-call-request', call: { ...sampleCall, id }, title: id });
  const result = (id: string): Event => ({ type: 'tool-call-result', id, tool: 'read_file', status: 'ok', output: id });
  const state = after(call('a'), call('b'), result('b'), samples['loop-steered']);
  expect(state.items).toEqual([]);
  expect(reduce(state, result('a')).items).toMatchObject([
    { title: 'a', status: 'ok' },
    { title: 'b', status: 'ok' },
    { type: 'guard', what: 'told' },
  ]);
  expect(reduce(state, faceEvents.settled).items[0]).toMatchObject({ title: 'a', status: 'not-run' });
});

test('an approval waits until it is answered, nobody waits for it, or nothing goes on', () => {
  const asked = after(faceEvents.started, faceEvents.approval, { ...faceEvents.approval, id: 2 });
  expect([statusOf(asked), asked.approvals.map(({ id }) => id)]).toEqual(['waiting-for-approval', [1, 2]]);
  expect(reduce(asked, faceEvents['approval-gone']).approvals.map(({ id }) => id)).toEqual([2]);
  expect(statusOf(reduce(asked, faceEvents.settled))).toBe('idle');
});

test('the context is as large as the last request and its answer, or as what it was compressed to', () => {
  const usage = { inputTokens: 90_000, outputTokens: 500, cachedTokens: 0, reasoningTokens: 0 };
  const used = after({ type: 'token-usage', usage, total: usage });
  expect(used.contextTokens).toBe(90_500);
  const compressed = reduce(used, { type: 'history-compressed', tokensBefore: 91_000, tokensAfter: 4000 });
  expect(compressed).toMatchObject({ contextTokens: 4000, usage });
});

test('blank text leaves nothing, and thoughts and text are separate items', () => {
  const state = after(samples.reasoning, samples.content, { type: 'reasoning', text: ' \n' }, faceEvents.settled);
  expect(state.items.map(({ type }) => type)).toEqual(['thinks', 'says']);
});

test('a report of an earlier version without usage is priced by the known usage', () => {
  const usage = { inputTokens: 4680, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
  const price = { input: 1, output: 1, cached: 1 };
  const known = reduce(startConversation({ usage, price }), { type: 'loop-detected', ...callLoop() });
  const told = reduce(startConversation({ price }), { type: 'loop-detected', ...callLoop({ usage }) });
  expect(openLoop(known)?.cost).toBeCloseTo(0.00234, 9);
  expect(openLoop(told)?.cost).toBe(openLoop(known)?.cost);
});

test('an end without an answer is reported, also after a call; one with an answer is not', () => {
  const end = (reason: string) => ({ type: 'finished', reason }) as const;
  const last = (...events: readonly Event[]) => entries(after({ type: 'started', text: 'Go' }, ...events)).at(-1);
  const silent = { type: 'note', text: expect.stringContaining('without an answer'), tone: 'warning' };
  expect(last(end('stop'))).toMatchObject(silent);
  expect(last({ type: 'content', text: ' \n' }, end('stop'))).toMatchObject(silent);
  expect(
    last({ type: 'content', text: 'I look.' }, samples['tool-call-request'], samples['tool-call-result'], end('stop')),
  ).toMatchObject(silent);
  expect(last(end('other'))).toMatchObject({ text: expect.stringContaining('Check the model and the address') });
  expect(last({ type: 'content', text: 'Done.' }, end('stop'))).toMatchObject({ type: 'says' });
  expect(last({ type: 'content', text: 'Done.' }, end('other'))).toMatchObject({
    text: expect.stringContaining('(other)'),
  });
});

test('what was used before another model was chosen keeps its price', () => {
  const million = { inputTokens: 1e6, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
  const used = (millions: number): Event => ({
    ...{ type: 'token-usage', usage: million, total: { ...million, inputTokens: millions * 1e6 } },
  });
  const priced = (input: number): Event => ({ type: 'known', known: { price: { input, output: 1, cached: 1 } } });
  const costly = after(priced(10), used(1));
  expect(costOf(costly)).toBe(10);
  const switched = [priced(2), used(2), priced(2), used(3)].reduce(reduce, costly);
  expect(costOf(switched)).toBe(10 + 2 + 2);
  expect(costOf([priced(10), used(4)].reduce(reduce, switched))).toBe(14 + 10);
  const unknown = reduce(switched, { type: 'known', known: { price: undefined } });
  expect([costOf(unknown), costOf(reduce(unknown, used(4)))]).toEqual([14, undefined]);
  const { usage } = startConversation();
  const fresh = reduce(switched, { type: 'known', known: { usage, price: { input: 2, output: 1, cached: 1 } } });
  expect(costOf(reduce(fresh, used(1)))).toBe(2);
});
