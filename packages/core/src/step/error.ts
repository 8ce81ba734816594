import { fingerprint } from '../value/fingerprint.js';
import { anyCue, cue } from './cues.js';
import type { Effect, StepError } from './step.js';

/**
 * Reads the error out of a result. `flag` is what the host said: true, false, or nothing. Without it the text decides,
 * and only a text that reads as an error from its first or last lines does; a file that talks about errors is none.
 * `cues` are those of the text; what they rule out is not looked for.
 */
export function readError(
  text: string,
  flag: boolean | undefined,
  effect: Effect,
  cues: number = anyCue,
): StepError | undefined {
  if (flag === false) return undefined;
  const said = (cues & cue.nothing) !== 0 ? text.replace(nothingLines, '') : text;
  if (flag !== true && !readsAsError(said, effect, cues)) return undefined;
  const line = errorLine(said);
  const core = mask(line).slice(0, coreLength);
  return {
    core,
    line: fingerprint(core.toLowerCase()),
    family: fingerprint(familyOf(core)),
    bare: bare.test(core) || (core.match(/[a-z]/gi)?.length ?? 0) < 8,
    infrastructure: infrastructure.test(text.length > 2000 ? line : text),
  };
}

/** Whether the result is a person's no. That is a turn of the conversation, not an outcome. */
export function refusedByPerson(text: string): boolean {
  return text.length < 4000 && refusal.test(text.slice(0, 400));
}

/** Says that something failed and nothing about what. */
const bare =
  /^\W*(?:error|errors|failed|failure|exit code:? #|exit status:? #|command (?:failed|exited) with (?:exit )?(?:code|status) #|process exited with code #|unknown error|an error occurred|something went wrong)\W*$/i;
const coreLength = 160;
const refusal =
  /user (?:doesn't want|does not want|rejected|denied|declined|cancell?ed|refused|interrupted|chose not)|(?:rejected|denied|declined|cancell?ed|interrupted) by (?:the )?user|permission to use \w+ (?:has been |was )?denied|sibling tool call|(?:call|tool) (?:was )?(?:skipped|not executed)/i;
const infrastructure =
  /\b(?:HTTP|status|code|error)[ :]*(?:code[ :]*)?(?:429|50[0-4]|529)\b|\b(?:429|50[0-4]|529) (?:too many|service|bad gateway|gateway|internal server|overloaded)|too many requests|rate.?limit|time[d -]*out\b|ETIMEDOUT|ECONNRESET|ECONNREFUSED|EAI_AGAIN|connection (?:was )?(?:reset|refused|closed|aborted)|socket hang up|service (?:is )?(?:temporarily )?unavailable|temporarily unavailable|overloaded|bad gateway|network (?:error|is unreachable)/i;

/** Lines of a wrapper that say that there is nothing to say: "Error: (none)". */
const nothingLines = /^[ \t]*[A-Za-z][\w ]{0,24}: ?\(?(?:none|null|nil|empty|0)\)?[ \t]*(?:\n|$)/gim;

/** Longer lines are data; only so much of a line is read for what it says. */
const longestLine = 2000;

/** The name of an exception before a colon or a bracket. */
const exceptionName = /(?:Error|Exception)[ \t]?[:(]/;
/** The words that open a complaint: "fatal: …", "npm error …", "error[E0308]". */
const opening = /^(?:fatal|error|panic|failed|failure|exception)\b[ \t]?[:![\]-]/i;
const codes = /^(?:[EFW]\d{3,4}|TS\d{4}) [A-Za-z]/;
const weak =
  /\b(?:error|errors|exception|failed|failure|fails|cannot|can't|could not|couldn't|unable to|not found|no such|not exist|doesn't exist|does not exist|invalid|illegal|unexpected|undefined|unknown|unrecogni[sz]ed|denied|forbidden|unauthori[sz]ed|not allowed|not permitted|refused|rejected|missing|must be|does not add up|not available|unsupported|already exists|mismatch|traceback|timed out|timeout)\b/i;

/** A line that names an error: an exception's name, a tool's "error:", a compiler's code, a shell's complaint. */
function namesError(line: string): boolean {
  const text = line.length > longestLine ? line.slice(0, longestLine) : line;
  if (exceptionName.test(text) || text.includes('SQLSTATE')) return true;
  // "file.c:3:1: error: …": the complaint may stand behind places and names, each with a colon.
  for (let from = wordStart(text, 0); from < text.length; ) {
    const rest = text.slice(from, from + 24);
    if (opening.test(rest) || codes.test(rest)) return true;
    const colon = text.indexOf(': ', from);
    if (colon < 0 || !isPlace(text, from, colon)) break;
    from = wordStart(text, colon + 2);
  }
  return /^error\b/i.test(text);
}

const someLine = (text: string, holds: (line: string) => boolean): boolean => {
  for (let from = 0; from <= text.length; ) {
    const end = text.indexOf('\n', from);
    if (holds(end < 0 ? text.slice(from) : text.slice(from, end))) return true;
    if (end < 0) return false;
    from = end + 1;
  }
  return false;
};

function wordStart(text: string, from: number): number {
  while (from < text.length && !isWordCode(text.charCodeAt(from))) from++;
  return from;
}

/** Names, paths and numbers: what stands before a complaint. */
function isPlace(text: string, from: number, to: number): boolean {
  for (let k = from; k < to; k++) {
    const code = text.charCodeAt(k);
    if (!isWordCode(code) && code !== 46 && code !== 47 && code !== 45 && code !== 58) return false;
  }
  return true;
}

function isWordCode(code: number): boolean {
  const lower = code | 32;
  return (code >= 48 && code <= 57) || (lower >= 97 && lower <= 122) || code === 95;
}

const explicitStart =
  /^(?:<tool_use_error>|error\b|traceback \(most|exception\b|fatal\b|exit code:? [1-9]|command (?:failed|exited with code [1-9]))/i;
const shellStart = /^(?:\/bin\/)?(?:ba|z|da|k)?sh: /i;
const explicitAnywhere =
  /NOT been applied|introduced new syntax error|no replacement was performed|exited with code [1-9]|exit code:? [1-9]|"exit_?code": ?[1-9]|returned non-zero|String to replace not found|did not appear verbatim/i;

function isExplicit(line: string): boolean {
  const text = line.trimStart();
  if (explicitStart.test(text) || explicitAnywhere.test(text)) return true;
  return shellStart.test(text) && !text.includes('warning');
}

/** A line that begins with the word, in the output of something that was run. */
const markedStart = /^(?:Error|ERROR|error|FATAL|fatal|Fatal error|panic) ?:/;
const isMarked = (text: string): boolean =>
  ['rror', 'ERROR', 'atal', 'FATAL', 'panic'].some((part) => text.includes(part)) &&
  someLine(text, (line) => {
    const start = wordStart(line, 0);
    return markedStart.test(line.slice(start, start + 16));
  });

/** The sum at the end of a run that found something. */
const tallied = /\b[1-9]\d{0,8} (?:errors?|problems?|failed|failures?|failing)\b/i;
const exitWords = /exit(?:ed with)? code/gi;
const failedExit = /^(?:Exit Code|Process exited with code):? ?[1-9]\d{0,8}$/i;

/** Whether a line of the text is `failedExit`. Its words are looked for first: they are rarer than line ends. */
function hasFailedExit(text: string): boolean {
  exitWords.lastIndex = 0;
  let line = -1;
  for (let found = exitWords.exec(text); found !== null; found = exitWords.exec(text)) {
    // What stands before the words on their line is at most a blank or two, and "Process ".
    const from = text.lastIndexOf('\n', Math.min(found.index, text.length)) + 1;
    if (from === line) continue; // one line is read once, however often it says so
    line = from;
    const to = text.indexOf('\n', found.index);
    if (to >= 0) exitWords.lastIndex = to;
    if ((to < 0 ? text.length : to) - from < 200 && failedExit.test(text.slice(from, to < 0 ? undefined : to).trim()))
      return true;
    if (to < 0) return false;
  }
  return false;
}

function readsAsError(text: string, effect: Effect, cues: number): boolean {
  const { length } = text;
  if (length === 0) return false;
  const head = text.slice(0, 600);
  if (someLine(firstLines(head, 3), isExplicit) || ((cues & cue.exit) !== 0 && hasFailedExit(text))) return true;
  if (length <= 400)
    return (
      someLine(text, namesError) ||
      (length <= 250 && effect !== 'note' && weak.test(firstLine(text)) && !reassuring.test(text))
    );
  if (namesError(firstLine(head))) return true;
  if (effect === 'read') return false;
  return isMarked(text.slice(0, 8000)) || tallied.test(text.slice(-600)) || endsWithException(text.slice(-400));
}

/** Whether the last line begins with the name of an exception, with its module or without. */
function endsWithException(tail: string): boolean {
  const text = tail.trimEnd();
  const line = text.slice(text.lastIndexOf('\n') + 1);
  let end = 0;
  while (end < line.length && (isWordCode(line.charCodeAt(end)) || line.charCodeAt(end) === 46)) end++;
  const name = line.slice(line.lastIndexOf('.', end - 1) + 1, end);
  return /^[A-Z]/.test(name) && (name.endsWith('Error') || name.endsWith('Exception'));
}

const firstLine = (text: string): string => firstLines(text.trimStart(), 1);

function firstLines(text: string, lines: number): string {
  let end = -1;
  for (let k = 0; k < lines; k++) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) return text;
  }
  return text.slice(0, end);
}

/** Short results that use an error's words to say that there is none. */
const reassuring =
  /\b(?:no|0|zero|without) (?:\w+ )?(?:errors?|issues?|problems?|failures?|warnings?)\b|\bsuccess|\bsucceeded|\bpassed\b/i;

/** The line that carries the error: the last exception of a traceback, the line a tool marks, or the first that complains. */
function errorLine(text: string): string {
  const shown = text.length > 12_000 ? `${text.slice(0, 6000)}\n${text.slice(-6000)}` : text;
  const lines = shown.split('\n');
  const traceback = lines.findIndex((line) => line.startsWith('Traceback (most'));
  if (traceback >= 0) {
    for (let k = lines.length - 1; k > traceback; k--)
      if (/^[\w.]*(?:Error|Exception|Interrupt|Exit)\b/.test(lines[k]!)) return lines[k]!;
  }
  let best = '';
  let score = 0;
  for (const line of lines) {
    const value = scoreOf(line);
    if (value > score) {
      score = value;
      best = line;
    }
  }
  return score > 0 ? best : (lines.find((line) => /\S/.test(line)) ?? '');
}

function scoreOf(line: string): number {
  if (line.length > longestLine || !/\S/.test(line)) return 0;
  if (boilerplate.test(line)) return 1;
  if (/^\s*(?:\d+(?:[→|]|:(?!\d))|[-+|>] {0,3}\d+)/.test(line)) return 0; // an echo of a file
  if (exceptionName.test(line)) return 5;
  if (namesError(line)) return 4;
  return weak.test(line) ? 2 : 0;
}

/** Says only that something failed, or what to do next, and so is the same for every failure. */
const boilerplate =
  /^\s*(?:ERRORS?:?|Exit code:? \d+|Command (?:failed|exited).*|Process exited with code \d+|Your (?:proposed edit|changes).*|DO NOT re-run.*|Traceback.*|FAILED|make: \*\*\*.*|npm ERR! code.*)\s*$/i;

function mask(line: string): string {
  return line
    .trim()
    .replace(/<\/?tool_use_error>/g, '')
    .replace(/\b0x[0-9a-f]+\b/gi, '#')
    .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gi, '#')
    .replace(/\d+(?:[.,:]\d+)*/g, '#')
    .replace(/\s+/g, ' ');
}

/** What kind of error it is: names, quotes and places left out. */
function familyOf(core: string): string {
  let family = '';
  let from = 0;
  for (let at = 0; at < core.length; ) {
    const close = quoteEnd(core, at);
    if (close > at) {
      family += `${core.slice(from, at)}''`;
      at = close;
      from = close;
    } else at++;
  }
  family += core.slice(from);
  return family
    .toLowerCase()
    .replace(/[\w.~/-]+/g, (name) => (name.includes('/') ? '/' : /\w\.\w/.test(name) ? '.' : name));
}

/** Where the quotation that begins at `at` ends; `at` where none does. */
function quoteEnd(text: string, at: number): number {
  if (!opens.includes(text[at]!)) return at;
  for (let k = at + 1; k < text.length; k++) if (closes.includes(text[k]!)) return k + 1;
  return at;
}

const opens = '"\'`‘“';
const closes = '"\'`’”';
