const zeroWide = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const twoWide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u;

/** How many columns a terminal gives to a text that holds no control characters. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

function columnsOf(character: string): number {
  if (character.length === 1 && character < '\u0300') return 1;
  return zeroWide.test(character) ? 0 : twoWide.test(character) ? 2 : 1;
}

/** The text in at most `columns`, with `more` at its end if it was cut. */
export function fit(text: string, columns: number, more = '…'): string {
  if (widthOf(text) <= columns) return text;
  const room = columns - widthOf(more);
  let kept = '';
  let width = 0;
  for (const character of text) {
    width += columnsOf(character);
    if (width > room) break;
    kept += character;
  }
  return kept.trimEnd() + more;
}

/** The text with blanks added up to `columns`. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

/** The text in lines of at most `columns`, cut between words; what does not fit in `most` lines is left out. */
export function wrap(text: string, columns: number, most = Number.POSITIVE_INFINITY, more = '…'): string[] {
  const lines: string[] = [];
  let line = '';
  const words = text.split(' ');
  for (const [k, word] of words.entries()) {
    if (line === '') line = word;
    else if (widthOf(line) + 1 + widthOf(word) <= columns) line += ` ${word}`;
    else {
      if (lines.length + 1 >= most) return [...lines, fit(`${line} ${words.slice(k).join(' ')}`, columns, more)];
      lines.push(fit(line, columns, more));
      line = word;
    }
  }
  return [...lines, fit(line, columns, more)];
}

/** The text in pieces of at most `columns`, cut wherever it has to be, with nothing left out. */
export function chop(text: string, columns: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let width = 0;
  for (const character of text) {
    const wide = columnsOf(character);
    if (piece !== '' && width + wide > columns) {
      pieces.push(piece);
      piece = '';
      width = 0;
    }
    piece += character;
    width += wide;
  }
  return [...pieces, piece];
}
