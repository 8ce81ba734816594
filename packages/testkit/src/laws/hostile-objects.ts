import { type AgentEvent, createWatch, type Json } from 'loopfuse';
import type { LawOptions, MakeDetectors } from './law.js';

/**
 * Values that JSON cannot contain but that a host can pass by mistake, and on which a careless walk would throw or
 * never end. Each is created new, because some can be read only once.
 */
export const hostileObjects: Readonly<Record<string, () => unknown>> = {
  'a list of four thousand million holes': () => Object.assign([], { length: 4_000_000_000 }),
  'a list without end': () => new Proxy([], { get: (_, key) => (key === 'length' ? 2 ** 50 : elementOf(key)) }),
  'a list whose iterator never ends': () =>
    Object.assign([1], {
      *[Symbol.iterator]() {
        for (;;) yield 'again';
      },
    }),
  'the same two things in each other, sixty levels deep': doubling,
  'objects that make new objects for ever': endless,
  'a cycle': () => {
    const self: Record<string, unknown> = { list: [] };
    (self.list as unknown[]).push(self, self, { self });
    return self;
  },
  'lists in lists, twenty thousand levels deep': () => JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)),
  'objects in objects, as text': () => '{"a":'.repeat(20_000),
  'twenty thousand keys': () => Object.fromEntries(Array.from({ length: 20_000 }, (_, k) => [`key ${k}`, k])),
  'a getter that throws': () => Object.defineProperty({}, 'path', { enumerable: true, get: thrown }),
  'a proxy that always throws': () => new Proxy({}, { get: thrown, ownKeys: thrown, has: thrown }),
  'a revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  'a text with a length of its own': () => Object.assign(Object('text'), { toJSON: endless }),
};

/**
 * With any object in an event, or instead of one, `observe` returns and does not throw, and a snapshot can still be
 * taken.
 */
export function checkHostileObjects(make: MakeDetectors, { tools = {} }: LawOptions = {}): void {
  for (const [name, value] of Object.entries(hostileObjects)) {
    const watch = createWatch({ detectors: make(), tools });
    const events: (() => unknown)[] = [
      () => ({ type: 'tool-call', id: '1', tool: 'read_file', input: value() as Json }),
      () => ({ type: 'tool-result', id: '1', output: value() as Json }),
      () => ({ type: 'tool-call', id: '2', tool: 'read_file', input: { path: value() as Json } }),
      () => ({ type: 'tool-result', id: '2', output: { result: [value() as Json] }, failed: true }),
      () => ({ type: 'text', text: value() }),
      () => ({ type: 'tool-call', id: value(), tool: value(), input: 1 }),
      () => ({ type: value() }),
      value,
    ];
    for (const event of events) {
      try {
        watch.observe(event() as AgentEvent);
      } catch (cause) {
        throw new Error(`hostile objects: observe threw on ${name}`, { cause });
      }
    }
    JSON.stringify(watch.snapshot());
  }
}

function elementOf(key: string | symbol): unknown {
  return key === Symbol.iterator ? Array.prototype[Symbol.iterator] : 'again';
}

/** A graph with 2⁶⁰ ways through it. */
function doubling(): unknown {
  let both: unknown = 'leaf';
  for (let k = 0; k < 60; k++) both = k % 2 === 0 ? [both, both] : { left: both, right: both };
  return both;
}

function endless(): unknown {
  return new Proxy(
    {},
    {
      ownKeys: () => ['more', 'and more'],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      get: (_, key) => (typeof key === 'symbol' ? undefined : endless()),
    },
  );
}

function thrown(): never {
  throw new Error('no');
}
