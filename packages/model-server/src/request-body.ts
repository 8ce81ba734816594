import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

export type RequestBody =
  | { readonly type: 'json'; readonly value: unknown; readonly bytes: number }
  | { readonly type: 'bad'; readonly status: number; readonly message: string };

const maxBytes = 64 * 2 ** 20;
const decoders: ReadonlyMap<string, (bytes: Buffer) => Buffer> = new Map([
  ['identity', (bytes: Buffer) => bytes],
  ['gzip', (bytes: Buffer) => gunzipSync(bytes, { maxOutputLength: maxBytes })],
  ['deflate', (bytes: Buffer) => inflateSync(bytes, { maxOutputLength: maxBytes })],
  ['br', (bytes: Buffer) => brotliDecompressSync(bytes, { maxOutputLength: maxBytes })],
]);
const tooLarge: RequestBody = { type: 'bad', status: 413, message: `the body is larger than ${maxBytes} bytes` };

/**
 * Reads a JSON body, or returns the status with which a provider would refuse it. Rejects only if the client
 * disconnects.
 */
export async function readBody(request: IncomingMessage): Promise<RequestBody> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
  }
  if (bytes > maxBytes) return tooLarge;
  const encoding = request.headers['content-encoding'] ?? 'identity';
  const decode = decoders.get(encoding.toLowerCase());
  if (!decode) return { type: 'bad', status: 415, message: `the content encoding ${encoding} is not supported` };
  try {
    const text = decode(Buffer.concat(chunks)).toString('utf8');
    return { type: 'json', value: JSON.parse(text), bytes: text.length };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return tooLarge;
    return { type: 'bad', status: 400, message: `the body is not JSON: ${(cause as Error).message}` };
  }
}
