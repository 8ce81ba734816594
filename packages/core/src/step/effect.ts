import type { Json } from '../event.js';
import { commandEffect } from './command.js';
import { newTextKeys, oldTextKeys, wholeTextKeys } from './content-keys.js';
import { unwrapped } from './identity.js';
import { type Nature, natureOf } from './nature.js';
import type { Effect } from './step.js';

/** What kind of tool it is in this call. Keystrokes that end a line, or none, are a shell command, else a move. */
export function natureOfCall(tool: string, given: Json): Nature {
  const keys = textAt(unwrapped(given), 'keystrokes');
  return keys === undefined ? natureOf(tool) : keys === '' || endOfLine.test(keys) ? 'shell' : 'act';
}

/** A line break at the end, as a character or written out as `\n`. */
const endOfLine = /(?:\n|\\n)$/;

/** What a call does, told by the tool's name and, for shells, queries and editors with modes, by what it is asked to do. */
export function effectOf(tool: string, given: Json, nature: Nature = natureOfCall(tool, given)): Effect {
  if (nature === 'picture') return 'read';
  if (nature === 'read' || nature === 'note' || nature === 'poll' || nature === 'act') return nature;
  const input = unwrapped(given);
  const command = textAt(input, 'command', 'cmd', 'script', 'keystrokes')?.replace(endOfLine, '');
  switch (nature) {
    case 'write':
      if (editorModes.has(command ?? '')) return 'read';
      return textAt(input, 'line', 'keys', 'keystrokes', 'chars') === undefined ? 'write' : 'act'; // typed somewhere
    case 'stdin':
      return (textAt(input, 'chars', 'input') ?? '').trim() === '' ? 'poll' : 'run';
    case 'query':
      return queryEffect(textAt(input, 'query', 'sql') ?? command ?? (typeof input === 'string' ? input : ''));
    default: {
      if (command?.trim() === '') return 'poll'; // an empty command waits for the one before
      if (command !== undefined) return commandEffect(command);
      const query = textAt(input, 'sql', 'query', 'statement');
      if (query !== undefined) return queryEffect(query);
      if (nature === 'unknown' && isChange(input)) return 'write';
      if (nature === 'unknown' && isPhrase(textAt(input, 'action') ?? '')) return 'act';
      const action = nature === 'unknown' ? actionOf(input) : nature;
      if (action === 'read' || action === 'write' || action === 'act' || action === 'poll') return action;
      if (action === 'picture') return 'read';
      const code = typeof input === 'string' ? input : textAt(input, 'code');
      if (code !== undefined && movesInCode(code)) return 'act';
      return typeof input === 'string' ? commandEffect(input) : 'run';
    }
  }
}

/** Whether a call takes a picture: a read whose result may contain no readable text. */
export function isPicture(nature: Nature, given: Json): boolean {
  return nature === 'picture' || (nature === 'unknown' && actionOf(unwrapped(given)) === 'picture');
}

/** An action of several words, such as "craft 1 bed": a move in some world. */
function isPhrase(action: string): boolean {
  return action.includes(' ');
}

/** Some tools can do many things. The input names the action, either as text or as the key of an object. */
function actionOf(input: Json): Nature {
  const named = textAt(input, 'action', 'action_type');
  if (named !== undefined || typeof input !== 'object' || input === null) return natureOf(named ?? '');
  const { action } = input as { readonly action?: Json };
  const first = Array.isArray(action) ? action[0] : action;
  return natureOf(typeof first === 'object' && first !== null ? (Object.keys(first)[0] ?? '') : '');
}

/** Whether a line of code is a move on some screen: `click('a91')`, `pyautogui.press('tab')`. */
export function movesInCode(code: string): boolean {
  return code.includes('pyautogui.') || natureOf(callInCode.exec(code)?.[1] ?? '') === 'act';
}

const callInCode = /^\s{0,8}(?:await )?(?:[a-z]\w{0,40}\.){0,3}([a-z]\w{0,40})\(/;

const editorModes = new Set(['view', 'read', 'open']);

/** A new text for an old one, or a text or a patch for a path, is a change, whatever the tool is called. */
function isChange(input: Json): boolean {
  const has = (keys: readonly string[]) => textAt(input, ...keys) !== undefined;
  return (has(oldTextKeys) && has(newTextKeys)) || (has(wholeTextKeys) && has(pathKeys));
}

const pathKeys = ['path', 'file_path', 'filePath', 'filename', 'file', 'target_file'];

function queryEffect(query: string): Effect {
  return /^\s*(?:insert|update|delete|create|drop|alter|replace|truncate|merge|grant)\b/i.test(query)
    ? 'write'
    : 'read';
}

/** The text under the first of these keys that has one; a list of texts counts as one text. */
function textAt(input: Json, ...keys: readonly string[]): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  for (const key of keys) {
    const value = (input as { readonly [key: string]: Json })[key];
    if (typeof value === 'string') return value;
    if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join(' ');
  }
  return undefined;
}
