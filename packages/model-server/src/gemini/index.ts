import type { Json } from 'loopfuse';
import { fieldsOf } from '../foreign.js';
import type { ProtocolSpec } from '../protocol.js';
import { historyProblem, problem } from './problem.js';
import { read } from './read.js';
import { chunk, frames, whole } from './write.js';

/** POST /v1beta/models/MODEL:generateContent and :streamGenerateContent */
export const gemini: ProtocolSpec = {
  name: 'gemini',
  read,
  problem,
  frames,
  whole,
  refusal,
  breakdown: (message) => chunk(refusal(500, message)),
  counting: {
    problem: (body) => historyProblem(fieldsOf(fieldsOf(body).generateContentRequest ?? body)),
    answer: (tokens) => ({ totalTokens: tokens }),
  },
};

function refusal(status: number, message: string): Json {
  return {
    error: { code: status, message, status: names[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT') },
  };
}

const names: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};
