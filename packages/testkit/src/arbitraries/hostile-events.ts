import fc from 'fast-check';
import type { AgentEvent, Json } from 'loopfuse';
import { beats } from './agent-events.js';
import { anyString } from './texts.js';

/**
 * Events of the right shape with anything inside: lone surrogates, huge and empty strings, NaN, Infinity, BigInt,
 * undefined, cycles, deep nesting, objects that do not turn into strings.
 */
export function hostileEvents(): fc.Arbitrary<AgentEvent> {
  const id = fc.oneof(fc.constantFrom('', '0', '1', '__proto__', 'constructor'), anyString());
  const text = fc.oneof(anyString(), hugeStrings(), fc.constant(''));
  const tool = fc.oneof(
    beats().map((beat) => beat.tool),
    fc.constantFrom('', '__proto__', 'toString', '*', '('),
    anyString(),
  );
  const number = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 1e308));
  return fc.oneof(
    fc.record({ type: fc.constant('text' as const), text }),
    fc.record({ type: fc.constant('reasoning' as const), text }),
    fc.record({ type: fc.constant('tool-call' as const), id, tool, input: anyPayload() }),
    fc.record(
      { type: fc.constant('tool-result' as const), id, output: anyPayload(), failed: fc.boolean() },
      { requiredKeys: ['type', 'id', 'output'] },
    ),
    fc.record({ type: fc.constant('usage' as const), inputTokens: number, outputTokens: number }),
    fc.record({ type: fc.constant('opinion' as const), by: text, confidence: number, analysis: text }),
    fc.record({ type: fc.constant('steer' as const), text }),
    fc.record({ type: fc.constant('prompt' as const), id: text, text }, { requiredKeys: ['type'] }),
    fc.record({ type: fc.constant('turn-start' as const), at: number }, { requiredKeys: ['type'] }),
    fc.record({ type: fc.constant('turn-end' as const), reason: text }, { requiredKeys: ['type'] }),
    fc.record({ type: fc.constantFrom('retry' as const, 'compaction' as const) }),
  );
}

/** Values that are not events: other values, unknown types, fields of the wrong type. */
export function wrongShapes(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.anything().filter((value) => typeof value !== 'object' || value === null || !('type' in value)),
    fc.constantFrom<unknown>(
      null,
      undefined,
      'text',
      42,
      7n,
      Symbol('event'),
      [],
      [{ type: 'text', text: '' }],
      {},
      { type: 'banana' },
      { type: 'step', tool: 'read_file', call: 1, outcome: 1 },
      { type: '__proto__' },
      { type: 'toString' },
      { type: 7 },
      { type: Symbol('text') },
      { type: 'text' },
      { type: 'text', text: null },
      { type: 'text', text: ['a'] },
      { type: 'reasoning', text: 1n },
      { type: 'tool-call', tool: 'read_file', input: {} },
      { type: 'tool-call', id: 1, tool: 'read_file', input: {} },
      { type: 'tool-call', id: '1', tool: {}, input: {} },
      { type: 'tool-result', output: '' },
      { type: 'usage', inputTokens: '5', outputTokens: 5 },
      { type: 'steer' },
      { type: 'opinion', by: 'judge', confidence: '0.9', analysis: '' },
      { type: 'text', text: 'a', lane: 3 },
    ),
  );
}

function anyPayload(): fc.Arbitrary<Json> {
  const anything = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  });
  return fc.oneof(
    beats().map((beat) => beat.input),
    beats().map((beat) => beat.output),
    anything,
    anyString(),
    hugeStrings(),
    fc
      .constantFrom<() => unknown>(
        cyclic,
        cyclicArray,
        deep,
        unprintable,
        () => Symbol('input'),
        () => () => 1,
      )
      .map((make) => make()),
  ) as fc.Arbitrary<Json>;
}

function hugeStrings(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom('a', 'Error: no such file\n', '\ud83d', 'x y z 1 2 3 ', '9'), fc.constantFrom(3_000, 60_000))
    .map(([unit, length]) => unit.repeat(Math.ceil(length / unit.length)));
}

function cyclic(): unknown {
  const self: Record<string, unknown> = { path: 'src/a.ts' };
  self.self = self;
  return self;
}

function cyclicArray(): unknown {
  const self: unknown[] = [1, 2];
  self.push({ back: self });
  return self;
}

/** Deeper than a recursive walk can go. It has its own text for fast-check, which prints recursively. */
function deep(): unknown {
  let nested: object = ['bottom'];
  for (let k = 0; k < 20_000; k++) nested = k % 2 === 0 ? { nested } : [nested];
  return Object.defineProperty(nested, fc.toStringMethod, { value: () => '(nested 20,000 levels deep)' });
}

/** Neither turns into a string nor into a primitive. */
function unprintable(): unknown {
  return { path: Object.create(null), toString: 1, valueOf: null, toJSON: 'no' };
}
