import type { Json } from '../event.js';
import { type Asked, askedOf } from './dispatch.js';
import { unwrapped } from './identity.js';
import { natureOf } from './nature.js';
import { actionTool } from './step.js';

/** The action that a message of the model asks for, on a host that runs it and shows the result in the next prompt. */
export interface ToldAction {
  readonly tool: string;
  readonly input: Json;
  /** Whether the message itself marks the action, so that nothing had to be guessed. */
  readonly marked: boolean;
}

/**
 * Finds the action: a call in a code block, in tags or in JSON at the end, the text after the last "Action:", else the
 * last code block or paragraph. When a tool is named together with its input, the action is a call of that tool.
 */
export function actionIn(message: string): ToldAction {
  const said = message.trim();
  const named = namedTool.exec(said);
  if (named !== null) {
    const input = unwrapped(said.slice(named.index + named[0].length).trim());
    return { tool: named[1]!, input, marked: true };
  }
  const end = said.endsWith(fence) ? said.lastIndexOf(fence, said.length - fence.length - 1) : -1;
  const call = end >= 0 ? callInBlock(said.slice(end, -fence.length)) : calledIn(said);
  if (call !== undefined) return { ...call, marked: true };
  const inTags = callInTags(said);
  if (inTags !== undefined) return { ...inTags, marked: typeof inTags.input === 'object' || isTool(inTags.tool) };
  let from = -1;
  for (const { index } of said.matchAll(actionMark)) from = index;
  if (from < 0) from = said.search(actionKey);
  if (from >= 0) {
    const told = unwrapped(said.slice(said.indexOf(':', from) + 1).trim());
    return { tool: actionTool, input: typeof told === 'string' ? said.slice(from) : told, marked: true };
  }
  return { tool: actionTool, input: said.slice(end >= 0 ? end : said.lastIndexOf('\n\n') + 1), marked: false };
}

/** A call in a code block: JSON that names a tool, one line of code, or commands for a shell. */
function callInBlock(block: string): Asked | undefined {
  const newline = block.indexOf('\n');
  const inner = block.slice(newline + 1).trim();
  if (shells.test(block.slice(fence.length, newline))) return { tool: 'bash', input: { command: inner } };
  const code = callInCode.exec(inner);
  return code === null ? calledIn(inner) : { tool: code[1]!, input: namedArguments(code[2]!) };
}

/** The call that JSON in a text asks for. */
function calledIn(text: string): Asked | undefined {
  const told = unwrapped(text);
  return typeof told === 'object' ? askedIn(told) : undefined;
}

/** A tool that is named with its input; or what stands under a key for actions. */
function askedIn(told: Json): Asked | undefined {
  const call = askedOf(told) ?? askedOf(told, textNameKeys, textArgumentKeys);
  if (call !== undefined || typeof told !== 'object' || told === null || Array.isArray(told)) return call;
  const object = told as { readonly [key: string]: Json };
  const key = actionKeys.find((one) => typeof object[one] === 'object');
  return key === undefined ? undefined : (askedIn(object[key]!) ?? { tool: actionTool, input: object[key]! });
}

function isTool(name: string): boolean {
  const nature = natureOf(name);
  return nature !== 'unknown' && nature !== 'note';
}

/**
 * A call in tags at the end: a tag on a line of its own, named after the tool, with a tag for each argument. What is cut
 * off may lack its last tags.
 */
function callInTags(said: string): Asked | undefined {
  let at = 0;
  for (;;) {
    openingTag.lastIndex = at;
    const opened = openingTag.exec(said);
    if (opened === null) return undefined;
    const [, kind = '', tool = kind] = opened;
    const from = openingTag.lastIndex;
    const end = said.indexOf(`</${kind}>`, from);
    at = end < 0 ? said.length : end + kind.length + 3;
    if (at < said.length) continue; // words follow: a thought in tags, or an example
    const inner = said.slice(from, end < 0 ? said.length : end).trim();
    return calledIn(inner) ?? { tool, input: argumentsIn(inner) };
  }
}

/** The arguments of a call in tags. */
function argumentsIn(inner: string): Json {
  const input: { [name: string]: string } = {};
  for (let at = inner.indexOf('<'); at >= 0; at = inner.indexOf('<', at)) {
    const close = inner.indexOf('>', at);
    const tag = close < 0 ? null : tagName.exec(inner.slice(at + 1, close));
    if (tag === null) return inner;
    const [, kind = '', name = kind] = tag;
    const end = inner.indexOf(`</${kind}>`, close);
    input[name] = inner.slice(close + 1, end < 0 ? inner.length : end).trim();
    if (end < 0) break;
    at = end + kind.length + 3;
  }
  return Object.keys(input).length === 0 ? inner : input;
}

/** The arguments of a call in code: `path="a.ts", line=3`. */
function namedArguments(code: string): Json {
  const input: { [name: string]: Json } = {};
  for (const [, name, value] of code.matchAll(namedArgument)) {
    try {
      input[name!] = JSON.parse(value!) as Json;
    } catch {
      input[name!] = value!;
    }
  }
  return Object.keys(input).length === 0 ? code : input;
}

/** "Action: search" on a line of its own, and "Action Input: …" on the next. */
const namedTool = /^action: {0,4}([\w.-]{1,80})[ \t]{0,4}\naction input:/im;
/** `"commands": [` in JSON, which may be cut off. */
const actionKey = /"(?:actions?|commands?|tool_calls?|next_action)"[ \t\n]{0,8}:/;
const actionKeys = ['actions', 'action', 'commands', 'command', 'tool_calls', 'next_action'];
const actionMark = /^\W{0,4}act(?:ion)?\b[^\n:]{0,20}:/gim;
/** `<read_file>`, `<function=read_file>` and `<invoke name="read_file">`; and the same within, for arguments. */
const openingTag = /^<([a-z][\w.:-]{0,79})(?:(?: name)?="?([\w.:-]{1,80})"?)?>$/gim;
const tagName = /^([a-z][\w.:-]{0,79})(?:(?: name)?="?([\w.:-]{1,80})"?)?$/i;
/** One call and nothing else. */
const callInCode = /^([a-z][\w.]{0,79})\(([^\n]*)\)$/i;
const shells = /^(?:\w{0,20}_)?(?:bash|sh|shell|zsh|console|powershell|bash_command)$/i;
const textNameKeys = ['name', 'action', 'command', 'function'];
const textArgumentKeys = ['arguments', 'action_input', 'args', 'parameters', 'input'];
const namedArgument = /([a-z]\w{0,79})=("(?:[^"\\]|\\.)*"|'[^']*'|[^,"']+)/gi;
const fence = '```';
