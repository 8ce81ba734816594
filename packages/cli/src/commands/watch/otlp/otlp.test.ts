import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { expect, test } from 'vitest';
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
])('the SDK’s exporter of %s is heard: a loop is told once, and work is not', async (_name, exporterTo) => {
  const { alarms, problems } = await withReceiver(async ({ endpoint }) => {
    await run(exporterTo(`${endpoint}/v1/traces`), 9, true);
    await run(exporterTo(`${endpoint}/v1/traces`), 9, false);
  });
  expect(problems).toEqual([]);
  expect(alarms).toMatchObject([
    { session: { id: 'conversation-true', model: 'gpt-5' }, finding: { tools: ['bash'] } },
  ]);
});

test('what is no trace is refused with a reason, and the next is taken', async () => {
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
