import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** State of guards is mostly zeros and repeats: packed it takes a tenth of the memory and of the network. */
export function pack(text: string): Buffer {
  return deflateRawSync(text, { level: 1 });
}

/** Gives text that is no saved session for what was not packed by us or would be too much: it is reported where it is read. */
export function unpack(packed: Buffer, mostCharacters: number): string {
  try {
    return inflateRawSync(packed, { maxOutputLength: mostCharacters * 3 }).toString('utf8');
  } catch {
    return '';
  }
}
