import type { AgentEvent, Json } from 'loopfuse';
import { createClosing, errorMessage, ranEvents } from '../answer-events.js';
import { fieldsOf, isObject, listOf, stringOf, textOf } from '../foreign.js';
import type { AnswerReader, ReadAnswerOptions } from '../wire.js';
import { callOf, ranIn } from './call-of.js';

/** An item is added, filled by deltas and done; a call is complete when its item is done. */
export function readAnswer({ onId }: ReadAnswerOptions = {}): AnswerReader {
  const closing = createClosing();
  const items: Json[] = [];
  const open = new Set<number>();
  const streamed = new Set<number>(); // items whose text came in deltas

  function done(item: unknown, at: number): readonly AgentEvent[] {
    if (!isObject(item)) return [];
    items.push(item as Json);
    open.delete(at);
    const call = callOf(item);
    if (call !== undefined) return [{ type: 'tool-call', ...call }];
    const ran = ranIn(item);
    if (ran !== undefined) return ranEvents(ran.call, ran.result);
    if (streamed.has(at)) return [];
    const thought = item.type === 'reasoning' ? textOf(item.summary) + textOf(item.content) : '';
    const said = item.type === 'message' ? textOf(item.content) : '';
    return [
      ...(thought === '' ? [] : [{ type: 'reasoning' as const, text: thought }]),
      ...(said === '' ? [] : [{ type: 'text' as const, text: said }]),
    ];
  }

  function finish(response: Readonly<Record<string, unknown>>): void {
    const { input_tokens, output_tokens, input_tokens_details } = fieldsOf(response.usage);
    const { cached_tokens } = fieldsOf(input_tokens_details);
    closing.count({ input: input_tokens, output: output_tokens, cached: cached_tokens });
    const failure = errorMessage(response);
    if (failure !== undefined) closing.fail(failure);
    closing.finish(response.status);
  }

  return {
    read(value) {
      const { type, id, delta, output_index, item, response, message, object, output } = fieldsOf(value);
      const at = Number(output_index ?? 0);
      switch (type) {
        case 'response.created': {
          const id = stringOf(fieldsOf(response).id);
          if (id !== '') onId?.(id);
          return [];
        }
        case 'response.output_text.delta':
        case 'response.refusal.delta':
          streamed.add(at);
          return stringOf(delta) === '' ? [] : [{ type: 'text', text: stringOf(delta) }];
        case 'response.reasoning_summary_text.delta':
        case 'response.reasoning_text.delta':
          streamed.add(at);
          return stringOf(delta) === '' ? [] : [{ type: 'reasoning', text: stringOf(delta) }];
        case 'response.output_item.added':
          if (callOf(item) !== undefined) open.add(at);
          return [];
        case 'response.output_item.done':
          return done(item, at);
        case 'response.completed':
        case 'response.incomplete':
        case 'response.failed':
          open.clear();
          finish(fieldsOf(response));
          return closing.events();
        case 'error':
          closing.fail(message ?? errorMessage(value));
          return [];
        default: {
          const failure = errorMessage(value);
          if (failure !== undefined) closing.fail(failure);
          if (object !== 'response') return [];
          if (typeof id === 'string') onId?.(id);
          finish(fieldsOf(value));
          return listOf(output).flatMap((one, nth) => done(one, nth));
        }
      }
    },
    end: () => closing.events(),
    get open() {
      return open.size > 0;
    },
    get complete() {
      return closing.complete;
    },
    get error() {
      return closing.error;
    },
    said: () => items.slice(),
  };
}
