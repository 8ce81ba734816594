import { fieldsOf, sse, wires } from '@loopfuse/wire';
import type { ProtocolSpec } from '../protocol.js';
import { historyProblem, problem } from './problem.js';
import { frames, whole } from './write.js';

/** POST /v1/messages */
export const anthropic: ProtocolSpec = {
  name: 'anthropic',
  idHeader: 'request-id',
  read: wires.anthropic.readRequest,
  problem,
  frames,
  whole,
  refusal: wires.anthropic.error,
  breakdown: (message) => sse(wires.anthropic.error(529, message), 'error'),
  counting: {
    problem: (body) => historyProblem(fieldsOf(body)),
    answer: (tokens) => ({ input_tokens: tokens }),
  },
};
