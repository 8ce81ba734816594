import { posix } from 'node:path';
import { fieldsOf } from '@loopfuse/wire';
import type { Json } from 'loopfuse';
import type { Part } from '../reply.js';
import type { JsonSchema, OfferedTool, TurnRequest } from '../turn.js';
import { capabilityOf, commandFor, type Deed } from './deed.js';
import { knownToolFor, toolFor } from './tool-for.js';
import { validValue } from './valid-value.js';
import { workspaceOf } from './workspace-of.js';

export type CallPart = Extract<Part, { call: unknown }>;

/**
 * A call that does the deed with the tools this request offers: with the tool made for it, else in the shell, else
 * with whichever tool comes first, validly filled. Throws when no tool is offered at all.
 */
export function callFor(turn: TurnRequest, deed: Deed): CallPart {
  const capability = capabilityOf(deed);
  const made = knownToolFor(turn, capability);
  const shell = made ? undefined : knownToolFor(turn, 'shell');
  const tool = made ?? shell ?? toolFor(turn, capability) ?? turn.tools[0];
  if (!tool) throw new RangeError('callFor: the request offers no tools');
  return { call: { tool: tool.name, input: inputFor(turn, tool, shell ? { shell: commandFor(deed) } : deed) } };
}

function inputFor(turn: TurnRequest, tool: OfferedTool, deed: Deed): Json {
  if (tool.takes === 'text') return sourceFor(deed);
  return validValue(tool.parameters, (name, schema) => {
    const word = wordFor(turn, deed, name);
    return word === undefined ? undefined : shaped(turn, deed, name, schema, word);
  });
}

/** What a parameter of this name means for the deed. */
function wordFor(turn: TurnRequest, deed: Deed, name: string): string | undefined {
  if ('shell' in deed) return /^(command|cmd|script)s?$/i.test(name) ? deed.shell : undefined;
  if ('search' in deed) return /^(pattern|query|queries|regex|regexp|patterns)$/i.test(name) ? deed.search : undefined;
  if (/^(absolute_?|file_?|target_?)?(path|file)s?(_?name)?$/i.test(name) || /^filename$/i.test(name))
    return absolute(turn, 'read' in deed ? deed.read : deed.write);
  return 'write' in deed && /^(contents?|file_?text|text|new_?(str|string|text))$/i.test(name)
    ? deed.content
    : undefined;
}

/** A word, a list of words, or a list of objects with the word inside, as the schema wants it. */
function shaped(turn: TurnRequest, deed: Deed, name: string, schema: JsonSchema, word: string): Json | undefined {
  const variants = [schema, ...[schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []))].map(
    (variant) => fieldsOf(variant) as JsonSchema,
  );
  const list = variants.find(({ type }) => type === 'array');
  if (list === undefined || variants.some(({ type }) => type === 'string')) return word;
  const items = fieldsOf(list.items) as JsonSchema;
  if (items.properties !== undefined) return [validValue(items, (inner) => wordFor(turn, deed, inner))];
  return name === 'command' || name === 'cmd' ? ['bash', '-lc', word] : [word];
}

/** Free text is code: the script asks for the shell in the words of the agents that run code. */
function sourceFor(deed: Deed): string {
  return `text(await tools.exec_command({ cmd: ${JSON.stringify(commandFor(deed))} }));`;
}

function absolute(turn: TurnRequest, path: string): string {
  const workspace = workspaceOf(turn);
  return workspace === undefined || posix.isAbsolute(path) ? path : posix.join(workspace, path);
}
