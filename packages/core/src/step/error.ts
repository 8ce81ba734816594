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

/** A line that names an error: an exception's name, a tool's "error:", a shell's complaint. */
const strong =
  /\b[A-Z]\w*(?:Error|Exception)\b\s*[:(]|^\W*(?:[\w./-]+: )*(?:fatal|fatal error|error|panic|failed|failure|exception)\b\s*[:!\]-]|^\W*(?:\S+:\d+:\d+:? )?(?:[EFW]\d{3,4}|TS\d{4}) [A-Za-z]|\bSQLSTATE\b|^error\b/im;
const weak =
  /\b(?:error|errors|exception|failed|failure|fails|cannot|can't|could not|couldn't|unable to|not found|no such|not exist|doesn't exist|does not exist|invalid|illegal|unexpected|undefined|unknown|unrecogni[sz]ed|denied|forbidden|unauthori[sz]ed|not allowed|not permitted|refused|rejected|missing|must be|does not add up|not available|unsupported|already exists|mismatch|traceback)\b/i;
const explicit =
  /^\s*(?:<tool_use_error>|error\b|traceback \(most|exception\b|fatal\b|exit code:? [1-9]|command (?:failed|exited with code [1-9])|(?:\/bin\/)?(?:ba|z|da|k)?sh: (?!.*warning))|NOT been applied|introduced new syntax error|no replacement was performed|exited with code [1-9]\d*|exit code:? [1-9]\d*\b|"exit_?code": ?[1-9]|returned non-zero|String to replace not found|did not appear verbatim/im;

/** A line that begins with the word, in the output of something that was run. */
const marked = /^\W*(?:Error|ERROR|error|FATAL|fatal|Fatal error|panic) ?:/m;
/** The words of `marked`, which is slow, are looked for one by one, which is fast. */
const isMarked = (text: string): boolean =>
  ['rror', 'ERROR', 'atal', 'FATAL', 'panic'].some((part) => text.includes(part)) && marked.test(text);

/** The sum at the end of a run that found something. */
const tallied = /\b[1-9]\d* (?:errors?|problems?|failed|failures?|failing)\b/i;
const exitWords = /exit(?:ed with)? code/gi;
const failedExit = /^[ \t]*(?:Exit Code|Process exited with code):? ?[1-9]\d*[ \t]*$/im;

/** Whether a line of the text is `failedExit`. Its words are looked for first: they are rarer than line ends. */
function hasFailedExit(text: string): boolean {
  exitWords.lastIndex = 0;
  for (let found = exitWords.exec(text); found !== null; found = exitWords.exec(text)) {
    const from = text.lastIndexOf('\n', found.index) + 1;
    const to = text.indexOf('\n', found.index);
    if (failedExit.test(text.slice(from, to < 0 ? text.length : to))) return true;
  }
  return false;
}

function readsAsError(text: string, effect: Effect, cues: number): boolean {
  const { length } = text;
  if (length === 0) return false;
  const head = text.slice(0, 600);
  if (explicit.test(firstLines(head, 3)) || ((cues & cue.exit) !== 0 && hasFailedExit(text))) return true;
  if (length <= 400)
    return (
      strong.test(text) || (length <= 250 && effect !== 'note' && weak.test(firstLine(text)) && !reassuring.test(text))
    );
  if (effect === 'read') return strong.test(firstLine(head));
  if (strong.test(firstLine(head)) || /NOT been applied|introduced new syntax error/.test(head)) return true;
  return (
    isMarked(text.slice(0, 8000)) ||
    tallied.test(text.slice(-600)) ||
    /(?:^|\n)(?:[\w.]+\.)*[A-Z]\w*(?:Error|Exception)\b[^\n]*\s*$/.test(text.slice(-400))
  );
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
  if (line.length > 2000 || !/\S/.test(line)) return 0;
  if (boilerplate.test(line)) return 1;
  if (/^\s*(?:\d+(?:[→|]|:(?!\d))|[-+|>] {0,3}\d+)/.test(line)) return 0; // an echo of a file
  if (/\b[A-Z]\w*(?:Error|Exception)\b\s*[:(]/.test(line)) return 5;
  if (strong.test(line)) return 4;
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
  return core
    .toLowerCase()
    .replace(/(["'`‘“]).*?(["'`’”])/g, "''")
    .replace(/(?:[\w.~-]*\/)+[\w.-]*/g, '/')
    .replace(/\b\w+\.\w+(?:\.\w+)*\b/g, '.');
}
