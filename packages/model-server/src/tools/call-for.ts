import { posix } from 'node:path';
import { fieldsOf } from '@loopfuse/wire';
import type { Json } from 'loopfuse';
import type { Part } from '../reply.js';
import type { JsonSchema, OfferedTool, TurnRequest } from '../turn.js';
import { type Action, capabilityOf, commandFor } from './action.js';
import { knownToolFor, toolFor } from './tool-for.js';
import { validValue } from './valid-value.js';
import { workspaceOf } from './workspace-of.js';

export type CallPart = Extract<Part, { call: unknown }>;

/**
 * A call that does the action with the tools of this request: with the tool for this action, else in the shell, else
 * with the first tool and valid arguments. Throws if the request offers no tools.
 */
export function callFor(turn: TurnRequest, action: Action): CallPart {
  const capability = capabilityOf(action);
  const made = knownToolFor(turn, capability);
  const shell = made ? undefined : knownToolFor(turn, 'shell');
  const tool = made ?? shell ?? toolFor(turn, capability) ?? turn.tools[0];
  if (!tool) throw new RangeError('callFor: the request offers no tools');
  return { call: { tool: tool.name, input: inputFor(turn, tool, shell ? { shell: commandFor(action) } : action) } };
}

function inputFor(turn: TurnRequest, tool: OfferedTool, action: Action): Json {
  if (tool.takes === 'text') return sourceFor(action);
  return validValue(tool.parameters, (name, schema) => {
    const word = wordFor(turn, action, name);
    return word === undefined ? undefined : shaped(turn, action, name, schema, word);
  });
}

/** The value of a parameter with this name for the action. */
function wordFor(turn: TurnRequest, action: Action, name: string): string | undefined {
  if ('shell' in action) return /^(command|cmd|script)s?$/i.test(name) ? action.shell : undefined;
  if ('search' in action)
    return /^(pattern|query|queries|regex|regexp|patterns)$/i.test(name) ? action.search : undefined;
  if (/^(absolute_?|file_?|target_?)?(path|file)s?(_?name)?$/i.test(name) || /^filename$/i.test(name))
    return absolute(turn, 'read' in action ? action.read : action.write);
  return 'write' in action && /^(contents?|file_?text|text|new_?(str|string|text))$/i.test(name)
    ? action.content
    : undefined;
}

/** The word, a list with the word, or a list of objects with the word, as the schema requires. */
function shaped(turn: TurnRequest, action: Action, name: string, schema: JsonSchema, word: string): Json | undefined {
  const variants = [schema, ...[schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []))].map(
    (variant) => fieldsOf(variant) as JsonSchema,
  );
  const list = variants.find(({ type }) => type === 'array');
  if (list === undefined || variants.some(({ type }) => type === 'string')) return word;
  const items = fieldsOf(list.items) as JsonSchema;
  if (items.properties !== undefined) return [validValue(items, (inner) => wordFor(turn, action, inner))];
  return name === 'command' || name === 'cmd' ? ['bash', '-lc', word] : [word];
}

/** Tools that take text take code: this runs the shell command as agents do that run code. */
function sourceFor(action: Action): string {
  return `text(await tools.exec_command({ cmd: ${JSON.stringify(commandFor(action))} }));`;
}

function absolute(turn: TurnRequest, path: string): string {
  const workspace = workspaceOf(turn);
  return workspace === undefined || posix.isAbsolute(path) ? path : posix.join(workspace, path);
}
