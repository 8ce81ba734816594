/** Escape sequences for terminals: colours and cursor movements; titles, links and other strings; the rest. */
const orders =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-OQ-WYZ`-~]/gu;

/** Terminal output as text: without escape sequences, and with only the last state of lines that were overwritten. */
export function outputText(text: string): string {
  if (!/[\u0000-\u0008\u000b-\u001f]/u.test(text)) return text;
  return text
    .replace(orders, '')
    .split('\n')
    .map(lastState)
    .join('\n')
    .replace(/[\u0000-\u0008\u000b-\u001f]/gu, picture);
}

/** The final text of a line: what follows the last carriage return that is not at its end. */
function lastState(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end--;
  const written = line.slice(0, end);
  return written.slice(written.lastIndexOf('\r') + 1);
}

/** Text without trailing line ends. */
export function withoutEndLines(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end--;
  return text.slice(0, end);
}

/** Characters that are not drawn, or that turn the reading direction. The two that choose how an emoji looks hide nothing. */
const invisible = /(?![\ufe0e\ufe0f])[\u007f-\u009f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;

/** Text in which every invisible character is shown: for what people approve. */
export function exactText(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f]/gu, picture).replace(invisible, (sign) => {
    return `‹U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}›`;
  });
}

function picture(sign: string): string {
  return String.fromCodePoint(0x2400 + sign.codePointAt(0)!);
}
