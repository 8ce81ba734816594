import type { Json } from 'loopfuse';
import {
  type JsonSchema,
  type Message,
  type OfferedTool,
  type Place,
  type RequestView,
  type ToolResult,
  withAttached,
} from '../conversation.js';
import { asText, attachedTo, fieldsOf, isObject, listOf, requestIn, stringOf, textOf } from '../foreign.js';

export function readRequest(body: unknown, { model = '', stream = false }: Place = {}): RequestView {
  const { contents, systemInstruction, system_instruction, tools, toolConfig, generationConfig } = fieldsOf(body);
  const { responseSchema, responseJsonSchema } = fieldsOf(generationConfig);
  const { mode, allowedFunctionNames } = fieldsOf(fieldsOf(toolConfig).functionCallingConfig);
  const [only, ...others] = listOf(allowedFunctionNames);
  const schema = responseJsonSchema ?? responseSchema;
  return {
    model,
    stream,
    system: textOf(fieldsOf(systemInstruction ?? system_instruction).parts),
    messages: readContents(listOf(contents)),
    tools: listOf(tools)
      .flatMap((tool) => listOf(fieldsOf(tool).functionDeclarations))
      .flatMap(readTool),
    ...(mode === 'ANY' && typeof only === 'string' && others.length === 0 ? { forced: only } : {}),
    ...(isObject(schema) ? { schema: lowerCase(schema) as JsonSchema } : {}),
  };
}

/** Calls may come without ids; they are then identified by their place. */
function readContents(contents: readonly unknown[]): readonly Message[] {
  let calls = 0;
  let open: { id: string; tool: string }[] = [];
  return contents.flatMap((content): readonly Message[] => {
    const { role, parts } = fieldsOf(content);
    const all = listOf(parts).map(fieldsOf);
    const text = textOf(all.filter(({ thought }) => thought !== true));
    const empty = { text: '', reasoning: '', calls: [], results: [] };
    if (role === 'model') {
      const called = all.flatMap(({ functionCall }) => {
        if (!isObject(functionCall)) return [];
        const id = stringOf(functionCall.id) || `place-${calls++}`;
        return [{ id, tool: stringOf(functionCall.name), input: (functionCall.args ?? {}) as Json }];
      });
      open = called.map(({ id, tool }) => ({ id, tool }));
      const reasoning = textOf(all.filter(({ thought }) => thought === true));
      return [{ ...empty, role: 'assistant', text, reasoning, calls: called }];
    }
    const results = all.flatMap(({ functionResponse }): readonly ToolResult[] => {
      if (!isObject(functionResponse)) return [];
      const tool = stringOf(functionResponse.name);
      const place = open.findIndex((call) => call.id === functionResponse.id || call.tool === tool);
      const [call] = place < 0 ? [] : open.splice(place, 1);
      const { output, error, ...others } = fieldsOf(functionResponse.response);
      const outcome = asText(error ?? output ?? others) + attachedTo(listOf(functionResponse.parts));
      return [
        {
          id: stringOf(functionResponse.id) || (call?.id ?? ''),
          tool,
          text: outcome,
          failed: error !== undefined && error !== null,
        },
      ];
    });
    const beside = all.filter(({ inlineData, fileData }) => isObject(inlineData ?? fileData));
    const answered: Message[] =
      results.length > 0 ? [{ ...empty, role: 'tool', results: withAttached(results, beside) }] : [];
    return text === '' && answered.length > 0 ? answered : [...answered, { ...empty, role: 'user', ...requestIn(all) }];
  });
}

function readTool(tool: unknown): readonly OfferedTool[] {
  const { name, description, parameters, parametersJsonSchema } = fieldsOf(tool);
  if (typeof name !== 'string') return [];
  const schema = lowerCase(fieldsOf(parametersJsonSchema ?? parameters)) as JsonSchema;
  return [{ name, description: stringOf(description), takes: 'object', parameters: schema }];
}

/** This protocol's own schemas write the names of types in capitals. */
function lowerCase(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lowerCase);
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === 'type' && typeof value === 'string' ? value.toLowerCase() : lowerCase(value),
    ]),
  );
}
