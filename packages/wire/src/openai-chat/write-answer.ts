import type { Json } from 'loopfuse';
import { fieldsOf, isObject, listOf } from '../foreign.js';
import { sse } from '../sse.js';
import type { AnswerContext, AnswerWriter } from '../wire.js';

type Fields = { readonly [key: string]: Json };

export function writeAnswer(context: AnswerContext): AnswerWriter {
  let heading: Fields | undefined; // of the first chunk, for all that follow
  let continued = false;
  let calls = 0; // how many were sent to the client
  let shift = 0; // from the upstream's places of calls to the client's
  let hasText = false;

  const chunk = (choices: readonly Json[], more: Fields = {}) =>
    sse({ ...(heading ?? headingOf(context, 'chat.completion.chunk')), choices, ...more });
  const delta = (fields: Fields, finish: string | null = null) =>
    chunk([{ index: 0, delta: fields, finish_reason: finish }]);

  function shifted(choice: Fields): Fields {
    const fields = fieldsOf(choice.delta) as Fields;
    const { role: _, ...rest } = fields;
    const tool_calls = listOf(fields.tool_calls).map((call, nth) => {
      const piece = fieldsOf(call) as Fields;
      return { ...piece, index: (typeof piece.index === 'number' ? piece.index : nth) + shift };
    });
    return { ...choice, delta: { ...(continued ? rest : fields), ...(tool_calls.length === 0 ? {} : { tool_calls }) } };
  }

  return {
    pass(value) {
      if (!isObject(value) || !Array.isArray(value.choices)) return undefined;
      heading ??= headingFrom(value as Fields);
      const changed = continued || shift !== 0;
      const all = value.choices.map((choice) => fieldsOf(choice) as Fields);
      const sent = changed ? all.map(shifted) : all;
      for (const { delta: fields } of sent) {
        const { content, tool_calls } = fieldsOf(fields);
        if (typeof content === 'string' && content !== '') hasText = true;
        if (tool_calls === undefined) continue;
        for (const [nth, call] of listOf(tool_calls).entries())
          calls = Math.max(calls, Number(fieldsOf(call).index ?? nth) + 1);
      }
      return changed ? sse({ ...(value as Fields), ...heading, choices: sent }) : undefined;
    },
    skipCall() {
      shift--;
    },
    again() {
      continued = true;
      shift = calls;
      return '';
    },
    end(text) {
      const counted = fieldsOf(fieldsOf(context.body).stream_options).include_usage === true;
      const start = heading === undefined ? delta({ role: 'assistant', content: '' }) : '';
      return [
        start,
        delta({ content: hasText ? `\n\n${text}` : text }),
        delta({}, 'stop'),
        counted ? chunk([], { usage: noUsage }) : '',
        'data: [DONE]\n\n',
      ].join('');
    },
  };
}

const noUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

export function wholeAnswer(context: AnswerContext, text: string): Json {
  return {
    ...headingOf(context, 'chat.completion'),
    choices: [{ index: 0, message: { role: 'assistant', content: text, refusal: null }, finish_reason: 'stop' }],
    usage: noUsage,
  };
}

function headingOf({ id, created, model }: AnswerContext, object: string): Fields {
  return { id: `chatcmpl-${id}`, object, created, model };
}

function headingFrom(chunk: Fields): Fields {
  const { choices: _, usage: __, error: ___, ...about } = chunk;
  return about;
}
