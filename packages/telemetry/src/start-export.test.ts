import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import { collect, scriptedAgent } from '../../agent/src/testing/scripted-agent.js';
import { recoversAfterSteer } from '../../testkit/src/model-server/index.js';
import { startExport } from './start-export.js';
import { telemetry } from './telemetry.js';

/** A receiver of OTLP as JSON. */
async function receiver(status = 200) {
  const received: { url: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ url: request.url ?? '', headers: request.headers, body });
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function workWith(exported: Awaited<ReturnType<typeof startExport>>) {
  const { client } = await scriptedAgent(recoversAfterSteer(), { options: { trace: telemetry(exported) } });
  return collect(client.sendMessageStream('go'));
}

describe('telemetry is sent', () => {
  test('to the endpoint: spans and metrics of the agent, and nothing that was said', async () => {
    const { received, url } = await receiver();
    const exported = await startExport({ endpoint: url, headers: { 'x-team': 'blue' }, environment: {} });
    await workWith(exported);
    await exported?.stop();
    const traces = received.filter((request) => request.url === '/v1/traces');
    const metrics = received.filter((request) => request.url === '/v1/metrics');
    expect(traces[0]?.headers['x-team']).toBe('blue');
    const [resource] = JSON.parse(traces[0]?.body ?? '').resourceSpans;
    expect(resource.resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'loopfuse' } });
    const spans: { name: string; events: { name: string }[] }[] = resource.scopeSpans[0].spans;
    expect(spans.map(({ name }) => name)).toContain('invoke_agent loopfuse');
    expect(spans.flatMap(({ events }) => events.map(({ name }) => name))).toEqual(['loopfuse.loop_steered']);
    expect(metrics[0]?.body).toContain('"loopfuse.loops"');
    expect(received.map(({ body }) => body).join()).not.toContain('README.md');
  });

  test('only the signal that has an endpoint', async () => {
    const { received, url } = await receiver();
    const exported = await startExport({ environment: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/spans` } });
    expect(exported?.meter).toBeUndefined();
    await workWith(exported);
    await exported?.flush();
    expect(received.map((request) => request.url)).toEqual(['/spans']);
    await exported?.stop();
  });

  test('nowhere when no endpoint is set', async () => {
    expect(await startExport({ environment: {} })).toBeUndefined();
  });
});

describe('what goes wrong', () => {
  test('at the receiver is reported once, and the agent continues', async () => {
    const { url } = await receiver(400);
    const problems: string[] = [];
    const exported = await startExport({ endpoint: url, onProblem: (problem) => problems.push(problem) });
    expect((await workWith(exported)).at(-1)?.type).toBe('finished');
    await exported?.flush();
    exported?.tracer?.startSpan('more').end();
    await exported?.stop();
    expect(problems.length).toBe(2); // for spans and for metrics
    expect(problems[0]).toContain(`Telemetry could not be sent to ${new URL(url).host}: `);
  });

  test('in the options is refused', async () => {
    await expect(startExport({ endpoint: 'nowhere' })).rejects.toThrow(/endpoint must be .* got "nowhere"/);
    await expect(startExport({ timeoutSeconds: 0 })).rejects.toThrow(/timeoutSeconds .* got 0/);
  });

  test('where the SDK is not installed, the error says what to install, and only when it is needed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'loopfuse-telemetry-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const script = join(folder, 'script.mjs');
    await build({
      stdin: {
        contents: `
          import { startExport } from './start-export.ts';
          const off = await startExport({ environment: {} });
          const on = await startExport({ endpoint: 'http://127.0.0.1:9' }).catch((error) => error.message);
          console.log(JSON.stringify([off ?? null, on]));`,
        resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['@opentelemetry/*'],
      outfile: script,
      logLevel: 'silent',
    });
    const { stdout } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
    const [off, on] = JSON.parse(stdout);
    expect(off).toBeNull();
    expect(on).toMatch(/^An endpoint for telemetry is set, but .* Run: npm install @opentelemetry\/resources /);
    for (const name of ['sdk-trace', 'sdk-metrics', 'exporter-trace-otlp-http', 'exporter-metrics-otlp-http'])
      expect(on).toContain(` @opentelemetry/${name}`);
  });
});
