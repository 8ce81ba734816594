import { anthropic } from './anthropic/index.js';
import type { Protocol } from './conversation.js';
import { gemini } from './gemini/index.js';
import { openaiChat } from './openai-chat/index.js';
import { openaiResponses } from './openai-responses/index.js';
import type { Wire } from './wire.js';

export const wires: { readonly [Name in Protocol]: Wire } = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
};
