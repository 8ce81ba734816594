import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsedChunk } from './read-body.js';
import { createTextRuns } from './text-runs.js';

/** A reader of chunks of this test's own form. */
function textOf(value: unknown): string {
  const { delta } = (value ?? {}) as { delta?: { content?: unknown } };
  return typeof delta?.content === 'string' ? delta.content : '';
}

function read(batches: readonly (readonly string[])[]): { text: string; parsed: number } {
  const runs = createTextRuns();
  let text = '';
  let parsed = 0;
  for (const batch of batches)
    for (const run of runs.values(batch)) {
      parsed++;
      const piece = textOf(run.value);
      text += piece;
      runs.learn(run, piece === '' ? [] : [{ type: 'text', text: piece }]);
    }
  return { text, parsed };
}

describe('runs of text', () => {
  it('say what their chunks say, however they are made', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '\\"', '\n', 'é', '}', '"sequence_number":3', '😀'));
    const chunk = fc.oneof(
      text.map((content) => JSON.stringify({ n: 1, delta: { content }, end: null })),
      fc.tuple(text, fc.nat(99)).map(([content, n]) => JSON.stringify({ sequence_number: n, delta: { content } })),
      fc.tuple(text, text).map(([content, other]) => JSON.stringify({ delta: { content }, other })),
      fc.constantFrom(
        '[DONE]',
        '',
        '{"delta":{"content":"a',
        '{"delta":{}}',
        '{"n":1,"delta":{"content":"x\t"},"end":null}',
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.array(chunk, { maxLength: 12 }), { maxLength: 6 }), (batches) => {
        const expected = batches
          .flat()
          .map((one) => textOf(parsedChunk(one)))
          .join('');
        expect(read(batches).text).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it('are parsed once, also where chunks are counted and padded', () => {
    const chunks = Array.from({ length: 40 }, (_, k) =>
      JSON.stringify({ sequence_number: k, delta: { content: ` word ${k}\n` }, obfuscation: 'x'.repeat(k % 7) }),
    );
    const { text, parsed } = read([chunks.slice(0, 1), chunks.slice(1)]);
    expect(text).toBe(chunks.map((one) => textOf(JSON.parse(one))).join(''));
    expect(parsed).toBe(2);
  });
});
