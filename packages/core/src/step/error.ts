import { fingerprint } from '../value/fingerprint.js';
import { cue } from './cues.js';
import type { Effect, StepError } from './step.js';

/**
 * Reads the error out of a result. `flag` is what the host said: true, false, or nothing. Without it the text decides:
 * it is an error only when its first or last lines read as one. A file that talks about errors is not.
 */
export function readError(text: string, flag: boolean | undefined, effect: Effect): StepError | undefined {
  if (flag === false) return undefined;
  const said = text.replace(headingOfNone, '');
  if (flag !== true && !readsAsError(said, effect)) return undefined;
  const line = errorLine(said);
  const cause = text.length > 2000 ? line : text;
  const core = mask(line).slice(0, coreLength);
  return {
    core,
    line: fingerprint(core.toLowerCase()),
    bare: bare.test(core) || (core.match(/[a-z]/gi)?.length ?? 0) < 8,
    infrastructure: surroundings.test(cause) || (effect === 'poll' && timeOut.test(cause)),
  };
}

/** Whether a result may read as an error, judged by its words, when the host does not say. */
export function mayFail(text: string, cues: number, effect: Effect): boolean {
  if ((cues & cue.complaint) !== 0) return true;
  if (effect === 'write' && text.length <= shortestResult && speaksOfChange.test(text)) return true;
  if ((cues & cue.doubt) === 0) return false;
  return text.length <= shortestResult || effect === 'write';
}

/** Whether the user declined the call, or it was never run. That is a turn of the conversation, not an outcome. */
export function refusedByPerson(text: string): boolean {
  return text.length < 4000 && refusal.test(text.slice(0, 400));
}

const refusal =
  /user (?:doesn't want|does not want|rejected|denied|declined|cancell?ed|refused|interrupted|chose not)|(?:rejected|denied|declined|cancell?ed|interrupted) by (?:the )?user|sibling tool call|(?:call|tool) (?:was )?(?:skipped|not executed)/i;
const surroundings =
  /\b(?:HTTP|status|code|error|response)[ :(]*(?:429|50[0-4]|529)\b|too many requests|rate.?limit|(?:connect(?:ion)?|request|read|operation|gateway|network|socket|dns) time[d -]*out\b|\bE(?:CONN|TIMEDOUT|AI_AGAIN)|connection (?:was )?(?:reset|refused|closed|aborted)|socket hang up|\bunavailable\b(?! (?:tool|function|command|action|option))|overloaded|bad gateway|network error|timed out waiting for/i;

/** A command or a click may time out every time; a poll that times out was only made too early. */
const timeOut = /\btime[d -]*out\b/i;

/** A heading with nothing under it. Some hosts show the error of the last call with everything: "Error: None". */
const headingOfNone = /^[^\n:]{0,60}:\s{0,4}(?:none|null|n\/a)\.?[ \t]{0,4}$/gim;
const coreLength = 160;
/** Longer lines are data, not the line of an error. */
const longestLine = 2000;
/** A short result is read whole, a long one at its beginning and its end. */
const shortestResult = 250;
const shortResult = 400;
const headLength = 600;
const tailLength = 600;

/**
 * The name of an exception before a colon or a bracket, not that of a function (`handleError(`). "Error: (none)" and
 * `"errors": []` say that there is none, here and below.
 */
const exceptionName =
  /\b(?:[A-Z]\w*)?(?:Error|Exception)[ \t]?[:(](?! ?(?:\(?(?:none|null|nil|empty|false|0)\b|\[\]|\{\}|""))/;
/** The words that open a complaint: "fatal: …", "error[E0308]", "ERRORS:". */
const opening =
  /^[^\w\n]{0,40}(?:npm err|errors?|fatal|panic|fail(?:ed|ure)?|exception|traceback)\b(?!"?: ?(?:\(?(?:none|null|nil|empty|false|0)\b|\[\]|\{\}|""))/im;
/** A compiler's or a linter's number for what is wrong: "- F821 undefined name". */
const code = /^[^\w\n]{0,40}(?:[EFW]|TS)\d{3,4}\b/m;
/** How a command ended. */
const failedExit = /exit(?:ed with)?[ _]?(?:code|status)"?:? ?[1-9]|returned non-zero/i;
/** What a command prints when it is called in a way it does not know. */
const misused = /^usage:/i;
/** Words of a complaint. In a long text they prove nothing. */
const weak =
  /\b(?:(?<!\/)(?:errors?|exception|fail(?:ed|ure|s)?)(?!\.\w)(?!"?: ?(?:\(?(?:none|null|nil|empty|false|0)\b|\[\]|\{\}|""))|not(?! null\b)|cannot|can't|couldn't|doesn't|unable|no such|invalid|unexpected|undefined|unknown|denied|refused|rejected|missing|already exists|timed out|timeout|nothing happens)\b/i;
/** An edit that had no effect always says so with one of these. */
const speaksOfChange = /chang|replac|modif|edit|updat/i;
/** What an edit says that had no effect, in one line. "3 unchanged" is one count among others and does not match. */
const changedNothing =
  /\b(?:no|0|zero|without) (?:changes?|replacements?|modifications?|edits?)\b|(?<!\d )\bunchanged\b|\b(?:updated|modified|changed|replaced)\w{0,20}"?: ?0\b|\b0 (?:rows|cells|lines|files|records|documents|items) (?:were )?(?:updated|changed|modified|replaced)\b/i;
/** The same as its first words: what follows may quote the whole edit. */
const beganWithNothing = /^\W{0,4}(?:no|0|zero) (?:changes?|replacements?|modifications?|edits?)\b/i;
/** What an edit says when it did change something. */
const changedSome = /\b(?:insert|add|creat|updat|modifi|chang|replac|delet|remov|upsert)ed\w{0,20}"?: ?[1-9]/i;
/** Short results that use an error's words to say that there is none. */
const reassuring =
  /\b(?:no|0|zero|without) (?:\w+ )?(?:errors?|issues?|problems?|failures?|warnings?|vulnerabilities)\b|\bsuccess|\bpassed\b|\bwarn(?:ing)?\b|\bdeprecated\b/i;

/** A line that says that nothing is wrong, whatever the heading above it says. */
const allClear =
  /^\W{0,8}(?:no|0|zero) (?:\w{1,20} )?(?:errors?|issues?|problems?|failures?)(?: (?:were )?(?:found|detected|reported))?[.!]?$/im;

function readsAsError(text: string, effect: Effect): boolean {
  const { length } = text;
  const opened = text.trimStart().slice(0, headLength);
  const isShort = length <= shortResult;
  if (isShort && allClear.test(opened) && !exceptionName.test(opened)) return false;
  if ((isShort && misused.test(opened)) || namesError(isShort ? text : firstLines(opened, 3))) return true;
  // A short answer, and any answer to an edit, says what matters first, after at most one line of a wrapper.
  if (effect === 'write' && beganWithNothing.test(opened)) return true;
  if (
    effect === 'write' &&
    length <= shortestResult &&
    changedNothing.test(opened) &&
    !changedSome.test(opened) &&
    !/\n\S/.test(opened)
  )
    return true;
  if (length <= shortestResult || effect === 'write')
    return effect !== 'note' && weak.test(firstLines(opened, 2)) && !reassuring.test(opened);
  if (isShort || effect === 'read') return false;
  return failedExit.test(opened) || namesError(text.slice(-tailLength));
}

/** Whether a line names an error: an exception's name, a tool's "error:", how a command ended. */
function namesError(text: string): boolean {
  return exceptionName.test(text) || opening.test(text) || code.test(text) || failedExit.test(text);
}

function firstLines(text: string, lines: number): string {
  return text.split('\n', lines).join('\n');
}

/** The line that carries the error: the first of those that say most about it. */
function errorLine(text: string): string {
  const shown = text.length > 12_000 ? `${text.slice(0, 6000)}\n${text.slice(-6000)}` : text;
  let best = '';
  let score = -1;
  for (const line of shown.split('\n')) {
    const value = scoreOf(line);
    if (value > score) {
      score = value;
      best = line;
    }
  }
  return best;
}

function scoreOf(line: string): number {
  if (line.length > longestLine || !/\S/.test(line)) return -1;
  if (bare.test(line)) return 1;
  if (exceptionName.test(line)) return 5;
  if (namesError(line)) return 4;
  return weak.test(line) ? 2 : 0;
}

/** It says that something failed, but not what. */
const bare =
  /^\W*(?:errors?|failed|failure|traceback \(most recent call last|(?:(?:command|process) )?(?:failed|exit(?:ed)?|return)(?: with)?(?: exit)?[ _]?(?:code|status)?:? ?(?:\d{1,9}|#)?|(?:is_?)?error: true|status: (?:error|failed)|(?:success|ok): false|unknown error|an error occurred|something went wrong|nothing happens)\W*$/i;

function mask(line: string): string {
  return line
    .trim()
    .replace(/\b0x[0-9a-f]+\b|\d+(?:[.,:]\d+)*/gi, '#')
    .replace(/\s+/g, ' ');
}
