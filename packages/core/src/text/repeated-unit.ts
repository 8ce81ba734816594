/** What one period of a repeating text consists of, in characters. */
export interface RepeatedUnit {
  readonly length: number;
  /** The unit, turned to begin with a line, a sentence or a word, and cut short. */
  readonly sample: string;
  readonly letters: number;
  /** How many different letters, roughly, up to 32. */
  readonly distinct: number;
  /** Letters of scripts that write without spaces. */
  readonly ideographs: number;
  readonly blanks: number;
  readonly newlines: number;
  /** Ends of sentences: a letter, a full stop, a blank. Logs, lists and data have none. */
  readonly stops: number;
  /** Brackets, quotes, operators, commas, numbers: code and data have many of them, sentences few. */
  readonly marks: number;
  /** Bars and lines that tables and drawings are made of. */
  readonly rules: number;
  /** Exclamation marks, question marks and halves of emoji: nobody draws lines with them. */
  readonly cries: number;
}

export function repeatedUnit(parts: Iterable<string>, sampleLength: number): RepeatedUnit {
  const unit = { letters: 0, distinct: 0, ideographs: 0, blanks: 0, newlines: 0, marks: 0, rules: 0, cries: 0 };
  let text = '';
  let seen = 0;
  let inNumber = false;
  for (const part of parts) {
    text += part;
    const code = part.charCodeAt(0);
    const isDigit = code >= 48 && code < 58;
    if (isDigit && !inNumber) unit.marks++;
    inNumber = isDigit;
    if (isLetter(code)) {
      unit.letters++;
      seen |= 1 << (code & 31);
      if (isIdeograph(code)) unit.ideographs++;
    } else if (isBlank(code)) {
      unit.blanks++;
      if (code === 10 || code === 13) unit.newlines++;
    } else if (isRule(code)) {
      unit.rules++;
    } else if (marks.has(code)) {
      unit.marks++;
    } else if (code === 33 || code === 63 || (code >= 0xd800 && code < 0xe000)) {
      unit.cries++;
    }
  }
  for (let rest = seen; rest !== 0; rest &= rest - 1) unit.distinct++;
  return { ...unit, stops: stopsIn(text), length: text.length, sample: fromItsBeginning(text).slice(0, sampleLength) };
}

/** The unit goes round: its first character follows its last. */
function stopsIn(text: string): number {
  let stops = 0;
  for (let k = 0; k < text.length; k++) {
    const code = text.charCodeAt(k);
    if (code === 0x3002 || code === 0xff01 || code === 0xff1f) stops++;
    else if (code === 46 || code === 33 || code === 63)
      if (
        isBlank(text.charCodeAt((k + 1) % text.length)) &&
        isLetter(text.charCodeAt(k === 0 ? text.length - 1 : k - 1))
      )
        stops++;
  }
  return stops;
}

/** A run may be noticed anywhere in its unit. Turns the unit so that it begins where a reader would say it begins. */
function fromItsBeginning(text: string): string {
  let line = 0;
  let sentence = 0;
  let word = 0;
  let last = ''; // the last character that is not white space, and whether a line ended since then
  let broken = false;
  for (let k = 0; k < text.length && line === 0; k++) {
    if (isBlank(text.charCodeAt(k))) {
      broken ||= text[k] === '\n';
      continue;
    }
    if (k > 0 && isBlank(text.charCodeAt(k - 1))) {
      if (broken) line = k;
      if (/[.!?]/.test(last)) sentence ||= k;
      word ||= k;
    } else if (/[。！？]/.test(last)) {
      sentence ||= k;
    }
    last = text[k]!;
    broken = false;
  }
  const start = line || sentence || word;
  return text.slice(start) + text.slice(0, start);
}

const marks = new Set([...'{}[]()<>=,;"`\\/*_&%$#@+~^'].map((mark) => mark.charCodeAt(0)));

function isLetter(code: number): boolean {
  if (code < 0x80) return (code | 32) >= 97 && (code | 32) <= 122;
  return (code >= 0xc0 && code < 0x2000) || (code >= 0x2e80 && code < 0xd800 && code !== 0x3000);
}

/** Han, kana, Thai, Lao, Burmese, Khmer. */
function isIdeograph(code: number): boolean {
  if (code < 0x2e80) return (code >= 0xe00 && code < 0xf00) || (code >= 0x1000 && code < 0x10a0) || code >> 7 === 0x2f;
  return code < 0xac00;
}

function isBlank(code: number): boolean {
  return code <= 32 || code === 0xa0 || code === 0x3000 || code === 0xfeff || (code >= 0x2000 && code <= 0x200f);
}

function isRule(code: number): boolean {
  return code === 124 || (code >= 0x2500 && code <= 0x259f);
}
