import type { Json } from 'loopfuse';
import { fieldsOf } from '../foreign.js';
import { sse } from '../sse.js';
import type { AnswerContext, AnswerWriter } from '../wire.js';

type Fields = { readonly [key: string]: Json };

export function writeAnswer(context: AnswerContext): AnswerWriter {
  let started = false;
  let next = 0; // the index of the next block, as the client counts
  let shift = 0; // from the upstream's indexes to the client's
  let outputTokens = 0;
  const open = new Set<number>();

  const event = (type: string, fields: Fields) => sse({ type, ...fields }, type);

  function closeBlocks(): string {
    const closed = [...open].map((index) => event('content_block_stop', { index })).join('');
    open.clear();
    return closed;
  }

  return {
    pass(value) {
      const { type, index, usage } = fieldsOf(value);
      if (type === 'message_start') {
        if (started) return '';
        started = true;
        return undefined;
      }
      const counted = fieldsOf(usage).output_tokens;
      if (typeof counted === 'number') outputTokens = counted;
      if (typeof index !== 'number') return undefined;
      const at = index + shift;
      if (type === 'content_block_start') {
        open.add(at);
        next = at + 1;
      } else if (type === 'content_block_stop') open.delete(at);
      return shift === 0 ? undefined : sse({ ...(value as Fields), index: at }, String(type));
    },
    skipCall() {
      shift--;
    },
    again() {
      shift = next;
      return closeBlocks();
    },
    end(text) {
      const start = started ? '' : event('message_start', { message: messageOf(context, [], null, 1) });
      started = true;
      const index = next++;
      const block =
        closeBlocks() +
        event('content_block_start', { index, content_block: { type: 'text', text: '' } }) +
        event('content_block_delta', { index, delta: { type: 'text_delta', text } }) +
        event('content_block_stop', { index });
      const delta = { stop_reason: 'end_turn', stop_sequence: null };
      const usage = { output_tokens: Math.max(1, outputTokens) };
      return start + block + event('message_delta', { delta, usage }) + event('message_stop', {});
    },
  };
}

export function wholeAnswer(context: AnswerContext, text: string): Json {
  return messageOf(context, [{ type: 'text', text }], 'end_turn', Math.ceil(text.length / 4));
}

function messageOf({ id, model }: AnswerContext, content: readonly Json[], reason: string | null, output: number) {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: reason,
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: output },
  };
}
