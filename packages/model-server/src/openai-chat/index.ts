import { refusal } from '../openai-refusal.js';
import { type ProtocolSpec, sse } from '../protocol.js';
import { problem } from './problem.js';
import { read } from './read.js';
import { frames, whole } from './write.js';

/** POST /v1/chat/completions */
export const openaiChat: ProtocolSpec = {
  name: 'openai-chat',
  idHeader: 'x-request-id',
  read,
  problem,
  frames,
  whole,
  refusal,
  breakdown: (message) => sse(refusal(500, message)),
};
