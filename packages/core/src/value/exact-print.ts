import { digest } from './fingerprint.js';

/** A fingerprint of 53 bits of a text to the letter, nothing folded; two code units a step, since texts can be long. */
export function exactPrint(text: string): number {
  const { length } = text;
  let a = 0x811c9dc5 ^ length;
  let b = 0x2545f491;
  let i = 0;
  for (; i + 1 < length; i += 2) {
    const pair = text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16);
    a = Math.imul(a ^ pair, 0x5bd1e995);
    a ^= a >>> 15;
    b = Math.imul(b + pair, 0x9e3779b1) ^ (b >>> 13);
  }
  if (i < length) {
    const last = text.charCodeAt(i);
    a = Math.imul(a ^ last, 0x5bd1e995);
    b = Math.imul(b + last, 0x9e3779b1) ^ (b >>> 13);
  }
  return digest({ a, b });
}
