import { readFileSync } from 'node:fs';
import { context, metrics, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { type ReadableSpan, StackContextManager } from '@opentelemetry/sdk-trace';
import { describe, expect, onTestFinished, test } from 'vitest';
import { collect, type Setting, scriptedAgent } from '../../agent/src/testing/scripted-agent.js';
import {
  fails,
  innocent,
  loopsForever,
  recoversAfterSteer,
  type Script,
  say,
  sequence,
  stalls,
} from '../../testkit/src/model-server/index.js';
import { scope } from './scope.js';
import { type TelemetryOptions, telemetry } from './telemetry.js';
import { type Recorder, recorder } from './testing/recorder.js';

async function recorded(script: Script, options: Setting['options'] = {}, more: TelemetryOptions = {}) {
  const record = recorder();
  const { tracer, meter } = record;
  const agent = await scriptedAgent(script, {
    options: { ...options, trace: telemetry({ tracer, meter, ...more }) },
  });
  return { record, ...agent };
}

const named = (record: Recorder, name: string) => record.spans().filter((span) => span.name === name);
const request = (record: Recorder) => named(record, 'invoke_agent loopfuse').at(-1)!;
const happened = (span: ReadableSpan | undefined) => span?.events.map(({ name }) => name);
const call = (tool: string, input: object) => ({ call: { tool, input: input as never } });

describe('a request without a loop', () => {
  test('is a tree of the request, its turns, model calls and tools', async () => {
    const { record, client } = await recorded(innocent());
    await collect(client.sendMessageStream('What does it do?', undefined, 'prompt-1'));
    const turn = (tool: string) => ['  loopfuse.turn', '    chat local-model', `    execute_tool ${tool}`];
    expect(record.tree()).toEqual([
      'invoke_agent loopfuse',
      ...['read_file', 'read_file', 'search_file_content', 'read_file', 'write_file', 'run_shell_command'].flatMap(
        turn,
      ),
      '  loopfuse.turn',
      '    chat local-model',
    ]);
    expect(record.open()).toBe(0);
    expect(record.spans().flatMap(({ events }) => events)).toEqual([]);
    expect(record.spans().every(({ status }) => status.code === SpanStatusCode.UNSET)).toBe(true);
    expect(await record.points('loopfuse.loops')).toEqual([]);
  });

  test('names provider, model, purpose and usage with the attributes of the conventions', async () => {
    const { record, client } = await recorded(innocent());
    await collect(client.sendMessageStream('What does it do?', undefined, 'prompt-1'));
    const { usage } = client;
    expect(request(record).attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'loopfuse',
      'gen_ai.conversation.id': client.sessionId,
      'gen_ai.provider.name': 'openai-compatible',
      'gen_ai.request.model': 'local-model',
      'gen_ai.usage.input_tokens': usage.inputTokens,
      'gen_ai.usage.output_tokens': usage.outputTokens,
      'gen_ai.usage.cache_read.input_tokens': usage.cachedTokens,
      'gen_ai.usage.reasoning.output_tokens': usage.reasoningTokens,
      'loopfuse.prompt.id': 'prompt-1',
      'loopfuse.outcome': 'finished',
      'loopfuse.turns': 7,
      'loopfuse.loops': 0,
      'loopfuse.steers': 0,
    });
    const chats = named(record, 'chat local-model');
    expect(chats[0]?.kind).toBe(SpanKind.CLIENT);
    expect(chats[0]?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai-compatible',
      'gen_ai.request.model': 'local-model',
      'gen_ai.conversation.id': client.sessionId,
      'gen_ai.response.finish_reasons': ['tool-calls'],
      'loopfuse.purpose': 'turn',
    });
    expect(chats.at(-1)?.attributes['gen_ai.response.finish_reasons']).toEqual(['stop']);
    const input = chats.map(({ attributes }) => Number(attributes['gen_ai.usage.input_tokens']));
    expect(input.reduce((a, b) => a + b)).toBe(usage.inputTokens);
    const made = client.history.flatMap((message) => (message.role === 'tool' ? message.results : []));
    const tools = record.spans().filter(({ attributes }) => attributes['gen_ai.operation.name'] === 'execute_tool');
    expect(tools.map(({ attributes }) => attributes['gen_ai.tool.call.id'])).toEqual(made.map(({ id }) => id));
    expect(tools.map(({ attributes }) => attributes['gen_ai.tool.name'])).toEqual(made.map(({ tool }) => tool));
    expect(tools[0]?.attributes).toMatchObject({ 'gen_ai.tool.type': 'function', 'loopfuse.tool.status': 'ok' });
  });

  test('is counted: tokens in and out, and how long each model call took', async () => {
    const { record, client } = await recorded(innocent());
    await collect(client.sendMessageStream('What does it do?'));
    const tokens = await record.points('gen_ai.client.token.usage');
    const labels = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai-compatible',
      'gen_ai.request.model': 'local-model',
    };
    expect(tokens).toMatchObject([
      { attributes: { ...labels, 'gen_ai.token.type': 'input' }, value: { count: 7, sum: client.usage.inputTokens } },
      { attributes: { ...labels, 'gen_ai.token.type': 'output' }, value: { count: 7, sum: client.usage.outputTokens } },
    ]);
    const { boundaries } = (tokens[0]!.value as { buckets: { boundaries: number[] } }).buckets;
    expect([boundaries[0], boundaries[1], boundaries.at(-1)]).toEqual([1, 4, 67_108_864]);
    expect(await record.points('gen_ai.client.operation.duration')).toMatchObject([
      { attributes: labels, value: { count: 7 } },
    ]);
  });

  test('side by side is kept apart', async () => {
    const reads = ['README.md', 'package.json', 'no-such-file'].map((path) => call('read_file', { path }));
    const { record, client } = await recorded(sequence([{ parts: reads }, say('Done.')]));
    await collect(client.sendMessageStream('go'));
    const tools = named(record, 'execute_tool read_file');
    expect(new Set(tools.map(({ attributes }) => attributes['gen_ai.tool.call.id'])).size).toBe(3);
    expect(tools.map(({ status }) => status.code).sort()).toEqual([0, 0, SpanStatusCode.ERROR]);
    expect(tools.find(({ status }) => status.code !== 0)?.attributes).toMatchObject({
      'error.type': 'failed',
      'loopfuse.tool.status': 'failed',
    });
  });
});

describe('a loop', () => {
  const verdict = {
    'loopfuse.loop.kind': 'repeated-calls',
    'loopfuse.loop.detector': 'stale-rounds',
    'loopfuse.loop.confidence': 0.9,
    'loopfuse.loop.tools': ['read_file'],
    'gen_ai.evaluation.name': 'loopfuse.loop',
    'gen_ai.evaluation.score.label': 'repeated-calls',
    'gen_ai.evaluation.score.value': 0.9,
  };

  test('that ends after a message to the model is an event of the turn; the request has not failed', async () => {
    const { record, client } = await recorded(recoversAfterSteer());
    await collect(client.sendMessageStream('go'));
    const events = named(record, 'loopfuse.turn').map(happened);
    expect(events).toEqual([[], [], ['loopfuse.loop_steered'], []]);
    expect(named(record, 'loopfuse.turn')[2]?.events[0]?.attributes).toEqual({
      ...verdict,
      'loopfuse.decision': 'steer',
      'loopfuse.waste.calls': 2,
      'loopfuse.waste.characters': expect.any(Number),
      'loopfuse.waste.tokens': expect.any(Number),
    });
    expect(request(record).attributes).toMatchObject({
      'loopfuse.outcome': 'finished',
      'loopfuse.loops': 1,
      'loopfuse.steers': 1,
    });
    expect(request(record).status.code).toBe(SpanStatusCode.UNSET);
    const labels = { 'loopfuse.loop.kind': 'repeated-calls', 'loopfuse.loop.detector': 'stale-rounds' };
    expect(await record.points('loopfuse.loops')).toEqual([{ attributes: labels, value: 1 }]);
    expect(await record.points('loopfuse.steers')).toEqual([
      { attributes: { ...labels, 'loopfuse.decision': 'steer' }, value: 1 },
    ]);
  });

  test('that continues is halted: the event is at the request, which has failed, and it is still one loop', async () => {
    const { record, client } = await recorded(loopsForever());
    await collect(client.sendMessageStream('go'));
    expect(happened(request(record))).toEqual(['loopfuse.loop_detected']);
    expect(request(record).events[0]?.attributes).toMatchObject({ ...verdict, 'loopfuse.waste.calls': 3 });
    expect(request(record).events[0]?.attributes?.['loopfuse.decision']).toMatch(/^(ask|stop)$/);
    expect(request(record).status).toEqual({ code: SpanStatusCode.ERROR });
    expect(request(record).attributes).toMatchObject({ 'error.type': 'loop-detected', 'loopfuse.loops': 1 });
    expect((await record.points('loopfuse.loops')).map(({ value }) => value)).toEqual([1]);
    const broken = named(record, 'chat local-model').at(-1);
    expect(broken?.attributes['gen_ai.response.finish_reasons']).toBeUndefined();
    expect(record.open()).toBe(0);
  });

  test('detection switched off between two requests is kept in the trace of the last one', async () => {
    const { record, client } = await recorded(loopsForever(), { maxTurns: 6 });
    await collect(client.sendMessageStream('go'));
    client.release({ type: 'disable' });
    const [off] = named(record, 'loopfuse.detection_disabled');
    expect(off?.spanContext().traceId).toBe(request(record).spanContext().traceId);
    expect(off?.attributes['gen_ai.conversation.id']).toBe(client.sessionId);
    expect(await record.points('loopfuse.detection.disabled')).toEqual([{ attributes: {}, value: 1 }]);
    await collect(client.continue());
    expect(request(record).attributes).toMatchObject({ 'loopfuse.outcome': 'max-turns', 'error.type': 'max-turns' });
    expect(record.open()).toBe(0);
  });

  test('its explanation is exported only when content may be', async () => {
    const quiet = await recorded(loopsForever());
    await collect(quiet.client.sendMessageStream('go'));
    expect(await quiet.record.everything()).not.toContain('README.md');
    const open = await recorded(loopsForever(), {}, { content: true });
    await collect(open.client.sendMessageStream('go'));
    expect(request(open.record).events[0]?.attributes?.['gen_ai.evaluation.explanation']).toContain('README.md');
  });
});

describe('a judge', () => {
  test('is an event when it was consulted, with its confidence, and its calls are counted', async () => {
    const spending = { calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 };
    const judge = {
      spending,
      consult: async ({ turn }: { turn: number }) => {
        if (turn === 2) return undefined;
        spending.calls += turn === 1 ? 0 : 2;
        spending.cost += 0.5;
        return { type: 'opinion', by: 'second-model', confidence: 0.25, analysis: 'Moves through README.' } as const;
      },
    };
    const { record, client } = await recorded(innocent(), { judge });
    await collect(client.sendMessageStream('go'));
    const turns = named(record, 'loopfuse.turn');
    expect(turns.map((turn) => turn.events.length)).toEqual([1, 0, 1, 1, 1, 1, 1]);
    expect(turns[2]?.events[0]).toMatchObject({
      name: 'loopfuse.judge_consulted',
      attributes: {
        'loopfuse.judge.name': 'second-model',
        'loopfuse.judge.calls': 2,
        'loopfuse.judge.total.calls': 2,
        'loopfuse.judge.total.cost': 1,
        'gen_ai.evaluation.name': 'loopfuse.judge',
        'gen_ai.evaluation.score.value': 0.25,
      },
    });
    const points = await record.points('loopfuse.judge.calls');
    // Nothing was known before the first opinion, so that one counts as one call.
    expect(points).toEqual([{ attributes: { 'loopfuse.judge.name': 'second-model' }, value: 11 }]);
    expect(await record.everything()).not.toContain('Moves through');
  });
});

describe('every span ends', () => {
  test('when the model cannot be asked', async () => {
    const { record, client } = await recorded(fails(400, { message: 'Your key sk-verysecret is unknown.' }));
    await collect(client.sendMessageStream('go'));
    expect(record.tree()).toEqual(['invoke_agent loopfuse', '  loopfuse.turn', '    chat local-model']);
    const [chat] = named(record, 'chat local-model');
    expect([chat?.status, request(record).status]).toEqual([
      { code: SpanStatusCode.ERROR },
      { code: SpanStatusCode.ERROR },
    ]);
    expect(chat?.attributes['error.type']).toBe('_OTHER');
    expect(await record.everything()).not.toContain('verysecret');
    expect(await record.points('gen_ai.client.operation.duration')).toMatchObject([
      { attributes: { 'error.type': '_OTHER' }, value: { count: 1 } },
    ]);
    expect(record.open()).toBe(0);
  });

  test('when the user cancels in the middle of the stream', async () => {
    const { record, client } = await recorded(stalls({ after: 2, afterwards: () => say('one two three four') }));
    const stop = new AbortController();
    for await (const event of client.sendMessageStream('go', stop.signal)) if (event.type === 'content') stop.abort();
    expect(request(record).attributes['loopfuse.outcome']).toBe('user-cancelled');
    expect(request(record).status.code).toBe(SpanStatusCode.UNSET);
    expect(named(record, 'chat local-model')[0]?.attributes['gen_ai.response.finish_reasons']).toBeUndefined();
    expect(record.open()).toBe(0);
  });

  test('when the user cancels in the middle of a tool', async () => {
    const script = sequence([{ parts: [call('run_shell_command', { command: 'echo on; sleep 30' })] }, say('Done.')]);
    const { record, client } = await recorded(script);
    const stop = new AbortController();
    for await (const event of client.sendMessageStream('go', stop.signal))
      if (event.type === 'tool-call-output') stop.abort();
    const [tool] = named(record, 'execute_tool run_shell_command');
    expect(tool?.attributes['loopfuse.tool.status']).toBe('cancelled');
    expect(tool?.status.code).toBe(SpanStatusCode.UNSET);
    expect(record.open()).toBe(0);
  });

  test('when the reader stops reading', async () => {
    const { record, client } = await recorded(innocent());
    for await (const event of client.sendMessageStream('go')) if (event.type === 'tool-call-request') break;
    expect(request(record).attributes['loopfuse.outcome']).toBe('left');
    expect(record.open()).toBe(0);
  });

  test('when the history is compressed between two requests', async () => {
    const { record, client } = await recorded((turn) =>
      turn.tools.length === 0 ? say('Notes.') : { ...say('A long answer. '.repeat(400)), pace: { cut: 'whole' } },
    );
    for (const message of ['one', 'two', 'three']) await collect(client.sendMessageStream(message));
    await collect(client.compress());
    const aside = record.spans().filter(({ attributes }) => attributes['loopfuse.purpose'] === 'compression');
    expect(aside.map(({ name, parentSpanContext }) => [name, parentSpanContext])).toEqual([
      ['chat local-model', undefined],
    ]);
    expect(named(record, 'loopfuse.history_compressed').length).toBe(1);
    expect(record.open()).toBe(0);
  });
});

describe('nothing that was said, called or answered is recorded', () => {
  const secret = 'zebra-quartz-77';
  const script = () =>
    sequence([
      { parts: [{ reasoning: `Think of ${secret}.` }, { text: `I use ${secret}.` }, call('ls', { path: secret })] },
      { parts: [call('write_file', { path: 'note.txt', content: secret })] },
      { parts: [call('read_file', { path: 'note.txt' }), call(`tool_${secret}`, { a: secret })] },
      ...Array.from({ length: 4 }, () => ({
        parts: [call('run_shell_command', { command: `echo ${secret}; false` })],
      })),
      say(`The answer is ${secret}.`),
    ]);

  test('by default', async () => {
    const { record, client } = await recorded(script());
    await collect(client.sendMessageStream(`What is ${secret}?`));
    expect(JSON.stringify(client.history)).toContain(secret);
    expect(record.spans().length).toBeGreaterThan(10);
    expect((await record.points('loopfuse.loops')).length).toBe(1);
    expect(await record.everything()).not.toContain(secret);
  });
});

describe('without an SDK', () => {
  test('nothing is recorded; with one registered, everything is, by the name of this package', async () => {
    onTestFinished(() => {
      trace.disable();
      metrics.disable();
    });
    const agent = await scriptedAgent(innocent(), { options: { trace: telemetry() } });
    expect((await collect(agent.client.sendMessageStream('go'))).at(-1)?.type).toBe('finished');
    const record = recorder();
    trace.setGlobalTracerProvider(record.tracers);
    metrics.setGlobalMeterProvider(record.meters);
    expect([record.spans(), await record.points('gen_ai.client.token.usage')]).toEqual([[], []]);
    const registered = await scriptedAgent(innocent(), { options: { trace: telemetry() } });
    await collect(registered.client.sendMessageStream('go'));
    expect(request(record).instrumentationScope).toMatchObject(scope);
    expect((await record.points('gen_ai.client.token.usage')).length).toBe(2);
  });

  test('the request belongs to what the host is doing', async () => {
    const { record, client } = await recorded(() => say('Hello.'));
    const host = record.tracer.startSpan('host');
    context.setGlobalContextManager(new StackContextManager().enable());
    onTestFinished(() => context.disable());
    const events = client.sendMessageStream('go');
    await context.with(trace.setSpan(context.active(), host), () => events.next());
    await collect(events);
    host.end();
    expect(request(record).parentSpanContext?.spanId).toBe(host.spanContext().spanId);
  });
});

describe('options', () => {
  test('that are invalid are refused', () => {
    expect(() => telemetry({ tracer: {} as never })).toThrow(/tracer .* startSpan/);
    expect(() => telemetry({ meter: 3 as never })).toThrow(/meter .* got number/);
    expect(() => telemetry({ agent: '' })).toThrow(/agent must be a name, got ""/);
    expect(() => telemetry({ content: 'yes' as never })).toThrow(/content must be true or false, got "yes"/);
  });

  test('name the agent', async () => {
    const { record, client } = await recorded(() => say('Hello.'), {}, { agent: 'builder' });
    await collect(client.sendMessageStream('go'));
    expect(named(record, 'invoke_agent builder')[0]?.attributes['gen_ai.agent.name']).toBe('builder');
  });

  test('the version is that of the package', () => {
    const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(scope).toEqual({ name: manifest.name, version: manifest.version });
  });
});
