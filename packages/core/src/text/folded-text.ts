import { addCode, startHash } from '../value/fingerprint.js';

/**
 * A running hash of a message, by which a repeat of it is recognised. In its first thousand characters case does not
 * matter, a run of white space counts as one space and a run of digits as one digit. Of the rest, which may be long,
 * only one character in sixty-four is hashed, as it is.
 */
export interface FoldedText {
  hash: number;
  /** Characters that were folded. */
  length: number;
  /** The last folded character. */
  last: number;
  /** All characters so far; and the offset before which no more character is hashed. */
  offset: number;
  skipped: number;
}

const folded = 1000;
const stride = 64;
const space = 32;
const zero = 48;

export function startFoldedText(): FoldedText {
  return { hash: startHash, length: 0, last: space, offset: 0, skipped: 0 };
}

export function foldText(message: FoldedText, text: string): void {
  const { offset } = message;
  message.offset += text.length;
  if (message.offset <= message.skipped) return;
  let k = message.length < folded ? offset + fold(message, text) : message.skipped;
  k = Math.ceil(k / stride) * stride;
  for (; k < message.offset; k += stride) message.hash = addCode(message.hash, text.charCodeAt(k - offset));
  if (message.length >= folded) message.skipped = k;
}

/** Folds until enough is folded, and returns the index of what follows. */
function fold(message: FoldedText, text: string): number {
  let { hash, length, last } = message;
  let k = 0;
  while (k < text.length && length < folded) {
    const code = text.charCodeAt(k++);
    const like = code < 128 ? folds[code]! : code;
    if (like === last && (like === space || like === zero)) continue;
    hash = addCode(hash, like);
    length++;
    last = like;
  }
  message.hash = hash;
  message.length = length;
  message.last = last;
  return k;
}

const folds = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const upper = code >= 65 && code <= 90;
  folds[code] = code <= 32 ? space : code >= 48 && code <= 57 ? zero : upper ? code | 32 : code;
}
