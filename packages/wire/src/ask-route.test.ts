import { expect, test } from 'vitest';
import { askRoute } from './ask-route.js';

const vertex = '/v1/projects/p/locations/l';

test.each([
  ['/v1/chat/completions', { protocol: 'openai-chat' }],
  ['/openai/deployments/d/chat/completions/', { protocol: 'openai-chat' }],
  ['/anthropic/v1/messages', { protocol: 'anthropic' }],
  ['/v1/threads/thread_1/messages', undefined],
  ['/v1/messages/batches', undefined],
  [`${vertex}/publishers/anthropic/models/claude-x@2:streamRawPredict`, { protocol: 'anthropic', model: 'claude-x@2' }],
  [`${vertex}/publishers/anthropic/models/claude-x:rawPredict`, { protocol: 'anthropic', model: 'claude-x' }],
  [`${vertex}/publishers/mistralai/models/m:rawPredict`, undefined],
  [`${vertex}/publishers/google/models/g:generateContent`, { protocol: 'gemini', model: 'g', framing: 'whole' }],
  [`${vertex}/endpoints/77:generateContent`, { protocol: 'gemini', model: '77', framing: 'whole' }],
  ['/v1beta/tunedModels/mine:generateContent', { protocol: 'gemini', model: 'mine', framing: 'whole' }],
  ['/v1internal:generateContent', undefined],
])('a POST to %s asks %j', (path, route) => {
  expect(askRoute(path)).toEqual(route);
});
