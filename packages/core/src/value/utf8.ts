/**
 * Writes a text as UTF-8 into a buffer that holds three bytes for each of its characters, and returns how many bytes it
 * took. Every platform we run on has a native encoder, which is faster. If it is missing, ours writes the same bytes,
 * so that fingerprints are the same everywhere.
 */
export function encodeUtf8(text: string, into: Uint8Array): number {
  return encoder && text.length > short ? encoder.encodeInto(text, into).written : encodePlainly(text, into);
}

/** A call of the platform's encoder takes as long as encoding this many characters here. */
const short = 24;

interface Encoder {
  encodeInto(text: string, into: Uint8Array): { written: number };
}

const { TextEncoder: Platform } = globalThis as { TextEncoder?: new () => Encoder };
const encoder = Platform && new Platform();

/** Like the platform's encoder: a surrogate without its other half becomes U+FFFD. */
export function encodePlainly(text: string, into: Uint8Array): number {
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code < 0x80) {
      into[at++] = code;
      continue;
    }
    if (code < 0x800) {
      into[at++] = 0xc0 | (code >> 6);
      into[at++] = 0x80 | (code & 63);
      continue;
    }
    if (code >= 0xd800 && code < 0xe000) {
      const low = text.charCodeAt(i + 1);
      if (code < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        i++;
        into[at++] = 0xf0 | (code >> 18);
        into[at++] = 0x80 | ((code >> 12) & 63);
        into[at++] = 0x80 | ((code >> 6) & 63);
        into[at++] = 0x80 | (code & 63);
        continue;
      }
      code = 0xfffd;
    }
    into[at++] = 0xe0 | (code >> 12);
    into[at++] = 0x80 | ((code >> 6) & 63);
    into[at++] = 0x80 | (code & 63);
  }
  return at;
}
