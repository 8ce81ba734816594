import type { ClientEvent } from '@loopfuse/agent';
import { callLoop } from './loop-report.js';

const noUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
export const sampleCall = { id: 'c1', tool: 'read_file', input: { path: 'README.md' } };

/** One event of every kind. */
export const samples: { readonly [Type in ClientEvent['type']]: Extract<ClientEvent, { type: Type }> } = {
  content: { type: 'content', text: 'hello' },
  reasoning: { type: 'reasoning', text: 'hm' },
  'tool-call-request': { type: 'tool-call-request', call: sampleCall, title: 'README.md' },
  'tool-call-output': { type: 'tool-call-output', id: 'c1', text: 'out' },
  'tool-call-result': { type: 'tool-call-result', id: 'c1', tool: 'read_file', status: 'ok', output: 'done' },
  'token-usage': { type: 'token-usage', usage: noUsage, total: { ...noUsage, inputTokens: 7 } },
  'history-compressed': { type: 'history-compressed', tokensBefore: 9000, tokensAfter: 1000 },
  'judge-consulted': {
    type: 'judge-consulted',
    opinion: { type: 'opinion', by: 'j', confidence: 0.2, analysis: 'fine' },
    spending: { calls: 1, inputTokens: 10, outputTokens: 2 },
  },
  'judge-failed': {
    type: 'judge-failed',
    message: 'no opinion: 400',
    spending: { calls: 4, failures: 1, inputTokens: 10, outputTokens: 2 },
  },
  'loop-suspected': { type: 'loop-suspected', finding: callLoop().findings[0]!, explanation: 'perhaps' },
  'loop-steered': { type: 'loop-steered', message: 'stop that', ...callLoop() },
  'loop-rewound': {
    type: 'loop-rewound',
    ...{ id: 'rewind-9', note: 'It repeats.', rounds: 3, tokens: 1200, tried: [] },
    ...callLoop(),
  },
  'loop-escalated': { type: 'loop-escalated', to: { provider: 'p', model: 'stronger' }, ...callLoop() },
  'loop-shadowed': { type: 'loop-shadowed', ...callLoop() },
  'loop-detected': { type: 'loop-detected', ...callLoop() },
  warning: { type: 'warning', message: 'careful' },
  error: { type: 'error', message: 'broken', status: 500 },
  'max-turns': { type: 'max-turns', turns: 3 },
  'user-cancelled': { type: 'user-cancelled' },
  finished: { type: 'finished', reason: 'length' },
};
