import { findNodeAtLocation, getNodeValue, type ParseError, printParseErrorCode } from 'jsonc-parser';
import type { Json } from 'loopfuse';
import { fieldsOf } from '../protocol/fields.js';
import type { Place } from './agents.js';
import { isOurCommand } from './command.js';
import { appended, nodeAt, removed, treeOf } from './json-edit.js';

/** We cannot add to a settings file as it is. Nothing was changed. */
export class SettingsProblem extends Error {
  override readonly name = 'SettingsProblem';
}

type Settings = Extract<Place, { type: 'settings' }>;

/** The text of a settings file with our hooks in it, once, and everything else unchanged. */
export function withHooks(text: string, { events, timeout }: Settings, command: string): string {
  let result = withoutHooks(text, command);
  for (const { name, matcher } of events) {
    if (handlersIn(result, name).includes(command)) continue;
    const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', command, timeout }] };
    if (nodeAt(result, ['hooks']) === undefined) result = appended(result, [], { [name]: [group] }, 'hooks');
    else if (nodeAt(result, ['hooks', name]) === undefined) result = appended(result, ['hooks'], [group], name);
    else result = appended(result, ['hooks', name], group);
  }
  return result;
}

/** The text without our hooks, except those that run `keep`. What becomes empty is removed too. */
export function withoutHooks(text: string, keep?: string): string {
  let result = text;
  const hooks = fieldsOf(valueAt(text, ['hooks']));
  for (const [event, groups] of Object.entries(hooks)) {
    if (!Array.isArray(groups)) continue;
    // From the end, so that earlier indices stay valid.
    for (let place = groups.length - 1; place >= 0; place--) result = withoutGroup(result, event, place, keep);
    if (groups.length > 0 && lengthAt(result, ['hooks', event]) === 0) result = removed(result, ['hooks', event]);
  }
  if (Object.keys(hooks).length > 0 && Object.keys(fieldsOf(valueAt(result, ['hooks']))).length === 0)
    result = removed(result, ['hooks']);
  return result;
}

/** Our commands in a settings file. */
export function ourCommands(text: string): readonly string[] {
  const hooks = fieldsOf(valueAt(text, ['hooks']));
  return Object.keys(hooks)
    .flatMap((event) => handlersIn(text, event))
    .filter(isOurCommand);
}

/** What is wrong with a text that should be settings; undefined if nothing is wrong. */
export function settingsProblem(text: string): string | undefined {
  const errors: ParseError[] = [];
  const tree = treeOf(text, errors);
  const [first] = errors;
  if (first !== undefined) return `${lineOf(text, first.offset)}: ${inWords(printParseErrorCode(first.error))}`;
  if (tree?.type !== 'object') return `expected a JSON object, found ${tree?.type ?? 'nothing'}`;
  const hooks = findNodeAtLocation(tree, ['hooks']);
  if (hooks === undefined) return undefined;
  if (hooks.type !== 'object')
    return `${lineOf(text, hooks.offset)}: expected "hooks" to be an object, found ${hooks.type}`;
  for (const property of hooks.children ?? []) {
    const [key, value] = property.children ?? [];
    if (value !== undefined && value.type !== 'array')
      return `${lineOf(text, value.offset)}: expected "hooks.${key?.value}" to be a list, found ${value.type}`;
  }
  return undefined;
}

function withoutGroup(text: string, event: string, place: number, keep: string | undefined): string {
  const path = ['hooks', event, place];
  const handlers = fieldsOf(valueAt(text, path)).hooks;
  if (!Array.isArray(handlers)) return text;
  const isObsolete = (handler: Json) => {
    const { command } = fieldsOf(handler);
    return isOurCommand(command) && command !== keep;
  };
  if (handlers.length > 0 && handlers.every(isObsolete)) return removed(text, path);
  let result = text;
  for (let at = handlers.length - 1; at >= 0; at--)
    if (isObsolete(handlers[at]!)) result = removed(result, [...path, 'hooks', at]);
  return result;
}

function handlersIn(text: string, event: string): string[] {
  const groups = valueAt(text, ['hooks', event]);
  if (!Array.isArray(groups)) return [];
  return groups
    .flatMap((group) => {
      const { hooks } = fieldsOf(group);
      return Array.isArray(hooks) ? hooks : [];
    })
    .flatMap((handler) => {
      const { command } = fieldsOf(handler);
      return typeof command === 'string' ? [command] : [];
    });
}

function lengthAt(text: string, path: (string | number)[]): number | undefined {
  const value = valueAt(text, path);
  return Array.isArray(value) ? value.length : undefined;
}

function valueAt(text: string, path: (string | number)[]): Json | undefined {
  const node = nodeAt(text, path);
  return node && (getNodeValue(node) as Json);
}

/** `CommaExpected` is "comma expected". */
function inWords(name: string): string {
  return name.replace(/(?<=[a-z])[A-Z]/g, ' $&').toLowerCase();
}

function lineOf(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return `line ${line}, column ${offset - before.lastIndexOf('\n')}`;
}
