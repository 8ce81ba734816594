import type { Json } from 'loopfuse';
import { fieldsOf, isObject, listOf, stringOf } from '../foreign.js';
import { sse } from '../sse.js';
import type { AnswerContext, AnswerWriter } from '../wire.js';

type Fields = { readonly [key: string]: Json };

interface OpenItem {
  readonly item: Fields;
  text: string;
  /** Whether the part of the text was added. */
  part: boolean;
}

export function writeAnswer(context: AnswerContext): AnswerWriter {
  let response: Fields | undefined;
  let number = 0; // of the next event
  let changed = false;
  let shift = 0; // from the upstream's places of items to the client's
  const output: Fields[] = []; // items that were sent to the client completely, by place
  const open = new Map<number, OpenItem>();

  const event = (type: string, fields: Fields) => sse({ type, sequence_number: number++, ...fields }, type);

  /** Closes messages with the text so far. Any other item stays open, and is left out of the list at the end. */
  function closeItems(): string {
    let closed = '';
    for (const [output_index, { item, text, part }] of open) {
      if (item.type !== 'message') continue;
      const whole = textPart(text);
      const place = { item_id: stringOf(item.id), output_index, content_index: 0 };
      if (part)
        closed +=
          event('response.output_text.done', { ...place, text, logprobs: [] }) +
          event('response.content_part.done', { ...place, part: whole });
      const done = { ...item, status: 'completed', content: part ? [whole] : [] };
      closed += event('response.output_item.done', { output_index, item: done });
      output[output_index] = done;
    }
    open.clear();
    return closed;
  }

  function follow(type: string, at: number, value: Fields): void {
    if (type === 'response.output_item.added')
      open.set(at, { item: fieldsOf(value.item) as Fields, text: '', part: false });
    else if (type === 'response.output_item.done') {
      open.delete(at);
      output[at] = fieldsOf(value.item) as Fields;
    } else if (type === 'response.content_part.added') {
      const item = open.get(at);
      if (item) item.part = true;
    } else if (type === 'response.output_text.delta') {
      const item = open.get(at);
      if (item) item.text += stringOf(value.delta);
    }
  }

  return {
    pass(value) {
      if (!isObject(value) || typeof value.type !== 'string') return undefined;
      const { type } = value;
      const fields = value as Fields;
      if (isObject(value.response) && !ends(type)) {
        if (response !== undefined && changed) return '';
        response ??= value.response as Fields;
      }
      const at = typeof value.output_index === 'number' ? value.output_index + shift : undefined;
      if (at !== undefined) follow(type, at, fields);
      if (!changed) {
        number = Number(value.sequence_number ?? number) + 1;
        return undefined;
      }
      const { type: _, sequence_number: __, ...rest } = fields;
      const moved: Fields = at === undefined ? rest : { ...rest, output_index: at };
      if (!ends(type)) return event(type, moved);
      const closing = fieldsOf(value.response) as Fields;
      return event(type, { ...moved, response: { ...closing, ...idOf(response), output: sent(output) } });
    },
    skipCall() {
      changed = true;
      shift--;
    },
    again() {
      const closed = closeItems();
      changed = true;
      shift = output.length;
      return closed;
    },
    end(text) {
      changed = true;
      const base = response ?? responseOf(context);
      const start =
        response === undefined ? event('response.created', { response: { ...base, status: 'in_progress' } }) : '';
      const closed = closeItems();
      const output_index = output.length;
      const item = messageOf(context, text);
      const place = { item_id: item.id, output_index, content_index: 0 };
      output.push(item);
      context.onEnded?.(stringOf(base.id), sent(output));
      return [
        start,
        closed,
        event('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', content: [] } }),
        event('response.content_part.added', { ...place, part: textPart('') }),
        event('response.output_text.delta', { ...place, delta: text, logprobs: [] }),
        event('response.output_text.done', { ...place, text, logprobs: [] }),
        event('response.content_part.done', { ...place, part: textPart(text) }),
        event('response.output_item.done', { output_index, item }),
        event('response.completed', {
          response: { ...base, status: 'completed', output: sent(output), usage: noUsage },
        }),
      ].join('');
    },
  };
}

export function wholeAnswer(context: AnswerContext, text: string): Json {
  const response = responseOf(context);
  const output = [messageOf(context, text)];
  context.onEnded?.(stringOf(response.id), output);
  return { ...response, status: 'completed', output, usage: noUsage };
}

const noUsage = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
};

function ends(type: string): boolean {
  return type === 'response.completed' || type === 'response.incomplete' || type === 'response.failed';
}

/** The items without the holes, which are the places of items that were never complete. */
function sent(output: readonly (Fields | undefined)[]): readonly Fields[] {
  return Array.from(output).filter((item): item is Fields => item !== undefined);
}

function idOf(response: Fields | undefined): Fields {
  return response?.id === undefined ? {} : { id: response.id };
}

function textPart(text: string): Fields {
  return { type: 'output_text', annotations: [], logprobs: [], text };
}

function messageOf({ id }: AnswerContext, text: string) {
  return { id: `msg_${id}`, type: 'message', status: 'completed', role: 'assistant', content: [textPart(text)] };
}

function responseOf({ id, created, model, body }: AnswerContext): Fields {
  const asked = fieldsOf(body) as Fields;
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: created,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    instructions: asked.instructions ?? null,
    model,
    output: [],
    parallel_tool_calls: asked.parallel_tool_calls ?? true,
    tool_choice: asked.tool_choice ?? 'auto',
    tools: listOf(asked.tools) as Json,
    usage: null,
  };
}
