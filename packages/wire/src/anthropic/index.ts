import { sse } from '../sse.js';
import type { Wire } from '../wire.js';
import { error } from './error.js';
import { readAnswer } from './read-answer.js';
import { readRequest } from './read-request.js';
import { wholeAnswer, writeAnswer } from './write-answer.js';
import { historyLength, withNotes, withRefusal } from './write-request.js';

/** POST /v1/messages */
export const anthropic: Wire = {
  name: 'anthropic',
  marks: ['"tool_use"', '"server_tool_use"', '"mcp_tool_use"', '"message_stop"'],
  readRequest,
  historyLength,
  withNotes,
  withRefusal,
  readAnswer,
  writeAnswer,
  wholeAnswer,
  error,
  brokenOff: (message) => sse(error(500, message), 'error'),
  // After a 400, Claude Code removes features and tries again; a 429 with this header is final for the SDK.
  stopped: () => ({ status: 429, headers: { 'x-should-retry': 'false' } }),
};
