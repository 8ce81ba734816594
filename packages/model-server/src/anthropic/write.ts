import { sse } from '@loopfuse/wire';
import type { Json } from 'loopfuse';
import type { Answer, AnswerPart } from '../answer.js';
import type { Finish } from '../reply.js';
import { sealOf } from '../seal.js';

type Fields = { readonly [key: string]: Json };

const stopReason: Readonly<Record<Finish, string>> = {
  stop: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  refused: 'refusal',
};

/** Blocks one after another, each opened empty, filled and closed; a ping follows the opening of the first. */
export function* frames(answer: Answer): Iterable<string> {
  const event = (type: string, fields: Fields) => sse({ type, ...fields }, type);
  yield event('message_start', { message: messageOf(answer, [], null, { ...usageOf(answer), output_tokens: 1 }) });
  for (const [index, part] of answer.parts.entries()) {
    yield event('content_block_start', { index, content_block: opened(part) });
    if (index === 0) yield ping;
    const delta = (fields: Fields) => event('content_block_delta', { index, delta: fields });
    if (part.type === 'text') for (const text of answer.pieces(part.text)) yield delta({ type: 'text_delta', text });
    else if (part.type === 'reasoning') {
      for (const thinking of answer.pieces(part.text)) yield delta({ type: 'thinking_delta', thinking });
      yield delta({ type: 'signature_delta', signature: sealOf(part.text) });
    } else
      for (const partial_json of ['', ...answer.pieces(part.source)])
        yield delta({ type: 'input_json_delta', partial_json });
    yield event('content_block_stop', { index });
  }
  if (answer.parts.length === 0) yield ping;
  yield event('message_delta', {
    delta: { stop_reason: stopReason[answer.finish], stop_sequence: null },
    usage: usageOf(answer),
  });
  yield event('message_stop', {});
}

export const ping = sse({ type: 'ping' }, 'ping');

export function whole(answer: Answer): Json {
  return messageOf(answer, answer.parts.map(block), stopReason[answer.finish], usageOf(answer));
}

function messageOf(answer: Answer, content: readonly Json[], reason: string | null, usage: Json): Fields {
  return {
    id: `msg_${answer.id}`,
    type: 'message',
    role: 'assistant',
    model: answer.model,
    content,
    stop_reason: reason,
    stop_sequence: null,
    usage,
  };
}

function block(part: AnswerPart): Fields {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'reasoning') return { type: 'thinking', thinking: part.text, signature: sealOf(part.text) };
  return { type: 'tool_use', id: part.callId ?? `toolu_${part.id}`, name: part.tool, input: part.input };
}

function opened(part: AnswerPart): Fields {
  if (part.type === 'text') return { type: 'text', text: '' };
  return part.type === 'reasoning' ? { type: 'thinking', thinking: '', signature: '' } : { ...block(part), input: {} };
}

function usageOf({ usage }: Answer): Fields {
  return {
    input_tokens: Math.max(0, usage.input - usage.cached - usage.written),
    cache_creation_input_tokens: usage.written,
    cache_read_input_tokens: usage.cached,
    output_tokens: usage.output,
    service_tier: 'standard',
  };
}
