import { TextDecoder } from 'node:util';

/** Turns the bytes of a file, cut anywhere, into UTF-8 if they are UTF-16; other bytes pass unchanged. */
export interface Utf8 {
  push(chunk: Buffer): Buffer;
  /** The bytes have ended. Returns what was held back. */
  end(): Buffer;
}

const nothing = Buffer.alloc(0);

/**
 * UTF-16 is recognised by its byte order mark, or by a "{" or "[" next to a zero byte. Windows shells write it when the
 * output of an agent is redirected into a file.
 */
export function createUtf8(): Utf8 {
  let held: Buffer | undefined = nothing;
  let decoder: TextDecoder | undefined;
  return {
    push(chunk) {
      if (held !== undefined) {
        const begun = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
        if (begun.length < 2) {
          held = Buffer.from(begun);
          return nothing;
        }
        held = undefined;
        decoder = decoderFor(begun[0]!, begun[1]!);
        return decoder === undefined ? begun : decode(begun);
      }
      return decoder === undefined ? chunk : decode(chunk);
    },
    end() {
      const rest = held ?? (decoder === undefined ? nothing : Buffer.from(decoder.decode()));
      held = undefined;
      return rest;
    },
  };

  function decode(bytes: Buffer): Buffer {
    return Buffer.from(decoder!.decode(bytes, { stream: true }));
  }
}

function decoderFor(first: number, second: number): TextDecoder | undefined {
  if ((first === 0xff && second === 0xfe) || (isOpening(first) && second === 0)) return new TextDecoder('utf-16le');
  if ((first === 0xfe && second === 0xff) || (first === 0 && isOpening(second))) return new TextDecoder('utf-16be');
  return undefined;
}

function isOpening(byte: number): boolean {
  return byte === 123 || byte === 91;
}
