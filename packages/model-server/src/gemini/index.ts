import { fieldsOf, wires } from '@loopfuse/wire';
import { chunk } from '@loopfuse/wire/gemini';
import type { ProtocolSpec } from '../protocol.js';
import { historyProblem, problem } from './problem.js';
import { frames, whole } from './write.js';

/** POST /v1beta/models/MODEL:generateContent and :streamGenerateContent */
export const gemini: ProtocolSpec = {
  name: 'gemini',
  read: wires.gemini.readRequest,
  problem,
  frames,
  whole,
  refusal: wires.gemini.error,
  breakdown: (message) => chunk(wires.gemini.error(500, message)),
  counting: {
    problem: (body) => historyProblem(fieldsOf(fieldsOf(body).generateContentRequest ?? body)),
    answer: (tokens) => ({ totalTokens: tokens }),
  },
};
