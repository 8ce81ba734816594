import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { messageOf } from 'loopfuse/words';

/**
 * How the bytes of a file are packed. Codex packs rollouts that are older than a week with zstd. Node cannot unpack
 * bzip2 and xz: they are recognised so that such a file is not reported as one without a session.
 */
export type Packing = 'gzip' | 'zstd' | 'bzip2' | 'xz';

/** Recognised by the first bytes of a file; undefined if they are not packed, or packed in an unknown way. */
export function packingOf(bytes: Buffer): Packing | undefined {
  if (bytes.length > 2 && bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  if (bytes.length > 3 && bytes.readUInt32LE(0) === 0xfd2fb528) return 'zstd';
  if (/^BZh[1-9]1AY&SY/.test(bytes.toString('latin1', 0, 10))) return 'bzip2';
  return bytes.toString('latin1', 0, 6) === '\xfd7zXZ\0' ? 'xz' : undefined;
}

/** Why bytes cannot be unpacked by this Node, and what to do; undefined if they can. */
export function whyNot(packing: Packing): string | undefined {
  if (packing === 'bzip2' || packing === 'xz')
    return `it is packed with ${packing}, which is not supported. Unpack it first: ${packing} -d`;
  return packing === 'gzip' || zstd.createZstdDecompress !== undefined
    ? undefined
    : `it is packed with zstd, which needs Node 22.15 or newer, and this is ${process.version}. Use another Node, or unpack it first: zstd -d`;
}

/** Node has it since 22.15 and 23.8. */
const zstd = zlib as { readonly createZstdDecompress?: (options: zlib.ZlibOptions) => Unpacker };

type Unpacker = Transform & { readonly bytesWritten: number };

export interface Unpacking {
  /** Resolves when the bytes are unpacked and passed on, to whether more are wanted. */
  push(chunk: Buffer): Promise<boolean>;
  /** Resolves to what is wrong with the packed bytes, if anything. */
  end(): Promise<string | undefined>;
  stop(): void;
}

/**
 * Unpacks bytes that `whyNot` does not refuse. Passes them on, at most `chunkBytes` at once, until `onBytes` wants no
 * more. Rejects with what `onBytes` throws.
 */
export function unpack(packing: Packing, chunkBytes: number, onBytes: (chunk: Buffer) => boolean): Unpacking {
  /** The stream takes no more: it would never call back. */
  let ended = false;
  let stream = open();
  let wanted = true;
  let failure: string | undefined;
  let thrown: { readonly cause: unknown } | undefined;
  let settle = (): void => {};

  function open(): Unpacker {
    const options = { chunkSize: chunkBytes };
    ended = false;
    const opened = packing === 'gzip' ? zlib.createGunzip(options) : zstd.createZstdDecompress!(options);
    opened.on('data', (chunk: Buffer) => {
      if (!wanted) return;
      try {
        wanted = onBytes(chunk);
      } catch (cause) {
        thrown = { cause };
        wanted = false;
      }
      if (!wanted) settle();
    });
    opened.on('error', (cause) => {
      failure = messageOf(cause);
      settle();
    });
    opened.on('end', () => {
      if (opened !== stream) return;
      ended = true;
      settle();
    });
    return opened;
  }

  async function until(start: (done: (cause?: Error | null) => void) => void): Promise<void> {
    await new Promise<void>((resolve) => {
      settle = resolve;
      start((cause) => {
        if (cause) failure ??= messageOf(cause);
        resolve();
      });
    });
    if (thrown) throw thrown.cause;
  }

  return {
    async push(chunk) {
      for (let rest = chunk; rest.length > 0 && wanted && !ended && failure === undefined; ) {
        const before = stream.bytesWritten;
        await until((done) => stream.write(rest, done));
        if (packing === 'gzip') break; // it goes on to the next member by itself, and ends at padding of zeros
        rest = rest.subarray(stream.bytesWritten - before);
        if (rest.length === 0) break;
        // A frame has ended and another one follows: packed files may be concatenated.
        stream.destroy();
        stream = open();
      }
      return wanted && !ended && failure === undefined;
    },
    async end() {
      if (wanted && !ended && failure === undefined) await until(() => stream.end());
      return failure;
    },
    stop: () => void stream.destroy(),
  };
}
