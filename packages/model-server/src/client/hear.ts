import { asText, fieldsOf, isObject, listOf, parsedOr, stringOf, textOf } from '../foreign.js';
import type { Call, Protocol } from '../turn.js';

/** What a client makes of an answer, streamed or whole. */
export interface Spoken {
  text: string;
  reasoning: string;
  calls: Call[];
  /** In the provider's word; empty while there is none. */
  finish: string;
  inputTokens: number;
  outputTokens: number;
  /** What the provider reports as an error in mid-stream. */
  error?: string;
}

export function silence(): Spoken {
  return { text: '', reasoning: '', calls: [], finish: '', inputTokens: 0, outputTokens: 0 };
}

/** Adds one chunk of a stream to what was heard. A stream of chunks and the whole answer come to the same. */
export const hearChunk: { readonly [Name in Protocol]: (heard: Spoken, chunk: unknown, open: OpenCalls) => void } = {
  'openai-chat'(heard, chunk, open) {
    const { choices, usage, error } = fieldsOf(chunk);
    count(heard, fieldsOf(usage).prompt_tokens, fieldsOf(usage).completion_tokens);
    if (error !== undefined) heard.error = stringOf(fieldsOf(error).message);
    for (const choice of listOf(choices).map(fieldsOf)) {
      const { content, reasoning_content, tool_calls } = fieldsOf(choice.delta ?? choice.message);
      heard.text += stringOf(content);
      heard.reasoning += stringOf(reasoning_content);
      for (const [nth, call] of listOf(tool_calls).map(fieldsOf).entries()) {
        const { name, arguments: piece } = fieldsOf(call.function);
        open.add(Number(call.index ?? nth), stringOf(call.id), stringOf(name), stringOf(piece));
      }
      heard.finish ||= stringOf(choice.finish_reason);
    }
  },

  'openai-responses'(heard, chunk, open) {
    const { type, delta, output_index, item, response, message, object } = fieldsOf(chunk);
    const at = Number(output_index ?? 0);
    if (type === 'response.output_text.delta') heard.text += stringOf(delta);
    else if (type === 'response.reasoning_summary_text.delta') heard.reasoning += stringOf(delta);
    else if (type === 'response.function_call_arguments.delta') open.add(at, '', '', stringOf(delta));
    else if (type === 'response.output_item.added' && fieldsOf(item).type === 'function_call')
      open.add(at, stringOf(fieldsOf(item).call_id), stringOf(fieldsOf(item).name), '');
    else if (type === 'error') heard.error = stringOf(message);
    else if (type === 'response.completed' || type === 'response.incomplete' || object === 'response') {
      const done = fieldsOf(response ?? chunk);
      heard.finish = stringOf(done.status);
      count(heard, fieldsOf(done.usage).input_tokens, fieldsOf(done.usage).output_tokens);
      if (object !== 'response') return;
      for (const [nth, spoken] of listOf(done.output).map(fieldsOf).entries()) {
        if (spoken.type === 'message') heard.text += textOf(spoken.content);
        else if (spoken.type === 'reasoning') heard.reasoning += textOf(spoken.summary);
        else open.add(nth, stringOf(spoken.call_id), stringOf(spoken.name), stringOf(spoken.arguments));
      }
    }
  },

  anthropic(heard, chunk, open) {
    const { type, index, content_block, delta, message, usage, content, stop_reason, error } = fieldsOf(chunk);
    const { text, thinking, partial_json, stop_reason: reason } = fieldsOf(delta);
    const block = fieldsOf(content_block);
    heard.text += stringOf(text);
    heard.reasoning += stringOf(thinking);
    heard.finish ||= stringOf(reason ?? stop_reason);
    if (error !== undefined) heard.error = stringOf(fieldsOf(error).message);
    if (typeof partial_json === 'string') open.add(Number(index), '', '', partial_json);
    if (block.type === 'tool_use') open.add(Number(index), stringOf(block.id), stringOf(block.name), '');
    const { input_tokens, output_tokens } = fieldsOf(usage ?? fieldsOf(message).usage);
    count(heard, input_tokens, output_tokens);
    if (type !== 'message') return;
    for (const [nth, spoken] of listOf(content).map(fieldsOf).entries()) {
      heard.text += stringOf(spoken.text);
      heard.reasoning += stringOf(spoken.thinking);
      if (spoken.type === 'tool_use') open.add(nth, stringOf(spoken.id), stringOf(spoken.name), asText(spoken.input));
    }
  },

  gemini(heard, chunk, open) {
    const { candidates, usageMetadata, error } = fieldsOf(chunk);
    const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount } = fieldsOf(usageMetadata);
    count(heard, promptTokenCount, Number(candidatesTokenCount) + Number(thoughtsTokenCount ?? 0));
    if (error !== undefined) heard.error = stringOf(fieldsOf(error).message);
    for (const { content, finishReason } of listOf(candidates).map(fieldsOf)) {
      for (const { text, thought, functionCall } of listOf(fieldsOf(content).parts).map(fieldsOf)) {
        heard[thought === true ? 'reasoning' : 'text'] += stringOf(text);
        if (isObject(functionCall))
          open.add(open.size, stringOf(functionCall.id), stringOf(functionCall.name), asText(functionCall.args));
      }
      heard.finish ||= stringOf(finishReason);
    }
  },
};

/** Calls whose arguments are still coming in, by their place in the answer. */
export class OpenCalls {
  readonly #calls = new Map<number, { id: string; tool: string; source: string }>();

  get size(): number {
    return this.#calls.size;
  }

  add(place: number, id: string, tool: string, piece: string): void {
    const call = this.#calls.get(place) ?? { id: '', tool: '', source: '' };
    this.#calls.set(place, { id: call.id || id, tool: call.tool || tool, source: call.source + piece });
  }

  close(): Call[] {
    return [...this.#calls.values()].map(({ id, tool, source }) => ({ id, tool, input: parsedOr(source) }));
  }
}

function count(heard: Spoken, input: unknown, output: unknown): void {
  if (Number.isFinite(input)) heard.inputTokens = input as number;
  if (Number.isFinite(output)) heard.outputTokens = output as number;
}
