/**
 * Text from a log as a terminal may show it: one line, in which nothing can move the cursor, change colours or turn the
 * reading direction. Blank space runs together; other control characters become their visible pictures.
 */
export function printable(text: string): string {
  return text
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .replace(/[\u0000-\u001f]/gu, (character) => String.fromCodePoint(0x2400 + character.codePointAt(0)!))
    .replace(/[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]/gu, '\ufffd')
    .trim();
}
