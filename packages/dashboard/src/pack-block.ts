import { deflateRawSync } from 'node:zlib';

/** Compressed JSON in base64, which is safe in HTML whatever the JSON contains. The page reads it with `unpackBlock`. */
export type Block = string & { readonly kind: 'block' };

export function packBlock(value: unknown): Block {
  return deflateRawSync(JSON.stringify(value), { level: 7 }).toString('base64') as Block;
}
