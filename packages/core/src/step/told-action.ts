import type { Json } from '../event.js';
import { fingerprint } from '../value/fingerprint.js';
import { unwrapped } from './identity.js';
import { actionTool } from './step.js';

/** The action that a message of the model asks for, on a host that runs it and shows the result in the next prompt. */
export interface ToldAction {
  readonly tool: string;
  readonly input: Json;
  /** Whether the message itself marks the action, so that nothing had to be guessed. */
  readonly marked: boolean;
}

/**
 * Finds the action: the text after the last "Action:", else a code block at the end, else the last paragraph. When a
 * tool is named together with its input, the action is a call of that tool.
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
  const end = said.endsWith(fence) ? said.lastIndexOf(fence, said.length - fence.length - 1) : -1;
  return { tool: actionTool, input: said.slice(end >= 0 ? end : said.lastIndexOf('\n\n') + 1), marked: false };
}

/** A hash of the action that a message marks; 0 when it marks none. */
export function hashOfAction(message: string): number {
  const { tool, input, marked } = actionIn(message);
  return marked ? fingerprint(`${tool} ${JSON.stringify(input)}`) || 1 : 0;
}

/** "Action: search" on a line of its own, and "Action Input: …" on the next. */
const namedTool = /^action: {0,4}([\w.-]{1,80})[ \t]{0,4}\naction input:/im;
const actionMark = /^\W{0,4}act(?:ion)?\b[^\n:]{0,20}:/gim;
const fence = '```';
