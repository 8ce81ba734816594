import { type ClientEvent, clientEventTypes } from '@loopfuse/agent';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ToView } from '../../protocol/index.js';
import { keepEvent, mergeEvent } from './merge-event.js';
import { createOutbox } from './outbox.js';

const deltas: readonly string[] = ['content', 'reasoning', 'tool-call-output'];
const others = clientEventTypes.filter((type) => !deltas.includes(type));
const ids = fc.constantFrom('a', 'b');
const event: fc.Arbitrary<ClientEvent> = fc.oneof(
  fc.record({ type: fc.constantFrom('content' as const, 'reasoning' as const), text: fc.string() }),
  fc.record({ type: fc.constant('tool-call-output' as const), id: ids, text: fc.string() }),
  ids.map((id): ClientEvent => ({ type: 'tool-call-request', call: { id, tool: 'ls', input: {} }, title: '' })),
  ids.map((id): ClientEvent => ({ type: 'tool-call-result', id, tool: 'ls', status: 'ok', output: '' })),
  fc.constantFrom(...others, 'telepathy').map((type) => ({ type }) as ClientEvent),
);

/** The deltas character by character, everything else as it is: what must not change by merging. */
function story(events: readonly ClientEvent[]): unknown[] {
  return events.flatMap((one): unknown[] =>
    deltas.includes(one.type) && 'text' in one ? [...one.text].map((text) => ({ ...one, text })) : [one],
  );
}

function merged(events: readonly ClientEvent[], add = mergeEvent): ClientEvent[] {
  const all: ClientEvent[] = [];
  for (const one of events) add(all, one);
  return all;
}

describe('merging events', () => {
  test('keeps their content, in whatever order they come', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        expect(story(merged(events))).toEqual(story(events));
      }),
    );
  });

  test('joins a thousand deltas into one', () => {
    const many = Array.from({ length: 1000 }, (): ClientEvent => ({ type: 'content', text: 'x' }));
    expect(merged(many)).toEqual([{ type: 'content', text: 'x'.repeat(1000) }]);
  });

  test('keeps the output of two calls apart, and drops it with their results', () => {
    const call = (id: string): ClientEvent => ({
      type: 'tool-call-request',
      call: { id, tool: 'ls', input: {} },
      title: '',
    });
    const output = (id: string, text: string): ClientEvent => ({ type: 'tool-call-output', id, text });
    const result = (id: string): ClientEvent => ({
      type: 'tool-call-result',
      id,
      tool: 'ls',
      status: 'ok',
      output: '',
    });
    const events = [call('a'), call('b'), output('a', '1'), output('a', '2'), output('b', '3'), output('a', '4')];
    expect(merged(events, keepEvent).slice(2)).toEqual([output('a', '12'), output('b', '3'), output('a', '4')]);
    expect(merged([...events, result('a')], keepEvent)).toEqual([call('a'), call('b'), output('b', '3'), result('a')]);
  });
});

describe('the outbox', () => {
  const note: ToView = { type: 'note', text: '', tone: 'plain' };

  test('keeps the order of events and messages, and loses none', () => {
    fc.assert(
      fc.property(fc.array(fc.option(event)), (inputs) => {
        const posts: ToView[] = [];
        const outbox = createOutbox({ post: (message) => posts.push(message), pause: 1000 });
        for (const one of inputs) one === null ? outbox.send(note) : outbox.event(one);
        outbox.flush();
        const told = posts.flatMap((post): unknown[] => (post.type === 'events' ? story(post.events) : [post]));
        expect(told).toEqual(inputs.flatMap((one): unknown[] => (one === null ? [note] : story([one]))));
      }),
    );
  });

  test('sends after a pause, and calls onFlush', async () => {
    const flushed = await new Promise<ToView[]>((resolve) => {
      const posts: ToView[] = [];
      const outbox = createOutbox({ post: (message) => posts.push(message), pause: 1, onFlush: () => resolve(posts) });
      outbox.event({ type: 'content', text: 'a' });
      outbox.event({ type: 'content', text: 'b' });
    });
    expect(flushed).toEqual([{ type: 'events', events: [{ type: 'content', text: 'ab' }] }]);
  });
});
