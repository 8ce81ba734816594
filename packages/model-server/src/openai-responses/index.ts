import { fieldsOf } from '../foreign.js';
import { refusal } from '../openai-refusal.js';
import { type ProtocolSpec, sse } from '../protocol.js';
import { itemsOf } from './items.js';
import { problem } from './problem.js';
import { read } from './read.js';
import { frames, itemsOfAnswer, responseId, whole } from './write.js';

/** POST /v1/responses */
export const openaiResponses: ProtocolSpec = {
  name: 'openai-responses',
  idHeader: 'x-request-id',
  read,
  problem,
  frames,
  whole,
  refusal,
  breakdown: (message) => sse({ type: 'error', code: 'server_error', message, param: null }, 'error'),
  remember(answer, body, place, keep) {
    if (fieldsOf(body).store === false) return;
    const output = itemsOfAnswer(answer, body);
    for (const item of output) keep(String(item.id), [item]);
    keep(responseId(answer), [...itemsOf(body, place).items, ...output]);
  },
};
