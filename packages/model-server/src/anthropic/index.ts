import type { Json } from 'loopfuse';
import { fieldsOf } from '../foreign.js';
import { type ProtocolSpec, sse } from '../protocol.js';
import { historyProblem, problem } from './problem.js';
import { read } from './read.js';
import { frames, whole } from './write.js';

/** POST /v1/messages */
export const anthropic: ProtocolSpec = {
  name: 'anthropic',
  idHeader: 'request-id',
  read,
  problem,
  frames,
  whole,
  refusal,
  breakdown: (message) => sse(refusal(529, message), 'error'),
  counting: {
    problem: (body) => historyProblem(fieldsOf(body)),
    answer: (tokens) => ({ input_tokens: tokens }),
  },
};

function refusal(status: number, message: string): Json {
  return {
    type: 'error',
    error: { type: kinds[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error'), message },
  };
}

const kinds: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};
