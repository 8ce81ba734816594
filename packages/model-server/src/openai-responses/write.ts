import { fieldsOf, listOf, sse } from '@loopfuse/wire';
import type { Json } from 'loopfuse';
import type { Answer, AnswerPart } from '../answer.js';
import { sealOf } from '../seal.js';

type Fields = { readonly [key: string]: Json };

/**
 * Every event has a number. An item is added empty, filled by deltas, closed with its whole text, and repeated in the
 * response that ends the stream.
 */
export function* frames(answer: Answer, body: unknown): Iterable<string> {
  let number = 0;
  const event = (type: string, fields: Fields) => sse({ type, sequence_number: number++, ...fields }, type);
  const open = responseOf(answer, body, { status: 'in_progress', output: [], usage: null });
  yield event('response.created', { response: open });
  yield event('response.in_progress', { response: open });
  for (const [output_index, part] of answer.parts.entries()) {
    const at = { item_id: itemId(part), output_index };
    const item = itemOf(part, body);
    yield event('response.output_item.added', { output_index, item: { ...item, ...unfilled(part) } });
    if (part.type === 'reasoning') {
      const place = { ...at, summary_index: 0 };
      const whole = { type: 'summary_text', text: part.text };
      yield event('response.reasoning_summary_part.added', { ...place, part: { ...whole, text: '' } });
      for (const delta of answer.pieces(part.text))
        yield event('response.reasoning_summary_text.delta', { ...place, delta });
      yield event('response.reasoning_summary_text.done', { ...place, text: part.text });
      yield event('response.reasoning_summary_part.done', { ...place, part: whole });
    } else if (part.type === 'text') {
      const place = { ...at, content_index: 0 };
      const whole = textContent(part.text);
      yield event('response.content_part.added', { ...place, part: { ...whole, text: '' } });
      for (const delta of answer.pieces(part.text))
        yield event('response.output_text.delta', { ...place, delta, logprobs: [] });
      yield event('response.output_text.done', { ...place, text: part.text, logprobs: [] });
      yield event('response.content_part.done', { ...place, part: whole });
    } else {
      const [name, key] =
        part.takes === 'text' ? ['custom_tool_call_input', 'input'] : ['function_call_arguments', 'arguments'];
      for (const delta of answer.pieces(part.source)) yield event(`response.${name}.delta`, { ...at, delta });
      yield event(`response.${name}.done`, { ...at, [key]: part.source });
    }
    yield event('response.output_item.done', { output_index, item });
  }
  const done = whole(answer, body);
  yield event(`response.${String(done.status)}`, { response: done });
}

export function whole(answer: Answer, body: unknown): Fields {
  const complete = answer.finish === 'stop' || answer.finish === 'calls';
  return responseOf(answer, body, {
    status: complete ? 'completed' : 'incomplete',
    incomplete_details: complete
      ? null
      : { reason: answer.finish === 'length' ? 'max_output_tokens' : 'content_filter' },
    output: itemsOfAnswer(answer, body),
    usage: {
      input_tokens: answer.usage.input,
      input_tokens_details: { cached_tokens: answer.usage.cached },
      output_tokens: answer.usage.output,
      output_tokens_details: { reasoning_tokens: answer.usage.reasoning },
      total_tokens: answer.usage.input + answer.usage.output,
    },
  });
}

export function itemsOfAnswer(answer: Answer, body: unknown): readonly Fields[] {
  return answer.parts.map((part) => itemOf(part, body));
}

export function responseId({ id }: Answer): string {
  return `resp_${id}`;
}

function responseOf(answer: Answer, body: unknown, fields: Fields): Fields {
  const asked = fieldsOf(body) as Fields;
  return {
    id: responseId(answer),
    object: 'response',
    created_at: answer.created,
    background: false,
    error: null,
    incomplete_details: null,
    instructions: asked.instructions ?? null,
    max_output_tokens: asked.max_output_tokens ?? null,
    metadata: asked.metadata ?? {},
    model: answer.model,
    parallel_tool_calls: asked.parallel_tool_calls ?? true,
    previous_response_id: asked.previous_response_id ?? null,
    prompt_cache_key: asked.prompt_cache_key ?? null,
    reasoning: asked.reasoning ?? { effort: null, summary: null },
    service_tier: 'default',
    store: asked.store ?? true,
    temperature: asked.temperature ?? 1,
    text: asked.text ?? { format: { type: 'text' } },
    tool_choice: asked.tool_choice ?? 'auto',
    tools: asked.tools ?? [],
    top_p: asked.top_p ?? 1,
    truncation: asked.truncation ?? 'disabled',
    user: null,
    ...fields,
  };
}

function itemOf(part: AnswerPart, body: unknown): Fields {
  const id = itemId(part);
  if (part.type === 'text')
    return { id, type: 'message', status: 'completed', role: 'assistant', content: [textContent(part.text)] };
  if (part.type === 'reasoning') {
    const sealed = listOf(fieldsOf(body).include).includes('reasoning.encrypted_content');
    const summary = [{ type: 'summary_text', text: part.text }];
    return { id, type: 'reasoning', summary, ...(sealed ? { encrypted_content: sealOf(part.text) } : {}) };
  }
  const call_id = part.callId ?? `call_${part.id}`;
  const named = part.namespace === undefined ? { name: part.tool } : { name: part.tool, namespace: part.namespace };
  return part.takes === 'text'
    ? { id, type: 'custom_tool_call', status: 'completed', call_id, ...named, input: part.source }
    : { id, type: 'function_call', status: 'completed', call_id, ...named, arguments: part.source };
}

/** The fields of an item that are still empty when it is added. */
function unfilled(part: AnswerPart): Fields {
  if (part.type === 'reasoning') return { summary: [] };
  if (part.type === 'text') return { status: 'in_progress', content: [] };
  return { status: 'in_progress', [part.takes === 'text' ? 'input' : 'arguments']: '' };
}

function itemId(part: AnswerPart): string {
  const prefix = { text: 'msg', reasoning: 'rs', call: part.type === 'call' && part.takes === 'text' ? 'ctc' : 'fc' };
  return `${prefix[part.type]}_${part.id}`;
}

function textContent(text: string): Fields {
  return { type: 'output_text', annotations: [], logprobs: [], text };
}
