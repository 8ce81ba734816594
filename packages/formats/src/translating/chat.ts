import type { Json } from 'loopfuse';
import type { Recorder } from '../format.js';
import { bodyOf, isThought, thoughtOf, wordsBesideResults } from './chat-body.js';
import { type Call, callIn, callOf, callOfItem } from './chat-call.js';
import { isResult, resultInside, resultOf, resultOfItem } from './chat-result.js';
import { usageOf } from './chat-usage.js';
import { contentOf, wordsOf } from './content.js';
import { isObject, list, type Obj, obj, parsed, str, timeOf } from './json.js';
import { plainMessages } from './plain-messages.js';
import { untagged } from './tagged.js';
import type { Transcript } from './transcript.js';
import { commandIn, exitCodeIn } from './written-command.js';

/**
 * Writes the messages of a conversation, one by one, as model interfaces exchange them: OpenAI's chat messages and
 * response items, Anthropic's messages, Gemini's contents, and those of common SDKs.
 */
export interface Chat {
  message(value: Json): void;
}

export interface ChatOptions {
  /** The user's own words in the text of a user message; an empty string if there are none. */
  readonly wordsOfUser?: (text: string) => string;
}

/** Whether a value is a message of any of these kinds. */
export function isMessage(value: Json): boolean {
  return plainMessages(value).length > 0;
}

export function createChat(
  recorder: Recorder,
  to: Transcript,
  { wordsOfUser = (text) => text }: ChatOptions = {},
): Chat {
  let answers = 0;
  /** The last message of the model, and the number of its answer: streams write one message in pieces. */
  let last: { readonly id: string; readonly answer: number } | undefined;
  /** The last command that the model wrote in a block of code, if it has no result yet. */
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
   * The model's message, block by block. `calls` are the calls in the message's own list: LangChain and some gateways write
   * calls both there and in the content.
   */
  function blocks(content: Json | undefined, at: number | undefined, calls: readonly Call[]): void {
    if (typeof content === 'string') {
      spoken(content, at, calls);
      return;
    }
    /** Results of the calls of one step: the calls were made together, though each is next to its result. */
    let results: (() => void)[] = [];
    const finishStep = () => {
      for (const write of results) write();
      results = [];
    };
    const ids = new Set(calls.map(({ id }) => id));
    const tools = new Set(calls.map(({ tool }) => tool));
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
        if (call.id === undefined ? tools.has(call.tool) : ids.has(call.id)) continue;
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

  /** The text of a model that may write its calls into it, each between tags. */
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

  /** A call with its result, which the AI SDK kept next to the content. */
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
    to.result({ ...resultOf(block), at });
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

  /** OpenAI's response items are in one list with messages. */
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
      // The result of a tool that the provider runs is in the same item.
      const error = message.error ?? undefined;
      const output = error ?? message.output ?? message.outputs ?? message.results ?? undefined;
      if (output !== undefined) itemResult(id, output, error !== undefined || message.status === 'failed', at);
    } else if (type.endsWith('_call_output') || type.endsWith('_call_result')) {
      itemResult(str(message.call_id) ?? str(message.callId), message.output, message.status === 'failed', at);
    } else recorder.skip(`message: ${String(message.role ?? message.type)}`);
  }

  function itemResult(id: string | undefined, output: Json | undefined, failed: boolean, at: number | undefined): void {
    to.result({ id, ...resultOfItem(output, failed), at });
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
