import { anthropic } from './anthropic/index.js';
import { gemini } from './gemini/index.js';
import { openaiChat } from './openai-chat/index.js';
import { openaiResponses } from './openai-responses/index.js';
import type { ProtocolSpec } from './protocol.js';
import type { Protocol } from './turn.js';

export const specs: { readonly [Name in Protocol]: ProtocolSpec } = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
};
