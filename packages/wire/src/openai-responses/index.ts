import { openaiErrors } from '../openai-error.js';
import { sse } from '../sse.js';
import type { Wire } from '../wire.js';
import { callTypes, providerTypes } from './call-of.js';
import { readAnswer } from './read-answer.js';
import { readRequest } from './read-request.js';
import { wholeAnswer, writeAnswer } from './write-answer.js';
import { historyLength, withNotes, withRefusal } from './write-request.js';

export { itemsOf } from './items.js';

/** POST /v1/responses */
export const openaiResponses: Wire = {
  ...openaiErrors,
  name: 'openai-responses',
  marks: [
    ...[...callTypes, ...providerTypes].map((type) => `"${type}"`),
    '"response.completed"',
    '"response.incomplete"',
    '"response.failed"',
  ],
  readRequest,
  historyLength,
  withNotes,
  withRefusal,
  readAnswer,
  writeAnswer,
  wholeAnswer,
  brokenOff: (message) => sse({ type: 'error', code: 'server_error', message, param: null }, 'error'),
};
