/** Deeper than the records of any log, and shallow enough to parse in little memory. */
export const deepest = 1000;

/** Shorter JSON cannot take much memory, however deep: a level takes about 300 bytes. */
const worthALook = 256 * 1024;

const quote = 34;
const backslash = 92;

/**
 * Whether a long JSON text opens more than `deepest` lists and objects inside each other. Parsing such a text takes a
 * hundred times its size in memory, so this is checked before. Linear; strings are skipped with `indexOf`.
 */
export function nestsTooDeeply(text: string): boolean {
  if (text.length < worthALook) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at + 1);
      if (at < 0) return false; // invalid JSON, which parsing reports
    } else if (code === 91 || code === 123) {
      if (++depth > deepest) return true;
    } else if (code === 93 || code === 125) depth--;
  }
  return false;
}

/** The place of the quotation mark that ends the string; -1 if there is none. */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end >= 0) {
    let slashes = 0;
    while (end - slashes > from && text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return -1;
}
