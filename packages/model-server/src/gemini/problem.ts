import type { Place } from '@loopfuse/wire';
import { fieldsOf, isObject, listOf, quote, stringOf } from '@loopfuse/wire';
import { toolsProblem } from '../tools-problem.js';
import { signsCalls } from './signs-calls.js';

const roles = ['user', 'model', 'function'];
const toolName = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/;
const data = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
];

/** Checks a body as generateContent does: turns of calls and turns of responses must match part by part. */
export function problem(body: unknown, { model = '' }: Place): string | undefined {
  if (!isObject(body)) return 'the body must be a JSON object';
  return (
    historyProblem(body) ??
    (signsCalls(model) ? signatureProblem(listOf(body.contents).map(fieldsOf)) : undefined) ??
    declarationsProblem(body.tools)
  );
}

/** Checks the history only, which is also needed for counting tokens. */
export function historyProblem({ contents }: Readonly<Record<string, unknown>>): string | undefined {
  if (!Array.isArray(contents) || contents.length === 0) return 'contents: at least one content is required';
  for (const [index, content] of contents.entries()) {
    const wrong = contentProblem(`contents[${index}]`, content);
    if (wrong !== undefined) return wrong;
  }
  return pairingProblem(contents as readonly Record<string, unknown>[]);
}

function contentProblem(at: string, content: unknown): string | undefined {
  if (!isObject(content)) return `${at}: must be an object`;
  const { role, parts } = content;
  if (role !== undefined && !roles.includes(stringOf(role)))
    return `${at}.role: must be "user" or "model", got ${quote(role)}`;
  if (!Array.isArray(parts) || parts.length === 0) return `${at}.parts: must not be empty`;
  for (const [nth, part] of parts.entries()) {
    const wrong = partProblem(`${at}.parts[${nth}]`, role, fieldsOf(part));
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function partProblem(at: string, role: unknown, part: Readonly<Record<string, unknown>>): string | undefined {
  const held = data.filter((key) => part[key] !== undefined);
  if (held.length !== 1) return `${at}: must hold exactly one kind of data, got ${held.join(' and ') || 'none'}`;
  if (part.text !== undefined && typeof part.text !== 'string') return `${at}.text: must be a string`;
  if (part.functionCall !== undefined) {
    const { name, args } = fieldsOf(part.functionCall);
    if (role !== 'model') return `${at}.functionCall: belongs to the model`;
    if (typeof name !== 'string' || !toolName.test(name))
      return `${at}.functionCall.name: must match ${toolName.source}, got ${quote(name)}`;
    if (args !== undefined && !isObject(args)) return `${at}.functionCall.args: must be an object, got ${quote(args)}`;
  }
  if (part.functionResponse !== undefined) {
    const { name, response } = fieldsOf(part.functionResponse);
    if (role === 'model') return `${at}.functionResponse: does not belong to the model`;
    if (typeof name !== 'string' || name === '') return `${at}.functionResponse.name: must not be empty`;
    if (!isObject(response)) return `${at}.functionResponse.response: must be an object, got ${quote(response)}`;
  }
  return undefined;
}

/** A turn of calls follows a turn of the user or of responses, and the turn after it answers each call once. */
function pairingProblem(contents: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  let calls: Readonly<Record<string, unknown>>[] = [];
  for (const [index, content] of contents.entries()) {
    const at = `contents[${index}]`;
    const responses = partsOf(content, 'functionResponse');
    if (responses.length !== calls.length)
      return `${at}: a turn of function responses must have as many parts as the turn of calls before it: ${responses.length} for ${calls.length}`;
    for (const response of responses) {
      const place = calls.findIndex(
        ({ id, name }) =>
          name === response.name && (id === undefined || response.id === undefined || id === response.id),
      );
      if (place < 0) return `${at}: the response to ${quote(response.name)} matches no call before it`;
      calls.splice(place, 1);
    }
    const next = partsOf(content, 'functionCall');
    const before = contents[index - 1];
    if (next.length > 0 && (before === undefined || before.role === 'model'))
      return `${at}: a turn of function calls must come right after a turn of the user or of function responses`;
    calls = next;
  }
  if (calls.length > 0) return `contents: there is no response to the call of ${quote(calls[0]?.name)}`;
  return contents.at(-1)?.role === 'model' ? 'contents: the last turn must not be the model’s' : undefined;
}

/** In the current turn, the first call of every step must come back with its signature. */
function signatureProblem(contents: readonly Readonly<Record<string, unknown>>[]): string | undefined {
  const begun = contents.findLastIndex(
    (content) => content.role !== 'model' && partsOf(content, 'functionResponse').length === 0,
  );
  for (const [index, content] of contents.entries()) {
    if (index < begun) continue;
    const first = listOf(content.parts)
      .map(fieldsOf)
      .find(({ functionCall }) => functionCall !== undefined);
    if (first !== undefined && typeof first.thoughtSignature !== 'string')
      return `contents[${index}]: the call of ${quote(fieldsOf(first.functionCall).name)} lacks its thoughtSignature`;
  }
  return undefined;
}

function declarationsProblem(tools: unknown): string | undefined {
  const declarations = listOf(tools)
    .flatMap((tool) => listOf(fieldsOf(tool).functionDeclarations))
    .map(fieldsOf);
  return (
    toolsProblem({ tools: declarations, names: toolName }) ??
    toolsProblem({ tools: declarations, names: toolName, schemaKey: 'parametersJsonSchema' })
  );
}

function partsOf(content: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>>[] {
  return listOf(content.parts).flatMap((part) => {
    const held = fieldsOf(part)[key];
    return isObject(held) ? [held] : [];
  });
}
