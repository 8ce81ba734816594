import { digest, startHash } from '../value/fingerprint.js';

/** A result of more characters is compared as it stands. */
const longest = 1500;
const mostWords = 24;

/** The words and numbers of a call's text, hashed: what its result may echo. */
export function wordsOf(gist: string): number[] {
  const words: number[] = [];
  eachWord(gist, (hash) => {
    if (words.length < mostWords && !words.includes(hash)) words.push(hash);
  });
  return words;
}

/** The fingerprint of a result in which the words of the call do not count: `no match for "x"` whatever x was. */
export function shapeOf(text: string, words: readonly number[], exact: number): number {
  if (text.length > longest || words.length === 0) return exact;
  const shape = startHash();
  eachWord(text, (hash) => {
    const kept = words.includes(hash) ? 35 : hash;
    shape.a = Math.imul(shape.a ^ kept, 0x01000193);
    shape.b = Math.imul(shape.b + kept, 0x9e3779b1) ^ (shape.b >>> 13);
  });
  return digest(shape);
}

/** Calls back with a hash of each run of letters or digits, case folded. */
function eachWord(text: string, tell: (hash: number) => void): void {
  let hash = 0;
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : 0;
    const inWord = (code >= 48 && code <= 57) || (code | 32) >= 97;
    if (inWord) hash = Math.imul(hash ^ (code | 32), 0x01000193) + 0x9e37;
    else if (hash !== 0) {
      tell(hash);
      hash = 0;
    }
  }
}
