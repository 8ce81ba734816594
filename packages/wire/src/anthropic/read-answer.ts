import type { AgentEvent, Json } from 'loopfuse';
import { callEvent, createClosing, errorMessage, ranEvents } from '../answer-events.js';
import type { Call } from '../conversation.js';
import { argumentsOf, asText, fieldsOf, isObject, listOf, parsedOr, stringOf } from '../foreign.js';
import type { AnswerReader } from '../wire.js';
import { callIn, isProviderCall, isProviderResult, resultIn } from './provider-tools.js';

interface Block {
  readonly fields: Readonly<Record<string, unknown>>;
  text: string;
  signature: string;
}

/** Blocks are opened, filled by deltas and closed; a call is complete when its block is closed. */
export function readAnswer(): AnswerReader {
  const closing = createClosing();
  const blocks = new Map<number, Block>();
  const calls = new Set<number>();
  const ran = new Map<string, Call>(); // by the provider, by id
  // The three parts of the input. The end of a stream may repeat some of them and leave out others, or report them as
  // 0.
  let fresh = 0;
  let read = 0;
  let written = 0;

  function opened(index: number, fields: Readonly<Record<string, unknown>>): readonly AgentEvent[] {
    const said = stringOf(fields.text) || stringOf(fields.thinking);
    blocks.set(index, { fields, text: said, signature: stringOf(fields.signature) });
    if (fields.type === 'tool_use') calls.add(index);
    if (isProviderResult(fields)) {
      const call = ran.get(stringOf(fields.tool_use_id));
      return call === undefined ? [] : ranEvents(call, resultIn(fields, call.tool));
    }
    if (said === '') return [];
    return [{ type: fields.type === 'thinking' ? 'reasoning' : 'text', text: said }];
  }

  function filled(index: number, delta: Readonly<Record<string, unknown>>): readonly AgentEvent[] {
    const block = blocks.get(index);
    const piece = stringOf(delta.text) || stringOf(delta.thinking) || stringOf(delta.partial_json);
    if (block !== undefined) {
      block.text += piece;
      block.signature += stringOf(delta.signature);
    }
    if (piece === '') return [];
    if (delta.type === 'text_delta') return [{ type: 'text', text: piece }];
    return delta.type === 'thinking_delta' ? [{ type: 'reasoning', text: piece }] : [];
  }

  function closed(index: number): readonly AgentEvent[] {
    const block = blocks.get(index);
    const isProviders = block !== undefined && isProviderCall(block.fields);
    if (block === undefined || !(calls.delete(index) || isProviders)) return [];
    const { id, name, input } = block.fields;
    if (block.text === '' && isObject(input)) block.text = JSON.stringify(input);
    if (!isProviders) return [callEvent(stringOf(id), stringOf(name), block.text)];
    const call = callIn({ ...block.fields, input: argumentsOf(block.text) });
    ran.set(call.id, call);
    return [];
  }

  function count(usage: unknown): void {
    const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, cache_creation, output_tokens } =
      fieldsOf(usage);
    fresh = more(fresh, input_tokens);
    read = more(read, cache_read_input_tokens);
    written = more(written, cache_creation_input_tokens);
    closing.count({
      input: fresh + read + written,
      output: output_tokens,
      cached: read,
      written,
      writtenLong: fieldsOf(cache_creation).ephemeral_1h_input_tokens,
    });
  }

  return {
    read(value) {
      const { type, index, content_block, delta, message, usage, content, stop_reason } = fieldsOf(value);
      const at = Number(index ?? 0);
      switch (type) {
        case 'message_start':
          count(fieldsOf(message).usage);
          return [];
        case 'content_block_start':
          return opened(at, fieldsOf(content_block));
        case 'content_block_delta':
          return filled(at, fieldsOf(delta));
        case 'content_block_stop':
          return closed(at);
        case 'message_delta':
          count(usage);
          closing.finish(fieldsOf(delta).stop_reason);
          return [];
        case 'message_stop':
          return closing.events();
        case 'message': {
          count(usage);
          closing.finish(stop_reason);
          return listOf(content).flatMap((one, nth) => {
            const fields = fieldsOf(one);
            return [...opened(nth, fields), ...closed(nth)];
          });
        }
        default: {
          const failure = errorMessage(value);
          if (failure !== undefined) closing.fail(failure);
          return [];
        }
      }
    },
    end: () => closing.events(),
    get open() {
      return calls.size > 0;
    },
    get complete() {
      return closing.complete;
    },
    get error() {
      return closing.error;
    },
    said() {
      const content = [...blocks.values()].flatMap(({ fields, text, signature }): readonly Json[] => {
        if (fields.type === 'text') return text === '' ? [] : [{ type: 'text', text }];
        if (fields.type === 'thinking')
          return signature === '' ? [] : [{ type: 'thinking', thinking: text, signature }];
        if (fields.type === 'tool_use') {
          const input = parsedOr(text);
          return [
            { type: 'tool_use', id: asText(fields.id), name: asText(fields.name), input: isObject(input) ? input : {} },
          ];
        }
        if (isProviderCall(fields)) return [{ ...(fields as { [key: string]: Json }), input: argumentsOf(text) }];
        return fields.type === 'redacted_thinking' || isProviderResult(fields) ? [fields as Json] : [];
      });
      return content.length === 0 ? [] : [{ role: 'assistant', content }];
    },
  };
}

function more(before: number, counted: unknown): number {
  return typeof counted === 'number' && counted > before ? counted : before;
}
