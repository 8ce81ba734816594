import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** The state of a guard is mostly zeros and repeats: packed, it takes a tenth of the memory and network traffic. */
export function pack(text: string): Buffer {
  return deflateRawSync(text, { level: 1 });
}

/** Returns '' for bytes that we did not pack or that are too many: the code that reads it as a session reports it. */
export function unpack(packed: Buffer, mostCharacters: number): string {
  try {
    return inflateRawSync(packed, { maxOutputLength: mostCharacters * 3 }).toString('utf8');
  } catch {
    return '';
  }
}
