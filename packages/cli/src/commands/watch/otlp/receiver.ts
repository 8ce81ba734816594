import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { messageOf } from 'loopfuse/words';
import { decodeTraces, type TraceRequest } from './decode.js';

export interface OtlpReceiver {
  /** Where exporters send to, as in OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly endpoint: string;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  readonly port: number;
  readonly onTraces: (request: TraceRequest) => Promise<void> | void;
  readonly onProblem: (message: string) => void;
}

const mostBytes = 64 * 1024 * 1024;

/** Listens on loopback for OTLP over HTTP, as protobuf or JSON, gzipped or not. Rejects where the port is taken. */
export async function receiveOtlp({ port, onTraces, onProblem }: ReceiverOptions): Promise<OtlpReceiver> {
  const server = createServer((request, response) => {
    answer(request, response).catch((cause: unknown) => {
      const message = messageOf(cause);
      onProblem(message);
      respond(response, cause instanceof TooLarge ? 413 : 400, 'application/json', JSON.stringify({ message }));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?')[0];
    const type = request.headers['content-type'] ?? 'application/x-protobuf';
    const isJson = /\bjson\b/.test(type);
    if (request.method !== 'POST') return respond(response, 405, 'text/plain', 'POST OTLP to /v1/traces');
    const body = await bodyOf(request);
    if (path === '/v1/traces') await onTraces(decodeTraces(body, type));
    // Metrics and logs come from the same exporters; they are taken and dropped, so that nobody retries.
    else if (path !== '/v1/metrics' && path !== '/v1/logs') return respond(response, 404, 'text/plain', 'not found');
    respond(response, 200, isJson ? 'application/json' : 'application/x-protobuf', isJson ? '{}' : '');
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

class TooLarge extends Error {}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) throw new TooLarge(`the request has more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(body, { maxOutputLength: mostBytes }) : body;
}

function respond(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}
