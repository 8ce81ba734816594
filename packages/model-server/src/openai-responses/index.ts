import { fieldsOf, sse, wires } from '@loopfuse/wire';
import { itemsOf } from '@loopfuse/wire/openai-responses';
import type { ProtocolSpec } from '../protocol.js';
import { problem } from './problem.js';
import { frames, itemsOfAnswer, responseId, whole } from './write.js';

/** POST /v1/responses */
export const openaiResponses: ProtocolSpec = {
  name: 'openai-responses',
  idHeader: 'x-request-id',
  read: wires['openai-responses'].readRequest,
  problem,
  frames,
  whole,
  refusal: wires['openai-responses'].error,
  breakdown: (message) => sse({ type: 'error', code: 'server_error', message, param: null }, 'error'),
  remember(answer, body, place, keep) {
    if (fieldsOf(body).store === false) return;
    const output = itemsOfAnswer(answer, body);
    for (const item of output) keep(String(item.id), [item]);
    keep(responseId(answer), [...itemsOf(body, place).items, ...output]);
  },
};
