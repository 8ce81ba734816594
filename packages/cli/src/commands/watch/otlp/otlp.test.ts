import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import protobuf from 'protobufjs/light.js';
import { expect, test } from 'vitest';
import { runLoopfuse } from '../../../../testing/run-loopfuse.js';
import { presets } from '../../../presets.js';
import type { Alarm } from '../alarms.js';
import { type OtlpReceiver, receiveOtlp } from './receiver.js';
import { watchTraces } from './trace-watch.js';

async function withReceiver(
  use: (receiver: OtlpReceiver) => Promise<void>,
): Promise<{ alarms: Alarm[]; problems: string[] }> {
  const alarms: Alarm[] = [];
  const problems: string[] = [];
  const traces = watchTraces(presets[0]!, (alarm) => alarms.push(alarm));
  const receiver = await receiveOtlp({ port: 0, onTraces: traces.add, onProblem: (one) => problems.push(one) });
  try {
    await use(receiver);
  } finally {
    await receiver.close();
  }
  return { alarms, problems };
}

/** An agent of the gen_ai conventions that makes `rounds` calls, all alike or each another, sent by the real SDK. */
async function run(exporter: JsonExporter | ProtobufExporter, rounds: number, isLoop: boolean): Promise<void> {
  const provider = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
  const tracer = provider.getTracer('an agent');
  const conversation = { 'gen_ai.conversation.id': `conversation-${isLoop}` };
  for (let k = 0; k < rounds; k++) {
    const at = Date.now() + 10 * k;
    const command = isLoop ? 'make all' : `make part-${k}`;
    const call = { type: 'tool_call', id: `c${k}`, name: 'bash', arguments: { command } };
    const chat = tracer.startSpan('chat gpt-5', { startTime: at });
    chat.setAttributes({
      ...{ ...conversation, 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-5' },
      'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [call] }]),
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 10,
    });
    chat.end(at + 1);
    const tool = tracer.startSpan('execute_tool bash', { startTime: at + 2 });
    tool.setAttributes({
      ...{ ...conversation, 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'bash' },
      'gen_ai.tool.call.id': `c${k}`,
      'gen_ai.tool.call.arguments': JSON.stringify({ command }),
      'gen_ai.tool.call.result': isLoop ? 'Error: no rule to make target' : `built part ${k} in ${k * 7} ms`,
    });
    if (isLoop) tool.setStatus({ code: 2 });
    tool.end(at + 3);
    if (k % 3 === 2) await provider.forceFlush();
  }
  await provider.shutdown();
}

test.each([
  ['protobuf', (url: string) => new ProtobufExporter({ url })],
  ['JSON', (url: string) => new JsonExporter({ url })],
])('the SDK’s exporter of %s is received: a loop is reported once, and work is not', async (_name, exporterTo) => {
  const { alarms, problems } = await withReceiver(async ({ endpoint }) => {
    await run(exporterTo(`${endpoint}/v1/traces`), 9, true);
    await run(exporterTo(`${endpoint}/v1/traces`), 9, false);
  });
  expect(problems).toEqual([]);
  expect(alarms).toMatchObject([
    { session: { id: 'conversation-true', model: 'gpt-5' }, finding: { tools: ['bash'] } },
  ]);
});

test('what is not a trace is refused with a reason, and the next trace is accepted', async () => {
  const { problems } = await withReceiver(async ({ endpoint }) => {
    const post = async (path: string, type: string, body: string) =>
      (await fetch(`${endpoint}${path}`, { method: 'POST', headers: { 'content-type': type }, body })).status;
    expect(await post('/v1/traces', 'application/json', '{"resourceSpans":')).toBe(400);
    expect(await post('/v1/traces', 'application/x-protobuf', 'not protobuf')).toBe(400);
    expect(await post('/v1/metrics', 'application/json', '{}')).toBe(200);
    expect(await post('/elsewhere', 'application/json', '{}')).toBe(404);
    expect(
      await post('/v1/traces', 'application/json', '{"resourceSpans":[{"scopeSpans":[{"spans":[null,1]}]}]}'),
    ).toBe(200);
  });
  expect(problems).toHaveLength(2);
});

/** The part of opentelemetry/proto/{collector/logs,logs,common}/v1 that describes an event. */
const logs = protobuf.Root.fromJSON({
  nested: {
    Request: { fields: { resourceLogs: { rule: 'repeated', type: 'ResourceLogs', id: 1 } } },
    ResourceLogs: { fields: { scopeLogs: { rule: 'repeated', type: 'ScopeLogs', id: 2 } } },
    ScopeLogs: { fields: { logRecords: { rule: 'repeated', type: 'LogRecord', id: 2 } } },
    LogRecord: {
      fields: {
        attributes: { rule: 'repeated', type: 'KeyValue', id: 6 },
        traceId: { type: 'bytes', id: 9 },
        spanId: { type: 'bytes', id: 10 },
        eventName: { type: 'string', id: 12 },
      },
    },
    KeyValue: { fields: { key: { type: 'string', id: 1 }, value: { type: 'AnyValue', id: 2 } } },
    AnyValue: { fields: { stringValue: { type: 'string', id: 1 }, doubleValue: { type: 'double', id: 4 } } },
  },
}).lookupType('Request');

interface LogRecord {
  readonly eventName: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}

function recordsIn(body: Buffer, type: string): LogRecord[] {
  const isJson = type.includes('json');
  const request = isJson
    ? JSON.parse(body.toString('utf8'))
    : logs.toObject(logs.decode(body), { bytes: String, longs: String });
  const found: LogRecord[] = request.resourceLogs[0].scopeLogs[0].logRecords;
  const hex = (id: string) => (isJson ? id : Buffer.from(id, 'base64').toString('hex'));
  return found.map((record) => ({ ...record, traceId: hex(record.traceId), spanId: hex(record.spanId) }));
}

test.each([
  ['protobuf', 'http/protobuf', (url: string) => new ProtobufExporter({ url })],
  ['JSON', 'http/json', (url: string) => new JsonExporter({ url })],
])('in and out as %s: a loop in traces goes on as the result of an evaluation', async (_name, protocol, exporterTo) => {
  const received: LogRecord[] = [];
  const types = new Set<string>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const type = request.headers['content-type'] ?? '';
    types.add(type);
    if (request.url === '/v1/logs') received.push(...recordsIn(Buffer.concat(chunks), type));
    response.writeHead(200, { 'content-type': type }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let child: ChildProcess | undefined;
  let seen = '';
  const ended = runLoopfuse(['watch', '--otlp', '0'], {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    },
    onStart(started) {
      child = started;
      for (const stream of [started.stdout!, started.stderr!]) stream.on('data', (text: string) => (seen += text));
    },
  });
  const until = async (wanted: RegExp) => {
    for (;;) {
      const [, found = ''] = wanted.exec(seen) ?? [];
      if (found !== '') return found;
      if (child!.exitCode !== null) throw new Error(`it ended without ${wanted}: ${seen}`);
      await setTimeout(20);
    }
  };
  try {
    const endpoint = await until(/OTEL_EXPORTER_OTLP_ENDPOINT=(\S+);/);
    await run(exporterTo(`${endpoint}/v1/traces`), 9, true);
    await run(exporterTo(`${endpoint}/v1/traces`), 9, false);
    await until(/(loops), session conversation-true/);
  } finally {
    child!.kill('SIGINT');
  }
  expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining('1 loop in 1 session') });
  server.close();
  expect([...types]).toEqual([protocol === 'http/json' ? 'application/json' : 'application/x-protobuf']);
  expect(received).toHaveLength(1);
  const [{ eventName, traceId, spanId, attributes }] = received as [LogRecord];
  expect({ eventName, traceId, spanId }).toEqual({
    eventName: 'gen_ai.evaluation.result',
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
  const values = Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));
  expect(values).toMatchObject({
    'gen_ai.evaluation.name': 'loopfuse.loop',
    'gen_ai.conversation.id': 'conversation-true',
    'gen_ai.request.model': 'gpt-5',
  });
  expect(JSON.stringify(received)).not.toContain('make all'); // nothing that was said
});
