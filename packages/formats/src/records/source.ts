import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { messageOf } from 'loopfuse/words';
import { packingOf, type Unpacking, unpack, whyNot } from './unpacking.js';

export interface SourceOptions {
  /** Gets the bytes in order; they are valid during the call only. Returns whether it wants more; may throw. */
  readonly onBytes: (chunk: Buffer) => boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface SourceEnd {
  /** Bytes read from the disk. */
  readonly bytes: number;
  /** Why reading stopped before the end of the file. */
  readonly problem?: { readonly kind: 'unreadable' | 'cut'; readonly message: string };
}

const chunkBytes = 256 * 1024;
/** Archives, by their names: they are not logs, packed or not, and are not looked into. */
const archive = /\.(?:tar\.[a-z0-9]+|tbz2?|txz|tzst)$/i;
/** Milliseconds after which other work of the thread gets a turn, such as timers and Ctrl-C. */
const turn = 50;
/** A buffer that is not in use. For small files, allocating one takes longer than reading. */
let spare: Buffer | undefined;

/**
 * Reads a file, and unpacks it if its first bytes say gzip or zstd. Each slice is read synchronously: a scan has many
 * small files, and a promise for each would take longer than the file. Rejects with what `onBytes` throws.
 */
export async function readSource(path: string, { onBytes, signal }: SourceOptions): Promise<SourceEnd> {
  let descriptor: number;
  try {
    // Opening a pipe without a writer must not block; pipes are refused below.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (cause) {
    return { bytes: 0, problem: { kind: 'unreadable', message: messageOf(cause) } };
  }
  const buffer = spare ?? Buffer.allocUnsafeSlow(chunkBytes);
  spare = undefined;
  let bytes = 0;
  let turned = performance.now();
  let unpacking: Unpacking | undefined;
  try {
    if (!fstatSync(descriptor).isFile())
      return { bytes, problem: { kind: 'unreadable', message: 'it is not a regular file' } };
    for (;;) {
      signal?.throwIfAborted();
      let count: number;
      try {
        count = readSync(descriptor, buffer, 0, chunkBytes, null);
      } catch (cause) {
        return { bytes, problem: { kind: 'unreadable', message: messageOf(cause) } };
      }
      if (count === 0) break;
      const chunk = buffer.subarray(0, count);
      const packing = bytes === 0 ? packingOf(chunk) : undefined;
      if (packing !== undefined) {
        const why = whyNot(packing);
        if (why === undefined) unpacking = unpack(packing, chunkBytes, onBytes);
        else if (!archive.test(path)) return { bytes, problem: { kind: 'unreadable', message: why } };
      }
      bytes += count;
      if (unpacking ? !(await unpacking.push(chunk)) : !onBytes(chunk)) break;
      if (performance.now() - turned < turn) continue;
      await setImmediate();
      turned = performance.now();
    }
    const problem = await unpacking?.end();
    return problem === undefined ? { bytes } : { bytes, problem: { kind: 'cut', message: problem } };
  } finally {
    unpacking?.stop();
    spare = buffer;
    closeSync(descriptor);
  }
}
