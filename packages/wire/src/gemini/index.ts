import type { Wire } from '../wire.js';
import { error } from './error.js';
import { readAnswer } from './read-answer.js';
import { readRequest } from './read-request.js';
import { chunk, wholeAnswer, writeAnswer } from './write-answer.js';
import { historyLength, withNotes, withRefusal } from './write-request.js';

export { chunk } from './write-answer.js';

/** POST /v1beta/models/MODEL:generateContent and :streamGenerateContent */
export const gemini: Wire = {
  name: 'gemini',
  marks: ['"functionCall"', '"finishReason"'],
  readRequest,
  historyLength,
  withNotes,
  withRefusal,
  readAnswer,
  writeAnswer,
  wholeAnswer,
  error,
  brokenOff: (message) => chunk(error(500, message)),
  stopped: () => ({ status: 400, headers: {} }),
};
