import type { Json } from 'loopfuse';
import { fieldsOf, listOf } from '../foreign.js';
import type { AnswerContext, AnswerWriter } from '../wire.js';

/** Chunks do not depend on each other, so another answer simply follows. */
export function writeAnswer(context: AnswerContext): AnswerWriter {
  let hasParts = false;
  return {
    pass(value) {
      const { candidates } = fieldsOf(value);
      hasParts ||= listOf(fieldsOf(fieldsOf(listOf(candidates)[0]).content).parts).length > 0;
      return undefined;
    },
    skipCall() {},
    again: () => '',
    end: (text) => chunk(wholeAnswer(context, hasParts ? `\n\n${text}` : text)),
  };
}

/** One server-sent event, framed as this provider does. */
export function chunk(data: Json): string {
  return `data: ${JSON.stringify(data)}\r\n\r\n`;
}

export function wholeAnswer({ id, model }: AnswerContext, text: string): Json {
  return {
    candidates: [{ content: { parts: [{ text }], role: 'model' }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 },
    modelVersion: model,
    responseId: id,
  };
}
