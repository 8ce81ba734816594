import { fieldsOf, sse } from '@loopfuse/wire';
import type { Json } from 'loopfuse';
import type { Answer, AnswerCall } from '../answer.js';
import type { Finish } from '../reply.js';

const finishReason: Readonly<Record<Finish, string>> = {
  stop: 'stop',
  calls: 'tool_calls',
  length: 'length',
  refused: 'content_filter',
};

/**
 * The first chunk has the role, each delta a piece, and the last choice an empty delta with the finish reason. The
 * usage is in a chunk without choices, only if the request asked for it.
 */
export function* frames(answer: Answer, body: unknown): Iterable<string> {
  const counted = fieldsOf(fieldsOf(body).stream_options).include_usage === true;
  const chunk = (choices: readonly Json[], usage: Json = null) =>
    sse({ ...heading(answer, 'chat.completion.chunk'), choices, ...(counted ? { usage } : {}) });
  const delta = (fields: Json, finish: string | null = null) =>
    chunk([{ index: 0, delta: fields, logprobs: null, finish_reason: finish }]);
  const hasText = answer.parts.some(({ type }) => type !== 'call');
  yield delta({ role: 'assistant', content: hasText ? '' : null, refusal: null });
  let index = 0;
  for (const part of answer.parts) {
    if (part.type === 'text') for (const content of answer.pieces(part.text)) yield delta({ content });
    else if (part.type === 'reasoning')
      for (const reasoning_content of answer.pieces(part.text)) yield delta({ reasoning_content });
    else {
      const [open, more] =
        part.takes === 'text'
          ? [{ type: 'custom', custom: { name: part.tool, input: '' } }, (input: string) => ({ custom: { input } })]
          : [
              { type: 'function', function: { name: part.tool, arguments: '' } },
              (piece: string) => ({ function: { arguments: piece } }),
            ];
      yield delta({ tool_calls: [{ index, id: callId(part), ...open }] });
      for (const piece of answer.pieces(part.source)) yield delta({ tool_calls: [{ index, ...more(piece) }] });
      index++;
    }
  }
  yield delta({}, finishReason[answer.finish]);
  if (counted) yield chunk([], usageOf(answer));
  yield 'data: [DONE]\n\n';
}

export function whole(answer: Answer): Json {
  const join = (type: 'text' | 'reasoning') =>
    answer.parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
  const calls = answer.parts.flatMap((part) => (part.type === 'call' ? [writeCall(part)] : []));
  const reasoning = join('reasoning');
  return {
    ...heading(answer, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.parts.some(({ type }) => type === 'text') ? join('text') : null,
          ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
          refusal: null,
          annotations: [],
        },
        logprobs: null,
        finish_reason: finishReason[answer.finish],
      },
    ],
    usage: usageOf(answer),
  };
}

function heading({ id, created, model }: Answer, object: string) {
  return { id: `chatcmpl-${id}`, object, created, model, service_tier: 'default', system_fingerprint: 'fp_scripted' };
}

function writeCall(part: AnswerCall): Json {
  return part.takes === 'text'
    ? { id: callId(part), type: 'custom', custom: { name: part.tool, input: part.source } }
    : { id: callId(part), type: 'function', function: { name: part.tool, arguments: part.source } };
}

function callId({ id, callId }: AnswerCall): string {
  return callId ?? `call_${id}`;
}

function usageOf({ usage }: Answer): Json {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
