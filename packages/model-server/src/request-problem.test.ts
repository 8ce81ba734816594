import fc from 'fast-check';
import type { Json } from 'loopfuse';
import { describe, expect, it } from 'vitest';
import { requestBodyOf } from './client/request-body-of.js';
import { requestProblem } from './request-problem.js';
import { sealOf } from './seal.js';
import { specs } from './specs.js';
import { type Message, type OfferedTool, protocols } from './turn.js';

const tools: readonly OfferedTool[] = ['read', 'write'].map((name) => ({
  name,
  description: name,
  takes: 'object',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}));
const empty = { text: '', reasoning: '', calls: [], results: [] };
/** A client of Anthropic leaves out texts of nothing but white space, which the provider refuses. */
const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '');
const tool = fc.constantFrom('read', 'write');

/** One or more calls and their results, in any order. */
const step = fc
  .tuple(fc.string({ maxLength: 5 }), fc.array(tool, { minLength: 1, maxLength: 3 }), fc.boolean(), fc.nat())
  .map(([text, names, backwards, salt]) => ({ text, names, backwards, salt }));

/** A history that an agent may well have: requests, calls with their results, answers. */
const history = fc
  .array(fc.oneof({ weight: 3, arbitrary: step }, { weight: 1, arbitrary: fc.tuple(words, words) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((moves) => {
    const messages: Message[] = [{ ...empty, role: 'user', text: 'go' }];
    for (const [nth, move] of moves.entries()) {
      if (Array.isArray(move)) {
        messages.push({ ...empty, role: 'assistant', text: move[0] }, { ...empty, role: 'user', text: move[1] });
        continue;
      }
      const calls = move.names.map((name, place) => ({
        id: `c${nth}_${place}`,
        tool: name,
        input: { path: `${move.salt}` },
      }));
      const results = calls.map(({ id, tool }) => ({ id, tool, text: 'done' }));
      messages.push({ ...empty, role: 'assistant', text: move.text, calls });
      messages.push({ ...empty, role: 'tool', results: move.backwards ? results.reverse() : results });
    }
    return messages;
  });

const withSteps = history.filter((messages) => messages.some(({ role }) => role === 'tool'));

/** Changes the results of one step, chosen by a number. */
function change(
  messages: readonly Message[],
  pick: number,
  how: (message: Message) => readonly Message[],
): readonly Message[] {
  const steps = messages.flatMap(({ role }, index) => (role === 'tool' ? [index] : []));
  const chosen = steps[pick % steps.length];
  return messages.flatMap((message, index) => (index === chosen ? how(message) : [message]));
}

const damage: Readonly<Record<string, (message: Message) => readonly Message[]>> = {
  'all results of a step are missing': () => [],
  'one result is missing': (message) =>
    message.results.length > 1 ? [{ ...message, results: message.results.slice(1) }] : [],
  'a result comes twice': (message) => [{ ...message, results: [...message.results, message.results[0]!] }],
  'a result answers a call that was never made': (message) => [
    { ...message, results: [...message.results, { id: 'c9_9', tool: 'other', text: 'x' }] },
  ],
  'a user message comes before the results': (message) => [{ ...empty, role: 'user', text: 'wait' }, message],
};

describe.each(protocols)('requestProblem of %s', (protocol) => {
  const problemOf = (messages: readonly Message[]) =>
    requestProblem(protocol, requestBodyOf(protocol, { messages, tools, system: 'Be brief.' }));

  it('accepts every history in which calls and results pair', () => {
    fc.assert(
      fc.property(history, (messages) => {
        expect(problemOf(messages)).toBeUndefined();
      }),
    );
  });

  for (const [name, how] of Object.entries(damage)) {
    // This provider looks for the output of a call anywhere after it.
    if (protocol === 'openai-responses' && name.startsWith('a user')) continue;
    it(`refuses a history in which ${name}`, () => {
      fc.assert(
        fc.property(withSteps, fc.nat(), (messages, pick) => {
          expect(problemOf(change(messages, pick, how))).toBeTypeOf('string');
        }),
      );
    });
  }

  it('refuses a history that ends in a call', () => {
    fc.assert(
      fc.property(history, (messages) => {
        const calls = [{ id: 'late', tool: 'read', input: {} }];
        expect(problemOf([...messages, { ...empty, role: 'assistant', calls }])).toMatch(/late|read/);
      }),
    );
  });

  it('and the reader never throw, whatever the body', () => {
    const body = fc.oneof(
      fc.jsonValue(),
      fc.tuple(history, fc.nat(), fc.jsonValue()).map(([messages, place, value]) => {
        return spliced(requestBodyOf(protocol, { messages, tools }), place, value as Json);
      }),
    );
    fc.assert(
      fc.property(body, (any) => {
        const problem = requestProblem(protocol, any);
        expect(problem === undefined || problem.length > 0).toBe(true);
        expect(specs[protocol].read(any, {}).messages).toBeInstanceOf(Array);
      }),
      { numRuns: 300 },
    );
  });
});

/** Puts a value in place of the nth value within another. */
function spliced(whole: Json, place: number, value: Json): Json {
  let left = place % 60;
  const walk = (at: Json): Json => {
    if (left-- === 0) return value;
    if (Array.isArray(at)) return at.map(walk);
    if (typeof at !== 'object' || at === null) return at;
    return Object.fromEntries(Object.entries(at).map(([key, inner]) => [key, walk(inner)]));
  };
  return walk(whole);
}

const user = { role: 'user', content: 'hi' };

describe('requestProblem', () => {
  it('does not know other protocols', () => {
    expect(() => requestProblem('smtp' as never, {})).toThrow('got "smtp"');
  });

  it.each([
    [[], 'JSON object'],
    [{ messages: [user] }, 'model'],
    [{ model: 'm', messages: [] }, 'at least one message'],
    [{ model: 'm', messages: [{ role: 'robot', content: 'x' }] }, '"robot"'],
    [{ model: 'm', messages: [{ role: 'user' }] }, 'content'],
    [{ model: 'm', messages: [user, { role: 'assistant', content: null }] }, 'unless there are tool calls'],
    [{ model: 'm', messages: [user, { role: 'assistant', content: 'x', tool_calls: [] }] }, 'empty list'],
    [{ model: 'm', messages: [user], tools: [{ name: 'read' }] }, 'tools[0]'],
    [{ model: 'm', messages: [user], tools: [fn('a b')] }, 'must match'],
    [{ model: 'm', messages: [user], tools: [fn('a'), fn('a')] }, 'twice'],
    [
      { model: 'm', messages: [user], tools: [fn('a')], tool_choice: { type: 'function', function: { name: 'b' } } },
      '"b"',
    ],
    [{ model: 'm', messages: [user], response_format: { type: 'json_schema', json_schema: { schema: {} } } }, 'name'],
    [
      {
        model: 'm',
        messages: [
          user,
          { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'a', arguments: {} } }] },
        ],
      },
      'JSON in a string',
    ],
  ])('of openai-chat: %j', (body, reason) => {
    expect(requestProblem('openai-chat', body)).toContain(reason);
  });

  it.each([
    [{ model: 'm' }, 'input'],
    [{ model: 'm', input: [{ role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }] }, 'assistant content'],
    [{ model: 'm', input: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] }, 'user content'],
    [{ model: 'm', input: [{ type: 'reasoning', id: 'rs_1' }] }, 'summary'],
    [{ model: 'm', input: [{ type: 'function_call', call_id: 'c', name: 'a', arguments: {} }] }, 'JSON in a string'],
    [
      { model: 'm', input: [{ type: 'reasoning', summary: [{ text: 'other' }], encrypted_content: sealOf('this') }] },
      'verified',
    ],
  ])('of openai-responses: %j', (body, reason) => {
    expect(requestProblem('openai-responses', body)).toContain(reason);
  });

  it('of openai-responses accepts references that it cannot look up, and checks those that it can', () => {
    const body = {
      model: 'm',
      input: [
        { type: 'item_reference', id: 'fc_1' },
        { type: 'function_call_output', call_id: 'c', output: '' },
      ],
    };
    const call = { type: 'function_call', call_id: 'c', name: 'a', arguments: '{}' };
    expect(requestProblem('openai-responses', body)).toBeUndefined();
    expect(requestProblem('openai-responses', body, { stored: () => [call] })).toBeUndefined();
    expect(requestProblem('openai-responses', body, { stored: () => undefined })).toContain('"fc_1"');
  });

  const message = (...messages: object[]) => ({ model: 'm', max_tokens: 9000, messages });
  const blocks = (role: string, ...content: object[]) => ({ role, content });
  it.each([
    [{ model: 'm', messages: [user] }, 'max_tokens'],
    [message({ role: 'assistant', content: 'x' }), 'first message'],
    [message({ role: 'tool', content: 'x' }), '"tool"'],
    [message({ role: 'user', content: '' }), 'must not be empty'],
    [message(blocks('user', { type: 'text', text: '\n\n' })), 'not white space'],
    [message(user, blocks('assistant', { type: 'tool_use', id: 'a.b', name: 'read', input: {} })), 'a.b'],
    [message(user, blocks('assistant', { type: 'tool_use', id: 'a', name: 'read', input: '{}' })), 'must be an object'],
    [message(user, blocks('assistant', { type: 'thinking', thinking: 'x', signature: '' })), 'signature'],
    [
      message(user, blocks('assistant', { type: 'thinking', thinking: 'x', signature: sealOf('y') })),
      'does not belong',
    ],
    [{ ...message(user), thinking: { type: 'enabled', budget_tokens: 9000 } }, 'greater than'],
    [{ ...message(user), thinking: { type: 'enabled', budget_tokens: 10 } }, '1024'],
    [
      message(
        user,
        blocks('assistant', { type: 'tool_use', id: 'a', name: 'read', input: {} }),
        blocks('user', { type: 'tool_result', tool_use_id: 'a', content: '' }),
      ),
      'tools: are required',
    ],
  ])('of anthropic: %j', (body, reason) => {
    expect(requestProblem('anthropic', body)).toContain(reason);
  });

  const call = { functionCall: { name: 'read', args: {} } };
  const response = { functionResponse: { name: 'read', response: {} } };
  const prompt = { role: 'user', parts: [{ text: 'go' }] };
  it.each([
    [{}, 'at least one content'],
    [{ contents: [{ role: 'user', parts: [] }] }, 'must not be empty'],
    [{ contents: [{ role: 'assistant', parts: [{ text: 'x' }] }] }, '"assistant"'],
    [{ contents: [{ parts: [{ text: 'x', functionCall: {} }] }] }, 'exactly one'],
    [{ contents: [{ role: 'user', parts: [call] }] }, 'belongs to the model'],
    [
      {
        contents: [
          { role: 'model', parts: [call] },
          { role: 'user', parts: [response] },
        ],
      },
      'right after a turn',
    ],
    [
      {
        contents: [
          prompt,
          { role: 'model', parts: [call] },
          { role: 'user', parts: [{ functionResponse: { name: 'read', response: 'x' } }] },
        ],
      },
      'must be an object',
    ],
    [{ contents: [prompt, { role: 'model', parts: [{ text: 'done' }] }] }, 'the last turn'],
    [{ contents: [prompt], tools: [{ functionDeclarations: [{ name: '1st' }] }] }, 'must match'],
  ])('of gemini: %j', (body, reason) => {
    expect(requestProblem('gemini', body)).toContain(reason);
  });

  it('of gemini requires the signatures of the current turn, from the third generation on', () => {
    const signed = { ...call, thoughtSignature: 'x' };
    const answered = { role: 'user', parts: [response] };
    const contents = (first: object, second: object) => ({
      contents: [
        prompt,
        { role: 'model', parts: [first] },
        answered,
        prompt,
        { role: 'model', parts: [second] },
        answered,
      ],
    });
    const problem = (body: object, model: string) => requestProblem('gemini', body, { model });
    expect(problem(contents(call, call), 'gemini-3-pro')).toContain('contents[4]');
    expect(problem(contents(call, signed), 'gemini-3-pro')).toBeUndefined();
    expect(problem(contents(call, call), 'gemini-2.5-pro')).toBeUndefined();
  });
});

function fn(name: string) {
  return { type: 'function', function: { name } };
}
