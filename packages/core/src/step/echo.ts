import { addPhrase, startPhrases } from '../value/phrase.js';

/** The prompt of a shell before a command: `$ `, `root@rig:/src# `, `(venv) me@rig % `. */
const prompt = /^(?:\([\w.-]{1,40}\) )?(?:[\w.@-]{1,40} )?[^\s$#>%]{0,100}[$#>%] /;
const longestLine = 400;
/** So many of the words of the line must be words of the call. */
const share = 0.8;

/** A result without its first line, where that shows the command again as a terminal does: "$ npm test". */
export function withoutEcho(text: string, callWords: readonly number[]): string {
  const found = mayBePrompt(text) ? prompt.exec(text) : null;
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

/** Whether one of the signs that end a prompt, and a space, stand in the first line: most results have none. */
function mayBePrompt(text: string): boolean {
  const end = Math.min(text.length, longestPrompt);
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === newline) return false;
    if (code < 63 && text.charCodeAt(at + 1) === blank && signs.includes(code)) return true;
  }
  return false;
}

const longestPrompt = 200;
const newline = 10;
const blank = 32;
/** $, #, % and >. */
const signs = [36, 35, 37, 62];
