import { get, type IncomingMessage, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { askModel, pathOf } from './client/ask-model.js';
import { requestBodyOf } from './client/request-body-of.js';
import { type ModelServer, startModelServer } from './model-server.js';
import { say } from './reply.js';
import { cutsTheStream } from './scripts/cuts-the-stream.js';
import { fails } from './scripts/fails.js';
import { sequence } from './scripts/sequence.js';
import { stalls } from './scripts/stalls.js';
import { type Message, protocols } from './turn.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ script: () => say('hello') });
});
afterAll(() => server.close());

const empty = { text: '', reasoning: '', calls: [], results: [] };
const user = (text: string): Message => ({ ...empty, role: 'user', text });
const model = (text: string): Message => ({ ...empty, role: 'assistant', text });
const ask = (protocol: (typeof protocols)[number], more: Partial<Parameters<typeof askModel>[0]> = {}) =>
  askModel({ url: server.url, protocol, stream: true, messages: [user('hello')], ...more });
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 15_000, interval: 5 });
const last = () => server.requests.at(-1)!;
const errorKeys = {
  'openai-chat': ['code', 'message', 'param', 'type'],
  'openai-responses': ['code', 'message', 'param', 'type'],
  anthropic: ['message', 'type'],
  gemini: ['code', 'message', 'status'],
};
const long = () => say('one two three four five six seven eight nine ten '.repeat(20));

describe.each(protocols)('over %s, the server', (protocol) => {
  it('refuses with the status, the words and the headers of the script', async () => {
    server.setScript(fails(429, { message: 'slow down', headers: { 'retry-after': '7' } }));
    const { status, headers, events } = await ask(protocol);
    expect([status, headers.get('retry-after')]).toEqual([429, '7']);
    const body = JSON.parse(events[0]!.data);
    expect(body.error.message).toBe('slow down');
    expect(Object.keys(body.error).sort()).toEqual(errorKeys[protocol]);
    expect(last()).toMatchObject({ status: 429, delivery: 'refused' });
  });

  it('drops the connection after a number of chunks', async () => {
    server.setScript(cutsTheStream({ after: 5, afterwards: long }));
    const received = await ask(protocol);
    expect(received.broken).toBeInstanceOf(Error);
    expect(received.events.length).toBeLessThanOrEqual(5);
    expect(received.finish).toBe('');
    await eventually(() => expect(last()).toMatchObject({ status: 200, delivery: 'faulty' }));
  });

  it('drops the connection in the middle of a whole answer', async () => {
    server.setScript(cutsTheStream({ afterwards: long }));
    expect((await ask(protocol, { stream: false })).broken).toBeInstanceOf(Error);
  });

  it('sends one broken chunk, and the rest after it', async () => {
    server.setScript(() => ({ ...long(), fault: { type: 'garble', after: 4 } }));
    const received = await ask(protocol);
    expect(received.broken).toBeInstanceOf(SyntaxError);
    expect(received.events).toHaveLength(5);
  });

  it('breaks down in mid-stream with the error event of the provider', async () => {
    server.setScript(() => ({ ...long(), fault: { type: 'breakdown', after: 6, message: 'out of order' } }));
    const received = await ask(protocol);
    expect(received.broken).toBeUndefined();
    expect(received.error).toBe('out of order');
    expect(received.finish).toBe('');
  });

  it.each([0, 3])('says nothing after %i chunks until the client gives up', async (after) => {
    server.setScript(stalls({ after, afterwards: long }));
    const gone = new AbortController();
    const before = server.seen;
    let received = 0;
    const asked = ask(protocol, { signal: gone.signal, onEvent: () => received++ }).catch(() => undefined);
    await eventually(() => expect([server.seen, received]).toEqual([before + 1, after]));
    gone.abort();
    await asked;
    await eventually(() => expect(last()).toMatchObject({ status: after === 0 ? 0 : 200, delivery: 'gone' }));
  });

  it('stops sending when the client goes away in mid-stream', async () => {
    let aborted = false;
    server.setScript(({ signal }) => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return { ...long(), pace: { delay: 1 } };
    });
    const gone = new AbortController();
    const received = await ask(protocol, { signal: gone.signal, onEvent: () => gone.abort() });
    expect(received.broken?.name).toBe('AbortError');
    await eventually(() => expect(last().delivery).toBe('gone'));
    expect(aborted).toBe(true);
  });

  it('keeps conversations apart that run at the same time', async () => {
    server.setScript(sequence([say('one'), say('two'), say('three')], { afterwards: () => say('over') }));
    const talk = async (opening: string, headers: Record<string, string> = {}) => {
      const messages = [user(opening)];
      const received: string[] = [];
      for (let turn = 0; turn < 4; turn++) {
        const { text } = await ask(protocol, { messages, headers });
        received.push(text);
        messages.push(model(text), user('and then?'));
      }
      return received;
    };
    const all = await Promise.all([
      talk('a'),
      talk('b'),
      talk('c', { 'x-session-id': '1' }),
      talk('c', { 'x-session-id': '2' }),
    ]);
    for (const received of all) expect(received).toEqual(['one', 'two', 'three', 'over']);
  });

  it('refuses what the provider would refuse, and says why', async () => {
    server.setScript(() => say('never'));
    const call = { ...empty, role: 'assistant' as const, calls: [{ id: 'c1', tool: 'read', input: {} }] };
    const { status, events } = await ask(protocol, { messages: [user('go'), call, user('well?')] });
    expect(status).toBe(400);
    expect(JSON.parse(events[0]!.data).error.message).toBe(last().problem);
    expect(last().problem).toMatch(/answer|output|tool_result|responses/);
  });

  it('refuses a body that is not JSON', async () => {
    const response = await fetch(server.url + pathOf(protocol, 'm', false), { method: 'POST', body: '{"model": ' });
    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: { message: string } }).error.message).toContain('not JSON');
  });
});

describe('the server', () => {
  it('passes the contents of the request to the script', async () => {
    server.setScript(() => say('hm'));
    const tool = { name: 'read', description: 'Reads.', takes: 'object' as const, parameters: { type: 'object' } };
    const call: Message = {
      ...empty,
      role: 'assistant',
      text: 'Let me see.',
      calls: [{ id: 'c1', tool: 'read', input: { path: 'a' } }],
    };
    const result: Message = { ...empty, role: 'tool', results: [{ id: 'c1', tool: 'read', text: 'nothing' }] };
    for (const protocol of protocols) {
      await ask(protocol, { system: 'Be brief.', messages: [user('go'), call, result], tools: [tool] });
      expect(last().turn).toMatchObject({
        protocol,
        system: 'Be brief.',
        turn: 1,
        stream: true,
        model: 'scripted-model',
        tools: [tool],
      });
      const { messages, results } = last().turn!;
      expect(messages.map(({ role, text }) => [role, text])).toEqual([
        ['user', 'go'],
        ['assistant', 'Let me see.'],
        ['tool', ''],
      ]);
      expect(messages[1]!.calls).toMatchObject([{ tool: 'read', input: { path: 'a' } }]);
      expect(results).toMatchObject([{ tool: 'read', text: 'nothing' }]);
      expect(results[0]!.id).toBe(messages[1]!.calls[0]!.id);
    }
  });

  it('answers the other requests of agents', async () => {
    const fetched = async (path: string, init?: RequestInit) => {
      const response = await fetch(server.url + path, init);
      return [response.status, await response.json()];
    };
    const anthropic = { headers: { 'anthropic-version': '2023-06-01' } };
    expect(await fetched('/v1/models')).toMatchObject([200, { object: 'list', data: [{ id: 'scripted-model' }] }]);
    expect(await fetched('/v1/models', anthropic)).toMatchObject([200, { data: [{ type: 'model' }], has_more: false }]);
    expect(await fetched('/v1beta/models')).toMatchObject([200, { models: [{ name: 'models/scripted-model' }] }]);
    expect(await fetched('/v1/models/other')).toMatchObject([404, { error: { code: 'model_not_found' } }]);
    expect(await fetched('/v1/chat/completions')).toMatchObject([405, { error: {} }]);
    expect(await fetched('/v1/embeddings', { method: 'POST', body: '{}' })).toMatchObject([404, { error: {} }]);
    expect((await fetched('/'))[0]).toBe(200);
    const count = (path: string, body: object) => fetched(path, { method: 'POST', body: JSON.stringify(body) });
    expect(await count('/v1/messages/count_tokens', { messages: [{ role: 'user', content: 'hi' }] })).toEqual([
      200,
      { input_tokens: expect.any(Number) },
    ]);
    expect(await count('/v1/messages/count_tokens', { messages: [] })).toMatchObject([400, { type: 'error' }]);
    expect(await count('/v1beta/models/m:countTokens', { contents: [{ parts: [{ text: 'hi' }] }] })).toEqual([
      200,
      { totalTokens: expect.any(Number) },
    ]);
  });

  it('declines a WebSocket, so that the client goes on with POST', async () => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'c2NyaXB0ZWQ=',
    };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${server.url}/v1/responses`, { headers }, resolve).on('error', reject);
    });
    expect(response.statusCode).toBe(426);
    response.resume();
  });

  it('sends the chunks before a cut', async () => {
    server.setScript(cutsTheStream({ after: 5, afterwards: long }));
    let received = '';
    await new Promise<void>((resolve) => {
      const sent = request(`${server.url}/v1/messages`, { method: 'POST' }, (response) => {
        response.on('data', (bytes: Buffer) => {
          received += bytes.toString();
        });
        response.on('error', () => resolve());
      });
      sent.end(JSON.stringify(requestBodyOf('anthropic', { messages: [user('x')], stream: true })));
    });
    expect(received.match(/^event: .*$/gm)).toEqual([
      'event: message_start',
      'event: content_block_start',
      'event: ping',
      'event: content_block_delta',
      'event: content_block_delta',
    ]);
  });

  it('answers a Gemini stream without events with an array', async () => {
    server.setScript(() => say('hi'));
    const body = JSON.stringify(requestBodyOf('gemini', { messages: [user('x')] }));
    const response = await fetch(`${server.url}/v1beta/models/m:streamGenerateContent`, { method: 'POST', body });
    expect(await response.json()).toMatchObject([{ candidates: [{ content: { parts: [{ text: 'hi' }] } }] }]);
  });

  it('reads compressed bodies', async () => {
    server.setScript(() => say('unpacked'));
    const body = gzipSync(JSON.stringify(requestBodyOf('openai-chat', { messages: [user('x')] })));
    const send = (encoding: string) =>
      fetch(`${server.url}/v1/chat/completions`, { method: 'POST', body, headers: { 'content-encoding': encoding } });
    expect(await (await send('gzip')).json()).toMatchObject({ choices: [{ message: { content: 'unpacked' } }] });
    expect((await send('GZIP')).status).toBe(200);
    expect((await send('zip')).status).toBe(415);
    expect((await send('constructor')).status).toBe(415);
    expect((await send('br')).status).toBe(400);
  });

  it('refuses a body that is too large when it is unpacked, as it does one that was not packed', async () => {
    const body = gzipSync(Buffer.alloc(64 * 2 ** 20 + 1, ' '));
    const headers = { 'content-encoding': 'gzip' };
    expect((await fetch(`${server.url}/v1/messages`, { method: 'POST', body, headers })).status).toBe(413);
  });

  it('remembers the items of a response, unless the request says not to', async () => {
    server.setScript(
      sequence([{ parts: [{ text: 'a' }, { call: { tool: 'read', input: {}, id: 'c1' } }] }], {
        afterwards: () => say('b'),
      }),
    );
    const send = async (body: object) => {
      const response = await fetch(`${server.url}/v1/responses`, {
        method: 'POST',
        body: JSON.stringify({ model: 'm', ...body }),
      });
      return [
        response.status,
        (await response.json()) as { id: string; output: { id: string }[]; error?: { message: string } },
      ] as const;
    };
    const [, kept] = await send({ input: 'one' });
    const result = { type: 'function_call_output', call_id: 'c1', output: 'x' };
    expect((await send({ input: [result], previous_response_id: kept.id }))[0]).toBe(200);
    expect(last().turn!.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
    const references = kept.output.map(({ id }) => ({ type: 'item_reference', id }));
    expect((await send({ input: [{ role: 'user', content: 'one' }, ...references, result] }))[0]).toBe(200);
    const [, loose] = await send({ input: 'two', store: false });
    expect(await send({ input: 'three', previous_response_id: loose.id })).toMatchObject([
      400,
      { error: { message: expect.stringContaining(loose.id) } },
    ]);
  });

  it('reports a script that throws or returns an invalid reply', async () => {
    server.setScript(() => Promise.reject(new Error('forgot my lines')));
    expect(JSON.parse((await ask('anthropic')).events[0]!.data)).toMatchObject({
      error: { type: 'api_error', message: 'the script failed: forgot my lines' },
    });
    server.setScript(() => ({ ...long(), pace: { cut: 0 } }));
    const { status, events } = await ask('openai-chat');
    expect(status).toBe(500);
    expect(events[0]!.data).toContain('pace.cut');
  });

  it.each([
    ['nothing', undefined, 'a reply must be an object such as'],
    ['a text', 'hello', 'a reply must be an object such as'],
    ['parts that are no list', { parts: 'hello' }, 'parts must be a list'],
    ['a part of another type', { parts: [null] }, 'a part must have a text'],
    ['a call without input', { parts: [{ call: { tool: 'read' } }] }, 'must be JSON'],
    ['an input that is no JSON', { parts: [{ call: { tool: 'read', input: 1n } }] }, 'must be JSON'],
    ['an id that is no text', { parts: [{ call: { tool: 'read', input: {}, id: 1 } }] }, 'the id of a call'],
    ['an end that is none', { finish: 'done' }, 'finish must be'],
    ['usage that is no number', { usage: { inputTokens: Number.NaN } }, 'usage.inputTokens must be'],
    ['a fault that is none', { fault: { type: 'explode' } }, 'fault.type must be'],
    ['a fault that never comes', { fault: { type: 'cut', after: Number.NaN } }, 'fault.after must be'],
    ['a status that is none', { fault: { type: 'refuse', status: 200 } }, 'fault.status must be'],
    [
      'a header that is none',
      { fault: { type: 'refuse', status: 429, headers: { 'retry after': '1' } } },
      'is not a valid header',
    ],
  ])('says what is wrong with a reply: %s', async (_, reply, words) => {
    server.setScript(() => reply as never);
    for (const protocol of protocols) {
      const { status, events } = await ask(protocol);
      expect(status).toBe(500);
      expect(JSON.stringify(events)).toContain(words);
    }
  });

  it('ends open requests when it closes, and can be closed twice', async () => {
    const other = await startModelServer({ script: stalls({ after: 2, afterwards: long }) });
    let received = 0;
    const asked = askModel({
      url: other.url,
      protocol: 'anthropic',
      stream: true,
      messages: [user('x')],
      onEvent: () => received++,
    });
    await eventually(() => expect(received).toBe(2));
    await other.close();
    await other.close();
    expect((await asked).broken).toBeInstanceOf(Error);
    await expect(fetch(other.url)).rejects.toThrow();
  });

  it('keeps a limited number of requests, counts them all, and logs each', async () => {
    const lines: string[] = [];
    const other = await startModelServer({ script: () => say('x'), keep: 3, log: (line) => lines.push(line) });
    for (let nth = 0; nth < 5; nth++)
      await askModel({ url: other.url, protocol: 'gemini', messages: [user(`say ${nth}`)] });
    await eventually(() => expect(lines).toHaveLength(5));
    expect([other.seen, other.requests.length]).toEqual([5, 3]);
    expect(other.requests.map(({ turn }) => turn?.messages[0]?.text)).toEqual(['say 2', 'say 3', 'say 4']);
    expect(lines[0]).toContain('200 whole');
    await other.close();
  });

  it('can record what the provider would refuse and answer it', async () => {
    const other = await startModelServer({ script: () => say('anyway'), problems: 'note' });
    const received = await askModel({ url: other.url, protocol: 'anthropic', messages: [model('I begin')] });
    expect(received.text).toBe('anyway');
    expect(other.requests[0]?.problem).toContain('first message');
    await other.close();
  });

  it('requires a script and valid options', async () => {
    const script = () => say('');
    const wrong = (options: object) => expect(startModelServer({ script, ...options })).rejects;
    await wrong({ port: '/tmp/socket' }).toThrow('port must be an integer from 0 to 65535, got "/tmp/socket"');
    await wrong({ port: 65_536 }).toThrow('got 65536');
    await wrong({ models: 'one' }).toThrow('models must be a list of names, got "one"');
    await wrong({ problems: 'ignore' }).toThrow('problems must be "refuse" or "note", got "ignore"');
    await expect(startModelServer({ script: 'loop' as never })).rejects.toThrow('script must be a function, got loop');
    await expect(startModelServer({ script: () => say(''), keep: 0 })).rejects.toThrow(
      'keep must be an integer of at least 1, got 0',
    );
  });
});
