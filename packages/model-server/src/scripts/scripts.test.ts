import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askModel } from '../client/ask-model.js';
import { type ModelServer, startModelServer } from '../model-server.js';
import { type Script, say } from '../reply.js';
import { type Call, type Message, type OfferedTool, type Protocol, protocols, type ToolResult } from '../turn.js';
import * as scripts from './index.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ script: () => say('hello') });
});
afterAll(() => server.close());

const text = { type: 'string' };
const tools: readonly OfferedTool[] = Object.entries({
  read_file: ['path'],
  search_file_content: ['pattern'],
  write_file: ['path', 'content'],
  run_shell_command: ['command'],
}).map(([name, required]) => ({
  name,
  description: '',
  takes: 'object',
  parameters: { type: 'object', properties: Object.fromEntries(required.map((key) => [key, text])), required },
}));
const empty = { text: '', reasoning: '', calls: [], results: [] };

interface Run {
  readonly calls: readonly string[];
  readonly answer: string;
  readonly messages: readonly Message[];
}

/** A small agent: asks, does what the model calls for, and goes on until it answers or has had enough. */
async function run(
  script: Script,
  {
    protocol = 'anthropic' as Protocol,
    turns = 12,
    result = (_call: Call, _turn: number): string => 'ok',
    steer = (_turn: number): string | undefined => undefined,
  } = {},
): Promise<Run> {
  server.setScript(script);
  const messages: Message[] = [{ ...empty, role: 'user', text: `do it, ${protocol} ${Math.random()}` }];
  const calls: string[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const received = await askModel({ url: server.url, protocol, stream: true, messages, tools });
    expect([received.status, server.requests.at(-1)?.problem]).toEqual([200, undefined]);
    if (received.calls.length === 0) return { calls, answer: received.text, messages };
    const made = received.calls.map((call, place) => ({ ...call, id: call.id || `${turn}_${place}` }));
    calls.push(...made.map(({ tool, input }) => `${tool} ${Object.values(input as object)[0]}`));
    const results: ToolResult[] = made.map((call) => ({ id: call.id, tool: call.tool, text: result(call, turn) }));
    messages.push(
      { ...empty, role: 'assistant', text: received.text, calls: made },
      { ...empty, role: 'tool', results },
    );
    const word = steer(turn);
    if (word !== undefined) messages.push({ ...empty, role: 'user', text: word });
  }
  return { calls, answer: '', messages };
}

describe('scripts', () => {
  it('do the same over every protocol', async () => {
    for (const make of [scripts.innocent, scripts.alternates, () => scripts.cycles(4), scripts.sameError]) {
      const runs = await Promise.resolve(
        protocols.reduce<Promise<Run[]>>(
          async (before, protocol) => [...(await before), await run(make(), { protocol })],
          Promise.resolve([]),
        ),
      );
      expect(new Set(runs.map(({ calls, answer }) => JSON.stringify([calls, answer]))).size).toBe(1);
    }
  });

  it('loopsForever makes the same call until it gives in', async () => {
    expect((await run(scripts.loopsForever(), { turns: 20 })).calls).toEqual(Array(20).fill('read_file README.md'));
    expect(await run(scripts.loopsForever({ rounds: 3 }))).toMatchObject({
      calls: { length: 3 },
      answer: 'That is as far as I got.',
    });
  });

  it('alternates between two calls, and cycles through as many as it is given', async () => {
    const { calls } = await run(scripts.alternates(), { turns: 4 });
    expect(calls).toEqual([
      'read_file README.md',
      'search_file_content main',
      'read_file README.md',
      'search_file_content main',
    ]);
    const cycle = (await run(scripts.cycles(5), { turns: 10 })).calls;
    expect(new Set(cycle).size).toBe(5);
    expect(cycle.slice(5)).toEqual(cycle.slice(0, 5));
    expect(() => scripts.cycles(0)).toThrow('got 0');
  });

  it('sameError never makes the same call twice', async () => {
    expect(new Set((await run(scripts.sameError(), { turns: 9 })).calls).size).toBe(9);
  });

  it('recoversAfterSteer loops until it is warned, in a message or in the place of a result', async () => {
    const warned = { steer: (turn: number) => (turn === 4 ? 'You are in a loop.' : undefined) };
    expect((await run(scripts.recoversAfterSteer(), warned)).calls).toHaveLength(5);
    const refused = { result: (_: Call, turn: number) => (turn === 2 ? 'Refused: stop this (fuse 7)' : 'ok') };
    const { calls, answer } = await run(scripts.recoversAfterSteer({ marker: 'fuse 7', answer: 'Sorry.' }), refused);
    expect([calls.length, answer]).toEqual([3, 'Sorry.']);
  });

  it('innocent does different things and comes to an answer', async () => {
    const { calls, answer } = await run(scripts.innocent());
    expect(calls).toEqual([
      'read_file README.md',
      'read_file package.json',
      'search_file_content main',
      'read_file src/index.js',
      'write_file check.mjs',
      'run_shell_command node check.mjs',
    ]);
    expect(answer).toContain('passes');
    for (const file of ['README.md', 'package.json', 'src/index.js'])
      expect(scripts.workspaceFiles).toHaveProperty([file]);
  });

  it('polls the same command until it is done', async () => {
    const { calls, answer } = await run(scripts.polls({ times: 3, command: 'date' }));
    expect([calls, answer]).toEqual([Array(3).fill('run_shell_command date'), 'The build has finished.']);
  });

  it('chants one sentence, and thinks in circles before it answers', async () => {
    const ask = async (script: Script) => {
      server.setScript(script);
      return askModel({
        url: server.url,
        protocol: 'openai-responses',
        stream: true,
        messages: [{ ...empty, role: 'user', text: 'go' }],
      });
    };
    expect((await ask(scripts.chants({ sentence: 'Om. ', times: 7 }))).text).toBe('Om. '.repeat(7));
    const circles = await ask(scripts.thinksInCircles({ thoughts: ['a ', 'b '], times: 3, answer: 'c' }));
    expect([circles.reasoning, circles.text]).toEqual(['a b a b a b ', 'c']);
  });

  it('answer side requests of agents briefly', async () => {
    const loops = [
      scripts.loopsForever(),
      scripts.innocent(),
      scripts.polls(),
      scripts.chants(),
      scripts.thinksInCircles(),
    ];
    for (const script of loops) {
      server.setScript(script);
      const messages: Message[] = [{ ...empty, role: 'user', text: 'Write a title for this conversation.' }];
      const received = await askModel({ url: server.url, protocol: 'openai-chat', messages });
      expect([received.text, received.calls]).toEqual(['A short piece of work', []]);
    }
  });

  it('fails a number of times, and then works', async () => {
    server.setScript(scripts.fails(503, { times: 2, afterwards: () => say('at last') }));
    const messages: Message[] = [{ ...empty, role: 'user', text: 'try' }];
    const ask = () => askModel({ url: server.url, protocol: 'gemini', messages });
    expect([(await ask()).status, (await ask()).status, (await ask()).text]).toEqual([503, 503, 'at last']);
  });
});

const opinionSchema = {
  type: 'object',
  properties: { analysis: { type: 'string' }, confidence: { type: 'number', minimum: 0, maximum: 1 } },
  required: ['analysis', 'confidence'],
};
const question = [{ role: 'user', content: 'Is it a loop?' }];
const structured: { readonly [Name in Protocol]: object } = {
  'openai-chat': {
    model: 'm',
    messages: question,
    response_format: { type: 'json_schema', json_schema: { name: 'o', schema: opinionSchema } },
  },
  'openai-responses': {
    model: 'm',
    input: question,
    text: { format: { type: 'json_schema', name: 'o', schema: opinionSchema } },
  },
  anthropic: {
    model: 'm',
    max_tokens: 99,
    messages: question,
    output_config: { format: { type: 'json_schema', schema: opinionSchema } },
  },
  gemini: {
    contents: [{ role: 'user', parts: [{ text: 'Is it a loop?' }] }],
    generationConfig: {
      responseMimeType: 'application/json',
      responseSchema: {
        type: 'OBJECT',
        properties: { analysis: { type: 'STRING' }, confidence: { type: 'NUMBER' } },
        required: ['analysis', 'confidence'],
      },
    },
  },
};

describe('judge', () => {
  it.each(protocols)('answers structured questions over %s', async (protocol) => {
    server.setScript(scripts.judge(0.9, { analysis: 'Round and round.' }));
    const { text } = await askModel({ url: server.url, protocol, messages: [], body: structured[protocol] });
    expect(JSON.parse(text)).toEqual({ analysis: 'Round and round.', confidence: 0.9 });
  });

  it('answers through a tool where the request forces one', async () => {
    server.setScript(scripts.judge(0.2));
    const body = {
      model: 'm',
      max_tokens: 99,
      messages: question,
      tools: [{ name: 'opine', input_schema: opinionSchema }],
      tool_choice: { type: 'tool', name: 'opine' },
    };
    const { calls } = await askModel({ url: server.url, protocol: 'anthropic', messages: [], body });
    expect(calls).toMatchObject([{ tool: 'opine', input: { analysis: 'The work moves on.', confidence: 0.2 } }]);
  });

  it('leaves other questions to another script', async () => {
    server.setScript(scripts.judge(1, { otherwise: () => say('me?') }));
    const messages: Message[] = [{ ...empty, role: 'user', text: 'hi' }];
    expect((await askModel({ url: server.url, protocol: 'gemini', messages })).text).toBe('me?');
  });

  it('requires a confidence', () => {
    expect(() => scripts.judge(7)).toThrow('from 0 to 1, got 7');
  });
});
