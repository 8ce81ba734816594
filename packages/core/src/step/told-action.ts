import type { Json } from '../event.js';
import { fingerprint } from '../value/fingerprint.js';
import { unwrapped } from './identity.js';
import { actionTool } from './step.js';

/** What a message of the model tells to do, on a host that carries it out and shows in the next prompt what came of it. */
export interface ToldAction {
  readonly tool: string;
  readonly input: Json;
  /** Whether the message says that this is what to do, so that nothing had to be guessed. */
  readonly marked: boolean;
}

/**
 * Behind the last "Action:"; between the last fences of code; or else the last paragraph. Where a tool is named together
 * with its input, it is a call of that tool.
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

/** Of what a message says that is to be done; 0 where it does not say so. */
export function hashOfAction(message: string): number {
  const { tool, input, marked } = actionIn(message);
  return marked ? fingerprint(`${tool} ${JSON.stringify(input)}`) || 1 : 0;
}

/** "Action: search" in a line of its own, and "Action Input: …" in the next. */
const namedTool = /^action: {0,4}([\w.-]{1,80})[ \t]{0,4}\naction input:/im;
const actionMark = /^\W{0,4}act(?:ion)?\b[^\n:]{0,20}:/gim;
const fence = '```';
