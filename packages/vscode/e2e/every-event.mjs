const usage = { inputTokens: 12_345, outputTokens: 678, cachedTokens: 0, reasoningTokens: 0 };
const call = { type: 'tool-call', id: 'call-1', tool: 'read_file', input: { path: 'README.md' } };
const waste = { calls: 3, characters: 0, tokens: 4_000 };
const finding = {
  detector: 'stale-rounds',
  kind: 'repeated-calls',
  status: 'looping',
  seq: 9,
  onset: 3,
  episode: '1',
  again: 0,
  confidence: 0.9,
  evidence: { times: 3 },
  tools: ['read_file'],
  calls: [],
  waste,
};
const report = {
  kind: 'repeated-calls',
  title: 'Repeated calls',
  explanation: 'The same was read thrice.',
  findings: [finding],
  evidence: finding.evidence,
  waste,
  decision: { type: 'stop', reason: 'enough', findings: [finding] },
};
const request = { type: 'tool-call-request', call, title: 'README.md' };

/** One event of every kind, the events that must precede it, and texts that show that it arrived. */
export const everyEvent = {
  content: { events: [{ type: 'content', text: 'A word of the model.' }], shows: ['A word of the model.'] },
  reasoning: { events: [{ type: 'reasoning', text: 'A thought of the model.' }], shows: ['A thought of the model.'] },
  'tool-call-request': { events: [request], shows: ['read_file', 'README.md'] },
  'tool-call-output': {
    events: [request, { type: 'tool-call-output', id: 'call-1', text: 'as it is written' }],
    shows: ['as it is written'],
  },
  'tool-call-result': {
    events: [
      request,
      { type: 'tool-call-result', id: 'call-1', tool: 'read_file', status: 'failed', output: 'ENOENT: not there' },
    ],
    shows: ['ENOENT: not there'],
  },
  'token-usage': { events: [{ type: 'token-usage', usage, total: usage }], shows: [/12[.,]3/] },
  'history-compressed': {
    events: [{ type: 'history-compressed', tokensBefore: 90_000, tokensAfter: 9_000 }],
    shows: [/compressed: 90.*9/],
  },
  'judge-failed': {
    events: [
      {
        type: 'judge-failed',
        message: 'no opinion: the server refused it',
        spending: { calls: 4, failures: 1, inputTokens: 700, outputTokens: 70 },
      },
    ],
    shows: [/The judge was asked and gave no opinion/],
  },
  'judge-consulted': {
    events: [
      {
        type: 'judge-consulted',
        opinion: { type: 'opinion', by: 'a-judge', confidence: 0.2, analysis: 'It moves on.' },
        spending: { calls: 7, inputTokens: 700, outputTokens: 70 },
      },
    ],
    shows: [/judge/i],
  },
  'loop-suspected': {
    events: [{ type: 'loop-suspected', finding, explanation: 'It may go round.' }],
    shows: ['It may go round.'],
  },
  'loop-steered': {
    events: [{ type: 'loop-steered', message: 'Stop that.', ...report }],
    shows: [/told/i, 'The same was read thrice.'],
  },
  'loop-rewound': {
    events: [
      {
        type: 'loop-rewound',
        ...{ id: 'rewind-9', note: 'It repeats.', rounds: 3, tokens: 1200, tried: [] },
        ...report,
      },
    ],
    shows: [/3 rounds removed from the context/],
  },
  'loop-escalated': {
    events: [{ type: 'loop-escalated', to: { provider: 'p', model: 'stronger-model' }, ...report }],
    shows: [/stronger-model takes the next turn/],
  },
  'loop-shadowed': {
    events: [{ type: 'loop-shadowed', ...report }],
    shows: [/nothing was done; the request would have been stopped/],
  },
  'loop-detected': {
    events: [
      {
        type: 'loop-detected',
        ...report,
        choices: ['stop', 'continue', 'hint', 'exempt', 'disable'],
        resumes: true,
        dropped: [],
      },
    ],
    shows: ['Repeated calls', 'The same was read thrice.'],
  },
  warning: {
    events: [{ type: 'warning', message: 'Something beside it went wrong.' }],
    shows: ['Something beside it'],
  },
  error: { events: [{ type: 'error', message: 'The model is on holiday.' }], shows: ['The model is on holiday.'] },
  'max-turns': { events: [{ type: 'max-turns', turns: 77 }], shows: [/77 turns/] },
  'user-cancelled': { events: [{ type: 'user-cancelled' }], shows: [/Stopped|Cancelled/] },
  finished: { events: [{ type: 'finished', reason: 'length' }], shows: [/answer was cut off/i] },
};
