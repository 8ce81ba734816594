/** A part of a message: where it begins, and its characters. */
export interface Piece {
  readonly from: number;
  readonly text: string;
}

/** Shorter messages stay whole. */
const whole = 600;
const shortest = 200;

/**
 * Cuts a long message at the ends of lines and sentences into pieces of about the same length, at most `most` of them,
 * so that one which goes in circles can be seen to. Together they are the message.
 */
export function piecesOf(message: string, most = 200): Piece[] {
  if (message.length <= whole || most <= 1) return [{ from: 0, text: message }];
  const least = Math.max(shortest, Math.ceil(message.length / most));
  const pieces: Piece[] = [];
  let from = 0;
  while (message.length - from > least * 2) {
    const to = breakAfter(message, from + least, from + 2 * least);
    pieces.push({ from, text: message.slice(from, to) });
    from = to;
  }
  pieces.push({ from, text: message.slice(from) });
  return pieces;
}

/** The first good place to cut between two: behind a line or a sentence, else behind a word. */
function breakAfter(text: string, from: number, to: number): number {
  const stretch = text.slice(from - 1, to);
  for (const end of [/\n+|[.!?。！？]\s+/, /\s+/]) {
    const found = end.exec(stretch);
    if (found) return from - 1 + found.index + found[0].length;
  }
  // Not between the halves of a character.
  const code = text.charCodeAt(from - 1);
  return code >= 0xd800 && code < 0xdc00 ? from + 1 : from;
}
