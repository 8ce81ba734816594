import zlib from 'node:zlib';

/** The body of a request: read completely, or too large and then a stream that begins with what was already read. */
export type ReceivedBody =
  | { readonly type: 'whole'; readonly bytes: Uint8Array }
  | { readonly type: 'large'; readonly stream: AsyncIterable<Uint8Array> };

export async function receive(body: AsyncIterable<Uint8Array> | null, most: number): Promise<ReceivedBody> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (body === null) return { type: 'whole', bytes: new Uint8Array() };
  const pieces = body[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await pieces.next();
    if (done) return { type: 'whole', bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) };
    chunks.push(value);
    size += value.length;
    if (size > most) return { type: 'large', stream: resumed(chunks, pieces) };
  }
}

async function* resumed(chunks: readonly Uint8Array[], pieces: AsyncIterator<Uint8Array>) {
  try {
    yield* chunks;
    for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) yield piece.value;
  } finally {
    await pieces.return?.();
  }
}

/** The JSON of a body, with or without byte order mark; undefined if it is not JSON or its encoding cannot be read. */
export function jsonOf(bytes: Uint8Array, encoding: string | null, most: number): unknown {
  try {
    const unpack = unpackers.get(nameOf(encoding));
    return unpack === undefined ? undefined : JSON.parse(new TextDecoder().decode(unpack(bytes, most)));
  } catch {
    return undefined;
  }
}

/** Whether a body with this encoding can be read at all. */
export function isReadable(encoding: string | null): boolean {
  return unpackers.has(nameOf(encoding));
}

function nameOf(encoding: string | null): string {
  return encoding?.trim().toLowerCase() || 'identity';
}

type Unpack = (bytes: Uint8Array, most: number) => Uint8Array;

const unpackers: ReadonlyMap<string, Unpack> = new Map<string, Unpack>([
  ['identity', (bytes) => bytes],
  ['gzip', (bytes, maxOutputLength) => zlib.gunzipSync(bytes, { maxOutputLength })],
  ['x-gzip', (bytes, maxOutputLength) => zlib.gunzipSync(bytes, { maxOutputLength })],
  ['deflate', (bytes, maxOutputLength) => zlib.inflateSync(bytes, { maxOutputLength })],
  ['br', (bytes, maxOutputLength) => zlib.brotliDecompressSync(bytes, { maxOutputLength })],
  ...zstd(),
]);

/** Node has it since 22.15. */
function zstd(): readonly (readonly [string, Unpack])[] {
  const { zstdDecompressSync: unpack } = zlib as { zstdDecompressSync?: typeof zlib.gunzipSync };
  return unpack === undefined ? [] : [['zstd', (bytes, maxOutputLength) => unpack(bytes, { maxOutputLength })]];
}
