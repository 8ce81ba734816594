import { openaiErrors } from '../openai-error.js';
import { sse } from '../sse.js';
import type { Wire } from '../wire.js';
import { readAnswer } from './read-answer.js';
import { readRequest } from './read-request.js';
import { wholeAnswer, writeAnswer } from './write-answer.js';
import { historyLength, withNotes, withRefusal } from './write-request.js';

/** POST /v1/chat/completions */
export const openaiChat: Wire = {
  ...openaiErrors,
  name: 'openai-chat',
  marks: ['"tool_calls"', '"function_call"', '[DONE]'],
  readRequest,
  historyLength,
  withNotes,
  withRefusal,
  readAnswer,
  writeAnswer,
  wholeAnswer,
  brokenOff: (message) => sse(openaiErrors.error(500, message)),
};
