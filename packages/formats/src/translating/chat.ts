import type { Json } from 'loopfuse';
import type { Recorder } from '../format.js';
import { contentOf, wordsOf } from './content.js';
import { isObject, list, num, type Obj, obj, parsed, str, timeOf } from './json.js';
import type { Transcript, Usage } from './transcript.js';

/**
 * Writes the messages of a conversation as model interfaces exchange them: OpenAI's chat messages and response items,
 * Anthropic's, Gemini's contents, and those of the usual SDKs, answered apart message by message.
 */
export interface Chat {
  message(value: Json): void;
}

export interface ChatOptions {
  /** What to take as the user's words in a user message's text; an empty string when there are none. */
  readonly wordsOfUser?: (text: string) => string;
}

/** Whether a value reads as a message of any of these kinds. */
export function isMessage(value: Json): boolean {
  const { role, content, parts, type, tool_calls: calls, call_id: call } = obj(value);
  if (typeof role === 'string') return content !== undefined || Array.isArray(parts) || Array.isArray(calls);
  if (type === 'function_call' || type === 'function_call_output') return str(call) !== undefined;
  return (type === 'human' || type === 'ai' || type === 'tool') && content !== undefined;
}

export function createChat(
  recorder: Recorder,
  to: Transcript,
  { wordsOfUser = (text) => text }: ChatOptions = {},
): Chat {
  let answers = 0;

  function answer(at: number | undefined): void {
    to.turn(`answer-${answers}`, at);
  }

  function prompt(text: string, at: number | undefined): void {
    const words = wordsOfUser(text);
    if (words === '') return;
    answers++;
    to.prompt(words, at);
  }

  function assistant(message: Obj, at: number | undefined): void {
    answers++;
    answer(at);
    recorder.open(to.session.id, {
      model: str(message.model) ?? str(obj(message.modelInfo).modelId) ?? str(obj(message.modelInfo).id),
    });
    to.reasoning(str(message.reasoning_content) ?? str(message.reasoning) ?? '', at);
    blocks(message.content ?? message.parts ?? message.text, at);
    for (const each of list(message.tool_calls)) {
      const call = obj(each);
      const named = obj(call.function);
      to.call(
        str(call.id),
        str(named.name) ?? str(call.name) ?? 'unknown',
        parsed(named.arguments ?? call.args ?? call.arguments),
        at,
      );
    }
    const legacy = obj(message.function_call);
    if (isObject(message.function_call))
      to.call(undefined, str(legacy.name) ?? 'unknown', parsed(legacy.arguments), at);
    to.usage(usageOf(message), at);
    const reason = str(message.stop_reason) ?? str(message.finish_reason);
    if (reason !== undefined) to.endTurn(reason, at);
  }

  /** What the model said, block by block. */
  function blocks(content: Json | undefined, at: number | undefined): void {
    if (typeof content === 'string') {
      to.text(content, at);
      return;
    }
    for (const each of list(content)) {
      const block = obj(each);
      const call = obj(block.functionCall ?? block.function_call);
      if (block.functionCall !== undefined || block.function_call !== undefined)
        to.call(str(call.id), str(call.name) ?? 'unknown', parsed(call.args ?? call.arguments), at);
      else if (block.type === 'tool_use' || block.type === 'server_tool_use')
        to.call(str(block.id), str(block.name) ?? 'unknown', block.input ?? {}, at);
      else if (block.type === 'tool-call' || block.type === 'toolCall')
        to.call(
          str(block.toolCallId) ?? str(block.id),
          str(block.toolName) ?? str(block.name) ?? 'unknown',
          parsed(block.input ?? block.args ?? block.arguments),
          at,
        );
      else if (
        block.type === 'thinking' ||
        block.type === 'think' ||
        block.type === 'reasoning' ||
        block.thought === true
      )
        to.reasoning(str(block.thinking) ?? str(block.think) ?? str(block.text) ?? '', at);
      else if (isResult(block)) result(block, at);
      else if (typeof block.text === 'string') to.text(block.text, at);
      else if (typeof each === 'string') to.text(each, at);
      else recorder.skip(`content: ${String(block.type)}`);
    }
  }

  function user(message: Obj, at: number | undefined): void {
    const content = message.content ?? message.parts ?? message.text;
    for (const each of list(content)) if (isResult(obj(each))) result(obj(each), at);
    const said = wordsOf(content);
    if (said !== '') prompt(said, at);
  }

  function result(block: Obj, at: number | undefined): void {
    const answered = obj(block.functionResponse ?? block.function_response);
    const { output, error } = obj(answered.response);
    const sdk = obj(block.output ?? block.result);
    const id = str(block.tool_use_id) ?? str(block.toolCallId) ?? str(answered.id);
    const body =
      answered.response !== undefined
        ? (output ?? error ?? answered.response)
        : (sdk.value ?? block.content ?? block.output ?? block.result);
    const failed =
      typeof block.is_error === 'boolean'
        ? block.is_error
        : typeof block.isError === 'boolean'
          ? block.isError
          : error !== undefined || /^error-/.test(str(sdk.type) ?? '') || undefined;
    to.result({ id, output: contentOf(body), failed, at, tool: str(answered.name) ?? str(block.toolName) });
    answers++;
  }

  function tool(message: Obj, at: number | undefined): void {
    const inside = list(message.content ?? message.parts)
      .map(obj)
      .filter(isResult);
    if (inside.length > 0) {
      for (const block of inside) result(block, at);
      return;
    }
    const ids = list(message.tool_call_ids);
    const id = str(message.tool_call_id) ?? str(ids[0]);
    const failed = message.is_error === true || message.status === 'error' ? true : undefined;
    to.result({ id, output: contentOf(message.content), failed, at, tool: str(message.name) });
    answers++;
  }

  /** OpenAI's response items stand beside messages in one list. */
  function item(message: Obj, at: number | undefined): void {
    switch (message.type) {
      case 'function_call':
      case 'custom_tool_call':
        answer(at);
        to.call(str(message.call_id), str(message.name) ?? 'unknown', parsed(message.arguments ?? message.input), at);
        return;
      case 'function_call_output':
      case 'custom_tool_call_output':
        to.result({ id: str(message.call_id), output: contentOf(message.output), at });
        answers++;
        return;
      case 'reasoning':
        for (const part of [...list(message.summary), ...list(message.content)]) {
          answer(at);
          to.reasoning(str(obj(part).text) ?? '', at);
        }
        return;
      default:
        recorder.skip(`message: ${String(message.role ?? message.type)}`);
    }
  }

  return {
    message(value) {
      const message = obj(value);
      const at = timeOf(message.timestamp ?? message.ts ?? message.created_at ?? message.time);
      switch (message.role ?? message.type) {
        case 'user':
        case 'human':
          user(message, at);
          return;
        case 'assistant':
        case 'model':
        case 'gemini':
        case 'ai':
          assistant(message, at);
          return;
        case 'tool':
        case 'function':
          tool(message, at);
          return;
        default:
          item(message, at);
      }
    },
  };
}

function isResult(block: Obj): boolean {
  return (
    block.type === 'tool_result' ||
    block.type === 'tool-result' ||
    block.functionResponse !== undefined ||
    block.function_response !== undefined
  );
}

function usageOf(message: Obj): Usage {
  const usage = obj(message.usage ?? message.usage_metadata ?? message.usageMetadata);
  const metrics = obj(message.metrics);
  const tokens = obj(metrics.tokens);
  const read = num(usage.cache_read_input_tokens) ?? num(metrics.cacheReadTokens);
  // Anthropic's input leaves out what went through the cache; the others' counts it.
  const rest = num(usage.input_tokens) ?? num(metrics.inputTokens);
  const written = num(usage.cache_creation_input_tokens) ?? num(metrics.cacheWriteTokens);
  return {
    input:
      rest === undefined
        ? (num(usage.prompt_tokens) ?? num(usage.promptTokenCount) ?? num(tokens.prompt))
        : rest + (read ?? 0) + (written ?? 0),
    output:
      num(usage.output_tokens) ??
      num(usage.completion_tokens) ??
      num(usage.candidatesTokenCount) ??
      num(metrics.outputTokens) ??
      num(tokens.completion),
    cached:
      read ??
      num(obj(usage.prompt_tokens_details).cached_tokens) ??
      num(usage.cachedContentTokenCount) ??
      num(tokens.cached),
    written,
    cost: num(metrics.cost),
  };
}
