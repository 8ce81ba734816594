import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startEvaluations } from './evaluations.js';

async function receiver(status = 200) {
  const received: { url: string; type: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ url: request.url ?? '', type: request.headers['content-type'] ?? '', body });
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { received, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const evaluation = {
  ...{ conversation: 'c-1', agent: 'seeker', model: 'gpt-5', kind: 'cycle', detector: 'stale-rounds' },
  ...{ confidence: 0.9, waste: { calls: 5, characters: 0, tokens: 120 }, explanation: 'It read the secret again.' },
  span: { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' },
};

test('a finding is sent as the result of an evaluation, at its span, and nothing that was said', async () => {
  const { received, endpoint } = await receiver();
  const evaluations = await startEvaluations({ endpoint, environment: {} });
  evaluations!.send(evaluation);
  await evaluations!.stop();
  expect(received).toMatchObject([{ url: '/v1/logs', type: 'application/json' }]);
  const [record] = JSON.parse(received[0]!.body).resourceLogs[0].scopeLogs[0].logRecords;
  expect(record).toMatchObject({ eventName: 'gen_ai.evaluation.result', ...evaluation.span });
  expect(record.attributes).toEqual(
    expect.arrayContaining([
      { key: 'gen_ai.evaluation.name', value: { stringValue: 'loopfuse.loop' } },
      { key: 'gen_ai.evaluation.score.value', value: { doubleValue: 0.9 } },
      { key: 'gen_ai.evaluation.score.label', value: { stringValue: 'cycle' } },
      { key: 'gen_ai.conversation.id', value: { stringValue: 'c-1' } },
      { key: 'loopfuse.waste.calls', value: { intValue: 5 } },
    ]),
  );
  expect(received[0]!.body).not.toContain('secret');
});

test('the explanation is sent where content may be', async () => {
  const { received, endpoint } = await receiver();
  const environment = {
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${endpoint}/logs`,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
  };
  const evaluations = await startEvaluations({ environment });
  evaluations!.send({ ...evaluation, span: undefined });
  await evaluations!.stop();
  expect(received).toMatchObject([{ url: '/logs', type: 'application/x-protobuf' }]);
  expect(received[0]!.body).toContain('It read the secret again.');
});

test('without an endpoint nothing is sent, and a receiver that refuses is reported', async () => {
  expect(await startEvaluations({ environment: {} })).toBeUndefined();
  const { endpoint } = await receiver(400);
  const problems: string[] = [];
  const evaluations = await startEvaluations({ endpoint, onProblem: (problem) => void problems.push(problem) });
  evaluations!.send(evaluation);
  await evaluations!.stop();
  expect(problems).toEqual([expect.stringContaining(`could not be sent to ${new URL(endpoint).host}`)]);
  await expect(startEvaluations({ endpoint: 'nowhere' })).rejects.toThrow(/must be an http or https address/);
});
