import type { Json } from 'loopfuse';
import type { Recorder } from '../format.js';
import { contentOf, wordsOf } from './content.js';
import { isWrapped } from './injected.js';
import { isObject, list, num, type Obj, obj, parsed, str, timeOf } from './json.js';
import { plainMessages } from './plain-messages.js';
import { untagged } from './tagged.js';
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
  return plainMessages(value).length > 0;
}

export function createChat(
  recorder: Recorder,
  to: Transcript,
  { wordsOfUser = (text) => text }: ChatOptions = {},
): Chat {
  let answers = 0;
  /** The message of the model that was written last, and the number of its answer: streams write one in pieces. */
  let last: { readonly id: string; readonly answer: number } | undefined;
  /** The command that the model wrote last, in a block of code, and of which nothing came yet. */
  let command: string | undefined;

  function answer(at: number | undefined): void {
    to.turn(`answer-${answers}`, at);
  }

  function prompt(text: string, at: number | undefined): void {
    const words = wordsOfUser(text);
    if (words === '') return;
    command = undefined;
    answers++;
    to.prompt(words, at);
  }

  function assistant(message: Obj, at: number | undefined): void {
    const id = str(message.id);
    const goesOn = id !== undefined && id === last?.id && answers === last.answer;
    if (!goesOn) answers++;
    last = id === undefined ? undefined : { id, answer: answers };
    answer(at);
    recorder.open(to.session.id, {
      model: str(message.model) ?? str(obj(message.modelInfo).modelId) ?? str(obj(message.modelInfo).id),
    });
    to.reasoning(str(message.reasoning_content) ?? str(message.reasoning) ?? '', at);
    const listed = message.tool_calls ?? message.toolCalls;
    const calls = [...list(listed), ...list(message.invalid_tool_calls)].map(callOf);
    const body = bodyOf(message);
    blocks(body, at, calls);
    if (body !== message.parts) for (const each of list(message.toolInvocations)) invocation(obj(each), at);
    for (const call of calls) to.call(call.id, call.tool, call.input, at);
    const legacy = obj(message.function_call);
    if (isObject(message.function_call) && calls.length === 0)
      to.call(undefined, str(legacy.name) ?? 'unknown', parsed(legacy.arguments), at);
    to.usage(usageOf(message), at);
    const reason = str(message.stop_reason) ?? str(message.finish_reason);
    if (reason !== undefined) to.endTurn(reason, at);
  }

  /**
   * What the model said, block by block. `calls` are those that the message lists beside its content: LangChain and some
   * gateways write calls in both places.
   */
  function blocks(content: Json | undefined, at: number | undefined, calls: readonly Call[]): void {
    if (typeof content === 'string') {
      spoken(content, at, calls);
      return;
    }
    /** What came of the calls of one step: they were made together, though each stands beside its result. */
    let results: (() => void)[] = [];
    const finishStep = () => {
      for (const tell of results) tell();
      results = [];
    };
    for (const each of list(content)) {
      const block = obj(each);
      const call = callIn(block);
      const answered = call === undefined ? undefined : resultInside(block);
      if (call === undefined) finishStep();
      if (block.type === 'step-start') continue;
      if (isResult(block)) {
        result(block, at);
        continue;
      }
      answer(at);
      if (call !== undefined) {
        if (calls.some((other) => (call.id === undefined ? other.tool === call.tool : other.id === call.id))) continue;
        to.call(call.id, call.tool, call.input, at);
        if (answered !== undefined) results.push(() => result({ ...answered, toolCallId: call.id }, at));
      } else if (isThought(block)) to.reasoning(thoughtOf(block), at);
      else if (typeof block.text === 'string') {
        command = calls.length === 0 ? commandIn(block.text) : undefined;
        to.text(block.text, at);
      } else if (typeof each === 'string') to.text(each, at);
      else recorder.skip(`content: ${String(block.type)}`);
    }
    finishStep();
  }

  /** Text of a model that writes its calls into it, each between tags. */
  function spoken(text: string, at: number | undefined, calls: readonly Call[]): void {
    const { rest, inside } = text.includes('<tool_call>') ? untagged(text, 'tool_call') : { rest: text, inside: [] };
    const written = inside.map((each) => parsed(each.trim()));
    if (calls.length > 0 || written.length === 0 || !written.every((call) => str(obj(call).name) !== undefined)) {
      command = calls.length === 0 ? commandIn(text) : undefined;
      to.text(text, at);
      return;
    }
    command = undefined;
    to.text(rest.trim(), at);
    for (const { id, tool, input } of written.map(callOf)) to.call(id, tool, input, at);
  }

  /** A call with its result, as the AI SDK kept them beside the content. */
  function invocation(block: Obj, at: number | undefined): void {
    const { id, tool, input } = callOf(block as Json);
    answer(at);
    to.call(id, tool, input, at);
    const answered = resultInside(block);
    if (answered !== undefined) result({ ...answered, toolCallId: id }, at);
  }

  function user(message: Obj, at: number | undefined): void {
    const content = bodyOf(message);
    const results = list(content).map(obj).filter(isResult);
    for (const each of results) result(each, at);
    const said = results.length > 0 ? wordsBesideResults(content) : wordsOf(content);
    const code = exitCodeIn(said);
    if (command !== undefined && code !== undefined) {
      to.call(undefined, 'bash', { command }, at);
      to.result({ output: said, failed: code !== '0', at });
      answers++;
      command = undefined;
      return;
    }
    const { rest, inside } = untagged(said, 'tool_response');
    if (inside.length === 0 || rest.trim() !== '') {
      if (said !== '') prompt(said, at);
      return;
    }
    for (const output of inside) to.result({ output: output.trim(), at });
    answers++;
  }

  function result(block: Obj, at: number | undefined): void {
    const answered = obj(block.functionResponse ?? block.function_response);
    const { output, error } = obj(answered.response);
    if (block.type === 'toolResponse') {
      gooseResult(block, at);
      return;
    }
    const converse = obj(block.toolResult);
    const sdk = obj(block.output ?? block.result);
    const id = str(block.tool_use_id) ?? str(block.toolCallId) ?? str(answered.id) ?? str(converse.toolUseId);
    const body =
      answered.response !== undefined
        ? (output ?? error ?? answered.response)
        : (sdk.value ??
          (sdk.type === 'execution-denied' ? sdk.reason : undefined) ??
          block.content ??
          block.output ??
          block.result ??
          block.error ??
          converse.content);
    const told = block.is_error ?? block.isError;
    const failed =
      typeof told === 'boolean'
        ? told
        : error !== undefined ||
          block.type === 'tool-error' ||
          converse.status === 'error' ||
          /^(error-|execution-denied$)/.test(str(sdk.type) ?? '') ||
          (str(obj(block.content).type) ?? '').endsWith('_tool_result_error') ||
          undefined;
    to.result({ id, output: contentOf(body), failed, at, tool: str(answered.name) ?? str(block.toolName) });
    answers++;
  }

  function gooseResult(block: Obj, at: number | undefined): void {
    const { status, value, error } = obj(block.toolResult);
    const output = obj(value).content ?? value ?? error ?? block.toolResult;
    const failed = status === 'error' || obj(value).isError === true || undefined;
    to.result({ id: str(block.id), output: contentOf(output), failed, at });
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
    const id = str(message.tool_call_id) ?? str(message.toolCallId) ?? str(ids[0]);
    const failed = message.is_error === true || message.status === 'error' ? true : undefined;
    const { inside: tags } = untagged(str(message.content) ?? '', 'tool_response');
    const outputs = id === undefined && tags.length > 0 ? tags.map((output) => output.trim()) : [message.content];
    for (const output of outputs) to.result({ id, output: contentOf(output), failed, at, tool: str(message.name) });
    answers++;
  }

  /** OpenAI's response items stand beside messages in one list. */
  function item(message: Obj, at: number | undefined): void {
    const type = str(message.type) ?? '';
    if (type === 'reasoning') {
      for (const part of [...list(message.summary), ...list(message.content)]) {
        answer(at);
        to.reasoning(str(obj(part).text) ?? '', at);
      }
    } else if (type.endsWith('_call')) {
      answer(at);
      const { id, tool, input } = callOfItem(message, type);
      to.call(id, tool, input, at);
      // What the provider runs itself comes back in the same item.
      const error = message.error ?? undefined;
      const output = error ?? message.output ?? message.outputs ?? message.results ?? undefined;
      if (output !== undefined) itemResult(id, output, error !== undefined || message.status === 'failed', at);
    } else if (type.endsWith('_call_output') || type.endsWith('_call_result')) {
      itemResult(str(message.call_id) ?? str(message.callId), message.output, message.status === 'failed', at);
    } else recorder.skip(`message: ${String(message.role ?? message.type)}`);
  }

  function itemResult(id: string | undefined, output: Json | undefined, failed: boolean, at: number | undefined): void {
    const ran = list(output).map((each) => obj(obj(each).outcome));
    const broke = ran.some(({ type, exit_code: code }) => type === 'timeout' || (type === 'exit' && code !== 0));
    to.result({ id, output: contentOf(output), failed: failed || broke || undefined, at });
    answers++;
  }

  function plain(message: Obj): void {
    const at = timeOf(
      message.timestamp ?? message.ts ?? message.created_at ?? message.createdAt ?? message.created ?? message.time,
    );
    switch (message.role ?? message.type ?? 'user') {
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
  }

  return {
    message(value) {
      const found = plainMessages(value);
      for (const message of found) plain(message);
      if (found.length === 0) recorder.skip(`message: ${String(obj(value).role ?? obj(value).type)}`);
    },
  };
}

interface Call {
  readonly id: string | undefined;
  readonly tool: string;
  readonly input: Json;
}

/** A call as it stands in a list of calls. */
function callOf(value: Json): Call {
  const call = obj(value);
  const named = obj(call.function);
  return {
    id: str(call.id) ?? str(call.toolCallId),
    tool: str(named.name) ?? str(call.name) ?? str(call.toolName) ?? 'unknown',
    input: parsed(named.arguments ?? call.args ?? call.arguments ?? call.input),
  };
}

/** The call that a block of content is. */
function callIn(block: Obj): Call | undefined {
  const type = str(block.type) ?? '';
  const gemini = block.functionCall ?? block.function_call;
  if (gemini !== undefined) return callOf(gemini);
  if (type === 'toolRequest') {
    const { toolCall } = block;
    return { ...callOf(obj(toolCall).value ?? obj(toolCall).Ok ?? toolCall ?? {}), id: str(block.id) };
  }
  if (isObject(block.toolUse)) return { ...callOf(block.toolUse), id: str(block.toolUse.toolUseId) };
  if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use')
    return { id: str(block.id), tool: str(block.name) ?? 'unknown', input: block.input ?? {} };
  if (type === 'tool-invocation') return callOf(block.toolInvocation ?? {});
  if (type === 'tool-call' || type === 'toolCall' || type === 'tool_call' || type === 'dynamic-tool')
    return { ...callOf(block as Json), input: parsed(block.input ?? block.args ?? block.arguments) };
  // A message of the AI SDK's user interface names the tool in the type.
  if (type.startsWith('tool-') && str(block.toolCallId) !== undefined && str(block.state) !== undefined)
    return { id: str(block.toolCallId), tool: type.slice('tool-'.length), input: block.input ?? block.rawInput ?? {} };
  return undefined;
}

/** What came of a call that is told together with its result, by its state; undefined while it runs. */
function resultInside(block: Obj): Obj | undefined {
  const { state, output, result, errorText, approval } = isObject(block.toolInvocation) ? block.toolInvocation : block;
  if (state === 'output-available' || state === 'result') return { content: output ?? result ?? '' };
  if (state === 'output-error') return { content: errorText ?? '', is_error: true };
  if (state === 'output-denied')
    return { content: str(obj(approval).reason) ?? 'The call was declined.', is_error: true };
  return undefined;
}

/** A call of OpenAI's responses. The kinds that the provider defines name their tool in the type. */
function callOfItem(item: Obj, type: string): Call {
  const input =
    item.arguments ?? item.input ?? item.action ?? item.operation ?? item.queries ?? item.code ?? item.actions;
  return {
    id: str(item.call_id) ?? str(item.callId) ?? str(item.id),
    tool: str(item.name) ?? type.slice(0, -'_call'.length),
    input: parsed(input ?? undefined),
  };
}

/** The command in a block of code, for agents whose models have no tools; undefined where there is none. */
function commandIn(text: string): string | undefined {
  const begin = /```(?:bash|sh|mswea_bash_command)\n/.exec(text);
  if (begin === null) return undefined;
  const from = begin.index + begin[0].length;
  const end = text.indexOf('\n```', from);
  return end < 0 ? undefined : text.slice(from, end).trim();
}

/** How such agents begin what they tell the model of its command. */
function exitCodeIn(text: string): string | undefined {
  return /^\s{0,8}<returncode>(-?\d{1,6})<\/returncode>/.exec(text.slice(0, 100))?.[1];
}

function isThought({ type, thought }: Obj): boolean {
  return type === 'thinking' || type === 'think' || type === 'reasoning' || thought === true;
}

function thoughtOf(block: Obj): string {
  return str(block.thinking) ?? str(block.think) ?? str(block.text) ?? str(block.reasoning) ?? '';
}

/** A message may have its text twice: in whole, and in parts that say more. */
function bodyOf({ content, parts, text }: Obj): Json | undefined {
  if (list(parts).length > 0 && !Array.isArray(content)) return parts;
  return content ?? parts ?? text;
}

/** What stands beside results is the user's, unless it is wrapped in a tag: then the agent put it there. */
function wordsBesideResults(content: Json | undefined): string {
  return wordsOf(list(content).filter((block) => !isWrapped(wordsOf(block))));
}

function isResult(block: Obj): boolean {
  return (
    block.type === 'tool-result' ||
    block.type === 'tool-error' ||
    (str(block.type) ?? '').endsWith('tool_result') ||
    block.type === 'toolResponse' ||
    isObject(block.toolResult) ||
    block.functionResponse !== undefined ||
    block.function_response !== undefined
  );
}

function usageOf(message: Obj): Usage {
  const usage = obj(message.usage ?? message.usage_metadata ?? message.usageMetadata ?? obj(message.metadata).usage);
  const metrics = obj(message.metrics);
  const tokens = obj(metrics.tokens);
  const read = num(usage.cache_read_input_tokens) ?? num(metrics.cacheReadTokens);
  // Anthropic's input leaves out what went through the cache; the others' counts it.
  const rest = num(usage.input_tokens) ?? num(metrics.inputTokens);
  const written = num(usage.cache_creation_input_tokens) ?? num(metrics.cacheWriteTokens);
  return {
    input:
      rest === undefined
        ? (num(usage.prompt_tokens) ??
          num(usage.promptTokenCount) ??
          num(usage.inputTokens) ??
          num(usage.promptTokens) ??
          num(tokens.prompt))
        : rest + (read ?? 0) + (written ?? 0),
    output:
      num(usage.output_tokens) ??
      num(usage.completion_tokens) ??
      num(usage.candidatesTokenCount) ??
      num(usage.outputTokens) ??
      num(usage.completionTokens) ??
      num(metrics.outputTokens) ??
      num(tokens.completion),
    cached:
      read ??
      num(obj(usage.prompt_tokens_details).cached_tokens) ??
      num(obj(usage.input_token_details).cache_read) ??
      num(usage.cachedContentTokenCount) ??
      num(usage.cachedInputTokens) ??
      num(tokens.cached),
    written,
    cost: num(metrics.cost),
  };
}
