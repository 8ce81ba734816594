import { chunk } from '@loopfuse/wire/gemini';
import type { Json } from 'loopfuse';
import type { Answer, AnswerCall } from '../answer.js';
import type { Finish } from '../reply.js';
import { sealOf } from '../seal.js';
import { signsCalls } from './signs-calls.js';

type Fields = { readonly [key: string]: Json };

const finishReason: Readonly<Record<Finish, string>> = {
  stop: 'STOP',
  calls: 'STOP',
  length: 'MAX_TOKENS',
  refused: 'SAFETY',
};

/** Text and thoughts in pieces, calls always whole; the last chunk has the finish reason. Lines end in CR LF. */
export function* frames(answer: Answer): Iterable<string> {
  const chunks: Fields[] = answer.parts.flatMap((part, index) =>
    part.type === 'call'
      ? [callPart(answer, part, index)]
      : answer.pieces(part.text).map((text) => (part.type === 'text' ? { text } : { text, thought: true })),
  );
  if (chunks.length === 0) chunks.push({ text: '' });
  for (const [index, part] of chunks.entries()) yield chunk(chunkOf(answer, [part], index === chunks.length - 1));
}

export function whole(answer: Answer): Json {
  const parts = answer.parts.map((part, index) => {
    if (part.type === 'call') return callPart(answer, part, index);
    return part.type === 'text' ? { text: part.text } : { text: part.text, thought: true };
  });
  return chunkOf(answer, parts, true);
}

function chunkOf(answer: Answer, parts: readonly Fields[], last: boolean): Fields {
  const { input, output, cached, reasoning } = answer.usage;
  return {
    candidates: [
      {
        content: { parts, role: 'model' },
        ...(last ? { finishReason: finishReason[answer.finish] } : {}),
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: Math.max(0, output - reasoning),
      totalTokenCount: input + output,
      ...(cached > 0 ? { cachedContentTokenCount: cached } : {}),
      ...(reasoning > 0 ? { thoughtsTokenCount: reasoning } : {}),
    },
    modelVersion: answer.model,
    responseId: answer.id,
  };
}

/** The first call of a turn is signed if the model thought, or if the model always signs. */
function callPart(answer: Answer, part: AnswerCall, index: number): Fields {
  const before = answer.parts.slice(0, index);
  const first = !before.some(({ type }) => type === 'call');
  const thought = before.some(({ type }) => type === 'reasoning');
  const modern = signsCalls(answer.model);
  const id = part.callId ?? (modern ? part.id : undefined);
  return {
    functionCall: { ...(id === undefined ? {} : { id }), name: part.tool, args: part.input },
    ...(first && (thought || modern) ? { thoughtSignature: sealOf(part.tool + JSON.stringify(part.input)) } : {}),
  };
}
