import { isUtf8 } from 'node:buffer';

/**
 * The encoding of a text file. `bytes` is any other encoding: the text has one character for each byte, so that ASCII can
 * be edited and every other byte is unchanged.
 */
export type Encoding = 'utf8' | 'utf8-bom' | 'utf16le' | 'utf16be' | 'bytes';

export interface Decoded {
  readonly text: string;
  readonly encoding: Encoding;
}

/** The text of a file. `undefined` where the bytes are not text. Encoding it again gives the same bytes. */
export function decode(bytes: Buffer): Decoded | undefined {
  const encoding = encodingOf(bytes);
  if (encoding === undefined) return undefined;
  const decoded = { text: textOf(bytes, encoding), encoding };
  // An odd byte at the end or half of a surrogate pair cannot be written back.
  return encoding.startsWith('utf16') && !bytes.equals(encode(decoded)) ? undefined : decoded;
}

function textOf(bytes: Buffer, encoding: Encoding): string {
  switch (encoding) {
    case 'utf8':
      return bytes.toString('utf8');
    case 'utf8-bom':
      return bytes.toString('utf8', 3);
    case 'utf16le':
      return bytes.toString('utf16le', 2);
    case 'utf16be':
      return Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
        .swap16()
        .toString('utf16le');
    case 'bytes':
      return bytes.toString('latin1');
  }
}

export function encode({ text, encoding }: Decoded): Buffer {
  switch (encoding) {
    case 'utf8':
      return Buffer.from(text, 'utf8');
    case 'utf8-bom':
      return Buffer.from(`${mark}${text}`, 'utf8');
    case 'utf16le':
      return Buffer.from(`${mark}${text}`, 'utf16le');
    case 'utf16be':
      return Buffer.from(`${mark}${text}`, 'utf16le').swap16();
    case 'bytes':
      return Buffer.from(text, 'latin1');
  }
}

/** The text for showing: bytes of an unknown encoding become the replacement character. */
export function shown({ text, encoding }: Decoded): string {
  return encoding === 'bytes' ? text.replace(/[\x80-\xff]/g, unknown) : text;
}

/** Shown for a byte of an unknown encoding. */
export const unknown = '\ufffd';

/** Why a text cannot be written in this encoding, as the end of a sentence. `undefined` where it can. */
export function encodingProblem(text: string, encoding: Encoding): string | undefined {
  if (encoding === 'bytes' && !isAscii(text))
    return 'is not UTF-8, and which encoding it has is not known. Only ASCII text can be found and replaced in it; all other bytes stay as they are. To change those, convert the file first';
  return halfPair.test(text) ? 'cannot hold the text: half of a surrogate pair is in it' : undefined;
}

const mark = '\ufeff';

function encodingOf(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf16be';
  if (bytes.subarray(0, 8192).includes(0)) return undefined;
  if (!isUtf8(bytes)) return 'bytes';
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf8-bom' : 'utf8';
}

function isAscii(text: string): boolean {
  return !/[^\x00-\x7f]/.test(text);
}

const halfPair = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
