/**
 * The words of a text as hashes, the same in every scan: runs of letters in lower case, and runs of digits. Letters are
 * those of ASCII and everything beyond ASCII.
 */
export function addLetter(hash: number, code: number): number {
  return (Math.imul(hash ^ code, 0x01000193) + 0x9e37) | 0;
}

/** Digits hash differently from letters. */
export function addDigit(hash: number, code: number): number {
  return (Math.imul(hash ^ (code + 256), 0x01000193) + 0x9e37) | 0;
}

/** The hash of a word in lower case. */
export function wordHash(word: string): number {
  let hash = 0;
  for (let i = 0; i < word.length; i++) hash = addLetter(hash, word.charCodeAt(i));
  return hash;
}
