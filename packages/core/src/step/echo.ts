import { addPhrase, startPhrases } from '../value/phrase.js';

/** The prompt of a shell before a command: `$ `, `root@rig:/src# `, `(venv) me@rig % `. */
const prompt = /^(?:\([\w.-]{1,40}\) )?(?:[\w.@-]{1,40} )?[^\s$#>%]{0,100}[$#>%] /;
const longestLine = 400;
/** So many of the words of the line must be words of the call. */
const share = 0.8;

/** A result without its first line, where that shows the command again as a terminal does: "$ npm test". */
export function withoutEcho(text: string, callWords: readonly number[]): string {
  const found = prompt.exec(text);
  if (found === null) return text;
  const newline = text.indexOf('\n');
  const end = newline < 0 ? text.length : newline;
  if (end > longestLine) return text;
  const phrases = startPhrases();
  addPhrase(phrases, 0, text.slice(found[0].length, end));
  const { words } = phrases;
  let known = 0;
  for (const word of words) if (callWords.includes(word)) known++;
  return words.length > 0 && known >= share * words.length ? text.slice(end + 1) : text;
}
