import type { Json } from 'loopfuse';
import { describe, expect, it } from 'vitest';
import { answerOf } from './answer.js';
import type { Reply } from './reply.js';
import { specs } from './specs.js';
import type { Protocol, TurnRequest } from './turn.js';

const reply: Reply = {
  parts: [{ reasoning: 'Hm.' }, { text: 'Hello you' }, { call: { tool: 'read', input: { path: 'a' } } }],
  pace: { cut: 6 },
  usage: { inputTokens: 9, outputTokens: 5, reasoningTokens: 1, cachedTokens: 2 },
};

function framesOf(
  protocol: Protocol,
  body: Json = {},
  more: Partial<TurnRequest> = {},
  said = reply,
): readonly string[] {
  const turn = { model: 'm', tools: [], body, ...more } as unknown as TurnRequest;
  return [...specs[protocol].frames(answerOf(said, turn), body)];
}

const dataOf = (frame: string) => JSON.parse(/^data: (.*)$/m.exec(frame)![1]!.trim());
const eventOf = (frame: string) => /^event: (.*)$/m.exec(frame)?.[1];

describe('openai-chat', () => {
  it('frames data alone, and ends with [DONE]', () => {
    const frames = framesOf('openai-chat');
    expect(frames.at(-1)).toBe('data: [DONE]\n\n');
    for (const frame of frames) expect(frame).toMatch(/^data: [^\n]+\n\n$/);
  });

  it('names the role first, opens a call with its id and name, and ends with an empty delta', () => {
    const [id, ...deltas] = framesOf('openai-chat')
      .slice(0, -1)
      .map(dataOf)
      .map(({ id, choices: [choice] }, nth) => (nth === 0 ? id : [choice.delta, choice.finish_reason]));
    expect(id).toMatch(/^chatcmpl-\w+$/);
    const piece = (text: string) => [{ tool_calls: [{ index: 0, function: { arguments: text } }] }, null];
    expect(deltas).toEqual([
      [{ reasoning_content: 'Hm.' }, null],
      [{ content: 'Hello ' }, null],
      [{ content: 'you' }, null],
      [
        {
          tool_calls: [
            {
              index: 0,
              id: expect.stringMatching(/^call_\w+$/),
              type: 'function',
              function: { name: 'read', arguments: '' },
            },
          ],
        },
        null,
      ],
      piece('{"path'),
      piece('":"a"}'),
      [{}, 'tool_calls'],
    ]);
  });

  it('gives the usage in a chunk without choices, only when asked', () => {
    const asked = framesOf('openai-chat', { stream_options: { include_usage: true } })
      .slice(0, -1)
      .map(dataOf);
    expect(asked.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14, prompt_tokens_details: { cached_tokens: 2 } },
    });
    expect(asked.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
    expect(framesOf('openai-chat').some((frame) => frame.includes('usage'))).toBe(false);
  });

  it('numbers parallel calls', () => {
    const call = { call: { tool: 'read', input: {} } };
    const indexes = framesOf('openai-chat', {}, {}, { parts: [call, call] })
      .slice(0, -1)
      .flatMap((frame) => dataOf(frame).choices[0].delta.tool_calls ?? [])
      .map(({ index }) => index);
    expect([...new Set(indexes)]).toEqual([0, 1]);
  });
});

describe('openai-responses', () => {
  it('names every event and numbers them without a gap', () => {
    const frames = framesOf('openai-responses');
    expect(frames.map((frame) => dataOf(frame).sequence_number)).toEqual(frames.map((_, nth) => nth));
    for (const frame of frames) expect(eventOf(frame)).toBe(dataOf(frame).type);
  });

  it('adds, fills and closes each item in turn', () => {
    expect(framesOf('openai-responses').map(eventOf)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
  });

  it('ends with the whole response, whose items are those that were closed', () => {
    const frames = framesOf('openai-responses').map(dataOf);
    const closed = frames.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
    const { response } = frames.at(-1);
    expect(response).toMatchObject({
      status: 'completed',
      usage: { input_tokens: 9, output_tokens: 5, total_tokens: 14 },
    });
    expect(response.output).toEqual(closed);
    expect(response.id).toBe(frames[0].response.id);
    expect(closed.map(({ type, id }) => [type, id.split('_')[0]])).toEqual([
      ['reasoning', 'rs'],
      ['message', 'msg'],
      ['function_call', 'fc'],
    ]);
  });

  it('seals the reasoning where the request includes it', () => {
    const sealed = framesOf('openai-responses', { include: ['reasoning.encrypted_content'] }).map(dataOf);
    expect(sealed.at(-1).response.output[0].encrypted_content).toBeTypeOf('string');
    expect(framesOf('openai-responses').join('')).not.toContain('encrypted_content');
  });

  it('streams the text of a custom tool, and keeps its namespace', () => {
    const tools = [{ name: 'exec', description: '', takes: 'text' as const, parameters: {}, namespace: 'code' }];
    const said: Reply = { parts: [{ call: { tool: 'exec', input: 'run()' } }] };
    const frames = framesOf('openai-responses', {}, { tools }, said).map(dataOf);
    expect(frames.at(-1).response.output[0]).toMatchObject({
      type: 'custom_tool_call',
      name: 'exec',
      namespace: 'code',
      input: 'run()',
    });
    expect(frames.find(({ type }) => type === 'response.custom_tool_call_input.done').input).toBe('run()');
  });
});

describe('anthropic', () => {
  it('opens, fills and closes each block in turn, with a ping at the start', () => {
    expect(
      framesOf('anthropic').map((frame) => [eventOf(frame), dataOf(frame).index, dataOf(frame).delta?.type]),
    ).toEqual([
      ['message_start', undefined, undefined],
      ['content_block_start', 0, undefined],
      ['ping', undefined, undefined],
      ['content_block_delta', 0, 'thinking_delta'],
      ['content_block_delta', 0, 'signature_delta'],
      ['content_block_stop', 0, undefined],
      ['content_block_start', 1, undefined],
      ['content_block_delta', 1, 'text_delta'],
      ['content_block_delta', 1, 'text_delta'],
      ['content_block_stop', 1, undefined],
      ['content_block_start', 2, undefined],
      ['content_block_delta', 2, 'input_json_delta'],
      ['content_block_delta', 2, 'input_json_delta'],
      ['content_block_delta', 2, 'input_json_delta'],
      ['content_block_stop', 2, undefined],
      ['message_delta', undefined, undefined],
      ['message_stop', undefined, undefined],
    ]);
  });

  it('opens blocks empty and gives the reason and the usage near the end', () => {
    const frames = framesOf('anthropic').map(dataOf);
    expect(frames[0].message).toMatchObject({ role: 'assistant', content: [], stop_reason: null });
    expect(
      frames.filter(({ type }) => type === 'content_block_start').map(({ content_block }) => content_block),
    ).toEqual([
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'text', text: '' },
      { type: 'tool_use', id: expect.stringMatching(/^toolu_\w+$/), name: 'read', input: {} },
    ]);
    expect(frames.at(-2)).toMatchObject({
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { input_tokens: 7, cache_read_input_tokens: 2, output_tokens: 5 },
    });
  });
});

describe('gemini', () => {
  it('frames data alone, with lines that end in CR LF', () => {
    for (const frame of framesOf('gemini')) expect(frame).toMatch(/^data: [^\r\n]+\r\n\r\n$/);
  });

  it('marks thoughts, sends a call whole, and gives the reason with the last chunk', () => {
    const candidates = framesOf('gemini').map((frame) => dataOf(frame).candidates[0]);
    expect(candidates.map(({ content }) => content.parts)).toEqual([
      [{ text: 'Hm.', thought: true }],
      [{ text: 'Hello ' }],
      [{ text: 'you' }],
      [{ functionCall: { name: 'read', args: { path: 'a' } }, thoughtSignature: expect.any(String) }],
    ]);
    expect(candidates.map(({ finishReason }) => finishReason)).toEqual([undefined, undefined, undefined, 'STOP']);
  });

  it('gives calls ids and signs the first of a turn from the third generation on', () => {
    const call = { call: { tool: 'read', input: {} } };
    const partsFor = (model: string) =>
      framesOf('gemini', {}, { model }, { parts: [call, call] }).map(
        (frame) => dataOf(frame).candidates[0].content.parts[0],
      );
    expect(
      partsFor('gemini-3-pro').map((part) => [part.functionCall.id !== undefined, part.thoughtSignature !== undefined]),
    ).toEqual([
      [true, true],
      [true, false],
    ]);
    expect(partsFor('gemini-2.5-pro').map((part) => Object.keys(part.functionCall))).toEqual([
      ['name', 'args'],
      ['name', 'args'],
    ]);
  });

  it('counts thoughts apart', () => {
    expect(dataOf(framesOf('gemini').at(-1)!).usageMetadata).toEqual({
      promptTokenCount: 9,
      candidatesTokenCount: 4,
      totalTokenCount: 14,
      cachedContentTokenCount: 2,
      thoughtsTokenCount: 1,
    });
  });
});
