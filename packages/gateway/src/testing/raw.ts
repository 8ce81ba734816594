import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  /** Whether the connection was cut before the end. */
  readonly cut: boolean;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
}

/** A request without any help: nothing is decompressed, followed or tried again. */
export function rawRequest(
  url: string,
  { method = 'POST', headers = {}, body, signal }: RawRequest = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const free = { agent: false, maxHeaderSize: 2 ** 20 };
    const outgoing = request(url, { method, headers, ...free, ...(signal ? { signal } : {}) }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      const end = (cut: boolean) =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes: Buffer.concat(chunks), cut });
      incoming.on('end', () => end(!incoming.complete));
      incoming.on('error', () => end(true));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export interface RawServer {
  readonly url: string;
  close(): Promise<void>;
}

/** A server that answers with a function, which gets the whole body. */
export async function rawServer(
  serve: (incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer) => void,
): Promise<RawServer> {
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => serve(incoming, outgoing, Buffer.concat(chunks)));
    incoming.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}
