import fc from 'fast-check';
import type { Json } from 'loopfuse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../model-server.js';
import type { Pace, Part } from '../reply.js';
import { protocols } from '../turn.js';
import { askModel } from './ask-model.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ script: () => ({}) });
});
afterAll(() => server.close());

const words = fc.string({ unit: 'grapheme', maxLength: 24 });
const input = fc.dictionary(words, fc.jsonValue() as fc.Arbitrary<Json>, { maxKeys: 3, noNullPrototype: true });
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ text: words }),
  fc.record({ reasoning: words }),
  fc.record({ call: fc.record({ tool: fc.constantFrom('read', 'write'), input, id: fc.uuid() }) }),
);
const pace: fc.Arbitrary<Pace> = fc.record(
  {
    cut: fc.oneof(fc.constantFrom<'tokens' | 'whole'>('tokens', 'whole'), fc.integer({ min: 1, max: 7 })),
    bytes: fc.integer({ min: 40, max: 400 }),
  },
  { requiredKeys: [] },
);
const messages = [{ role: 'user', text: 'hello', reasoning: '', calls: [], results: [] }] as const;

describe.each(protocols)('a client of %s', (protocol) => {
  it.each([true, false])('receives what the script says, at every cut (stream: %s)', async (stream) => {
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 4 }), pace, async (parts, how) => {
        server.setScript(() => ({ parts, pace: how }));
        const received = await askModel({ url: server.url, protocol, stream, messages });
        const said = (key: 'text' | 'reasoning') =>
          parts.map((one) => (key in one ? (one as never)[key] : '')).join('');
        expect(received.broken).toBeUndefined();
        expect(received.text).toBe(said('text'));
        expect(received.reasoning).toBe(said('reasoning'));
        expect(received.calls).toEqual(
          parts.flatMap((one) => ('call' in one ? [JSON.parse(JSON.stringify(one.call))] : [])),
        );
      }),
      { numRuns: 12 },
    );
  });

  it.each([true, false])('receives the usage and why the turn ended (stream: %s)', async (stream) => {
    const finishes = {
      'openai-chat': ['stop', 'tool_calls', 'length', 'content_filter'],
      'openai-responses': ['completed', 'completed', 'incomplete', 'incomplete'],
      anthropic: ['end_turn', 'tool_use', 'max_tokens', 'refusal'],
      gemini: ['STOP', 'STOP', 'MAX_TOKENS', 'SAFETY'],
    }[protocol];
    for (const [nth, finish] of (['stop', 'calls', 'length', 'refused'] as const).entries()) {
      const parts: Part[] = finish === 'calls' ? [{ call: { tool: 'read', input: {} } }] : [{ text: 'hi' }];
      const ended = finish === 'length' || finish === 'refused' ? { finish } : {};
      server.setScript(() => ({ parts, ...ended, usage: { inputTokens: 70, outputTokens: 30, reasoningTokens: 10 } }));
      const received = await askModel({ url: server.url, protocol, stream, messages });
      expect(received).toMatchObject({ status: 200, finish: finishes[nth], inputTokens: 70, outputTokens: 30 });
    }
  });
});
