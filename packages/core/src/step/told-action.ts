import type { Json } from '../event.js';
import { askedOf } from './dispatch.js';
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
 * Finds the action: the text after the last "Action:", else a call in tags or a code block at the end, else the last
 * paragraph. When a tool is named together with its input, the action is a call of that tool.
 */
export function actionIn(message: string): ToldAction {
  const said = message.trim();
  const named = namedTool.exec(said);
  if (named !== null) {
    const input = unwrapped(said.slice(named.index + named[0].length).trim());
    return { tool: named[1]!, input, marked: true };
  }
  let from = -1;
  for (const { index } of said.matchAll(actionMark)) from = index;
  if (from >= 0) {
    const told = unwrapped(said.slice(said.indexOf(':', from) + 1).trim());
    return { tool: actionTool, input: typeof told === 'string' ? said.slice(from) : told, marked: true };
  }
  const inTags = callInTags(said);
  if (inTags !== undefined) return { ...inTags, marked: typeof inTags.input === 'object' || isTool(inTags.tool) };
  const end = said.endsWith(fence) ? said.lastIndexOf(fence, said.length - fence.length - 1) : -1;
  const last = said.slice(end >= 0 ? end : said.lastIndexOf('\n\n') + 1);
  const call = callInCode.exec(end >= 0 ? last.slice(0, -fence.length) : last);
  if (call !== null) return { tool: call[1]!, input: namedArguments(call[2]!), marked: true };
  return { tool: actionTool, input: last, marked: false };
}

function isTool(name: string): boolean {
  const nature = natureOf(name);
  return nature !== 'unknown' && nature !== 'note';
}

/**
 * A call in tags at the end: a tag on a line of its own, named after the tool, with a tag for each argument. What is cut
 * off may lack its last tags.
 */
function callInTags(said: string): { readonly tool: string; readonly input: Json } | undefined {
  let at = 0;
  for (;;) {
    openingTag.lastIndex = at;
    const opened = openingTag.exec(said);
    if (opened === null) return undefined;
    const tool = opened[1]!;
    const from = openingTag.lastIndex;
    const end = said.indexOf(`</${tool}>`, from);
    at = end < 0 ? said.length : end + tool.length + 3;
    if (at < said.length) continue; // words follow: a thought in tags, or an example
    const inner = said.slice(from, end < 0 ? said.length : end).trim();
    return askedOf(unwrapped(inner)) ?? { tool, input: argumentsIn(inner) };
  }
}

/** The arguments of a call in tags. */
function argumentsIn(inner: string): Json {
  const input: { [name: string]: string } = {};
  for (let at = inner.indexOf('<'); at >= 0; at = inner.indexOf('<', at)) {
    const close = inner.indexOf('>', at);
    const name = inner.slice(at + 1, close);
    if (close < 0 || !tagName.test(name)) return inner;
    const end = inner.indexOf(`</${name}>`, close);
    input[name] = inner.slice(close + 1, end < 0 ? inner.length : end).trim();
    if (end < 0) break;
    at = end + name.length + 3;
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
const actionMark = /^\W{0,4}act(?:ion)?\b[^\n:]{0,20}:/gim;
const openingTag = /^<([a-z][\w.:-]{0,79})>$/gim;
const tagName = /^[a-z][\w.:-]{0,79}$/i;
/** One call and nothing else in a code block. */
const callInCode = /^```[a-z]{0,16}\n([a-z][\w.]{0,79})\(([^\n]*)\)\s*$/i;
const namedArgument = /([a-z]\w{0,79})=("(?:[^"\\]|\\.)*"|'[^']*'|[^,"']+)/gi;
const fence = '```';
