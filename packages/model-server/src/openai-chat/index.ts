import { sse, wires } from '@loopfuse/wire';
import type { ProtocolSpec } from '../protocol.js';
import { problem } from './problem.js';
import { frames, whole } from './write.js';

/** POST /v1/chat/completions */
export const openaiChat: ProtocolSpec = {
  name: 'openai-chat',
  idHeader: 'x-request-id',
  read: wires['openai-chat'].readRequest,
  problem,
  frames,
  whole,
  refusal: wires['openai-chat'].error,
  breakdown: (message) => sse(wires['openai-chat'].error(500, message)),
};
