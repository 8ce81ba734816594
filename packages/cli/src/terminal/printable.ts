/**
 * Text from a log as a terminal may show it: one line, in which nothing can move the cursor, change colours or turn the
 * reading direction. Blank space runs together; other control characters become their visible pictures.
 */
export function printable(text: string): string {
  return pictured(text.replace(/[\s\u2028\u2029]+/gu, ' ')).trim();
}

/** Text of several lines with nothing hidden in it: for what the user approves. */
export function visibleText(text: string): string {
  return text
    .split('\n')
    .map((line) => pictured(line.replace(/\t/gu, '  ').replace(invisible, '\ufffd')))
    .join('\n');
}

/** Characters that no terminal shows. The joiners of emoji and of Persian are not among them. */
const invisible = /[\u00ad\u180e\u200b\u2060-\u2064\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Escape sequences of terminals: colours and movements; titles, links and other strings; the rest. */
const sequences =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-OQ-WYZ`-~]/gu;

/**
 * Text of several lines as a program wrote it to a terminal: escape sequences are removed, and of a line that was
 * overwritten with carriage returns the last state is kept.
 */
export function printableText(text: string): string {
  return text
    .replace(sequences, '')
    .split('\n')
    .map((line) => pictured(lastState(line).replace(/\t/gu, '  ')))
    .join('\n');
}

/** The last state of a line: what follows the last carriage return that is not at its end. */
function lastState(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end--;
  const written = line.slice(0, end);
  return written.slice(written.lastIndexOf('\r') + 1);
}

function pictured(text: string): string {
  return text
    .replace(/[\u0000-\u001f]/gu, (character) => String.fromCodePoint(0x2400 + character.codePointAt(0)!))
    .replace(/[\u007f-\u009f\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]/gu, '\ufffd');
}
