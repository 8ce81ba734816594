import type { Json } from 'loopfuse';
import { num, type Obj, obj, parsed, str } from '../translating/json.js';

/**
 * The attributes of a span in the words of the `gen_ai` conventions, whichever dialect it speaks: OpenInference (Phoenix,
 * Arize), Langfuse, LangSmith. What the conventions name already stays as it is.
 */
export function inConventions(told: Obj): Obj {
  if (str(told['openinference.span.kind']) !== undefined) return { ...openInference(told), ...told };
  if (str(told['langfuse.observation.type']) !== undefined) return { ...langfuse(told), ...told };
  if (str(told['langsmith.span.kind']) !== undefined) return { ...langSmith(told), ...told };
  return told;
}

const operations: { readonly [kind: string]: string } = {
  llm: 'chat',
  generation: 'chat',
  chat_model: 'chat',
  tool: 'execute_tool',
  agent: 'invoke_agent',
};

function openInference(told: Obj): Obj {
  return known({
    'gen_ai.operation.name': operations[String(told['openinference.span.kind']).toLowerCase()],
    'gen_ai.request.model': told['llm.model_name'],
    'gen_ai.input.messages': numbered(told, 'llm.input_messages.'),
    'gen_ai.output.messages': numbered(told, 'llm.output_messages.'),
    'gen_ai.usage.input_tokens': told['llm.token_count.prompt'],
    'gen_ai.usage.output_tokens': told['llm.token_count.completion'],
    'gen_ai.tool.name': told['tool.name'],
    'gen_ai.tool.call.id': told['tool_call.id'] ?? told['tool.id'],
    'gen_ai.tool.call.arguments': told['tool.parameters'] ?? told['input.value'],
    'gen_ai.tool.call.result': told['output.value'],
    'gen_ai.agent.name': told['agent.name'],
  });
}

function langfuse(told: Obj): Obj {
  const usage = obj(parsed(told['langfuse.observation.usage_details']));
  const input = told['langfuse.observation.input'];
  const output = told['langfuse.observation.output'];
  return known({
    'gen_ai.operation.name': operations[String(told['langfuse.observation.type']).toLowerCase()],
    'gen_ai.conversation.id': told['langfuse.session.id'],
    'gen_ai.request.model': told['langfuse.observation.model.name'],
    'gen_ai.input.messages': messages(input),
    'gen_ai.output.messages': messages(output),
    'gen_ai.usage.input_tokens': num(usage.input) ?? num(usage.prompt_tokens),
    'gen_ai.usage.output_tokens': num(usage.output) ?? num(usage.completion_tokens),
    'gen_ai.tool.call.arguments': input,
    'gen_ai.tool.call.result': output,
  });
}

function langSmith(told: Obj): Obj {
  return known({
    'gen_ai.operation.name': operations[String(told['langsmith.span.kind']).toLowerCase()],
    'gen_ai.conversation.id': told['langsmith.trace.session_id'] ?? told['langsmith.metadata.session_id'],
    'gen_ai.input.messages': messages(told['gen_ai.prompt']),
    'gen_ai.output.messages': messages(told['gen_ai.completion']),
    'gen_ai.tool.call.arguments': told['gen_ai.prompt'],
    'gen_ai.tool.call.result': told['gen_ai.completion'],
  });
}

function known(values: { readonly [key: string]: Json | undefined }): Obj {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** A list of messages, one message, or an object that holds either; undefined where it is none of them. */
function messages(value: Json | undefined): Json | undefined {
  const read = parsed(value);
  if (Array.isArray(read)) return read;
  const { messages, choices, role, content } = obj(read);
  if (Array.isArray(messages)) return messages;
  if (Array.isArray(choices)) return (choices as readonly Json[]).map((choice) => obj(choice).message ?? choice);
  if (role !== undefined || content !== undefined) return [{ role: 'assistant', ...obj(read) } as Json];
  return typeof read === 'string' && read !== '' ? [{ role: 'assistant', content: read }] : undefined;
}

const mostMessages = 10_000;

interface Numbered {
  role?: Json;
  content?: Json;
  tool_call_id?: Json;
  readonly calls: Map<number, { [key: string]: Json }>;
}

/**
 * OpenInference writes lists as keys with numbers: `llm.output_messages.0.message.tool_calls.1.tool_call.function.name`.
 */
function numbered(told: Obj, prefix: string): Json | undefined {
  const found = new Map<number, Numbered>();
  for (const key in told) {
    if (!key.startsWith(prefix)) continue;
    const [place = '', , ...path] = key.slice(prefix.length).split('.');
    const index = Number(place);
    if (!Number.isInteger(index) || index < 0 || index > mostMessages) continue;
    const message: Numbered = found.get(index) ?? { calls: new Map() };
    found.set(index, message);
    const [member, call, , ...rest] = path;
    if (member === 'tool_calls') {
      const one = message.calls.get(Number(call)) ?? {};
      message.calls.set(Number(call), { ...one, [rest.at(-1) ?? '']: told[key]! });
    } else if (member === 'role' || member === 'content' || member === 'tool_call_id') message[member] = told[key]!;
  }
  if (found.size === 0) return undefined;
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([, { calls, ...message }]) => ({
      ...message,
      tool_calls: [...calls.values()].map(({ id, name, arguments: input }) => ({
        ...(id === undefined ? {} : { id }),
        function: { name: name ?? 'unknown', arguments: input ?? '{}' },
      })),
    })) as Json;
}
