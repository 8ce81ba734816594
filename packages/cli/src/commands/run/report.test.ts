import { expect, test } from 'vitest';
import { closingLine, createRunRecord, type RunReport } from './report.js';

const loop = {
  session: 's',
  kind: 'repeated-calls',
  detector: 'stale-rounds',
  explanation: 'The call ls was made 3 times.',
  waste: { calls: 4, characters: 0, tokens: 1200 },
  cost: 0.012,
} as const;

const report: RunReport = {
  ...{ version: 1, program: 'p', ended: 'loop', exitCode: 86, requests: 5, requestsAfterLoop: 1 },
  loops: [loop],
  actions: [{ session: 's', action: 'steer', message: '' }],
  sessions: [],
  faults: [],
};

test('the closing line says how often in one way: calls that were refused are in the waste, and not in the explanation', () => {
  expect(closingLine(report)).toBe(
    'loopfuse: 1 loop in 5 requests: told the model once, ended the run. Spent on it: 1,200 tokens, about $0.0120. The call ls was made 3 times.',
  );
  const untold = { ...loop, waste: { calls: 4, characters: 80, tokens: 0 } };
  expect(closingLine({ ...report, loops: [untold] })).not.toContain('Spent on it');
});

test('a program that sent no request through the gateway was not watched, and the report says so', () => {
  const unused = { ...report, ended: 'agent', requests: 0, loops: [], actions: [] } as const;
  expect(closingLine(unused)).toContain('no request came through the gateway, so nothing was watched');
  expect(closingLine({ ...unused, requests: 1 })).toBe('loopfuse: no loops in 1 request.');
  expect(closingLine({ ...unused, faults: ['http://a could not be reached (ECONNREFUSED)'] })).toBe(
    'loopfuse: no model has answered through the gateway, so nothing was watched. 1 fault, the last: http://a could not be reached (ECONNREFUSED).',
  );
});

test('what a loop cost is by what each model of the session was used for, the filling of caches included', () => {
  const { take, report: reportOf } = createRunRecord();
  const session = { key: 'k', name: 's', agent: 'a', model: 'claude-haiku-4-5' };
  const finding = { ...loop, status: 'looping', episode: 'e', waste: { calls: 4, characters: 0, tokens: 1_000_000 } };
  take({ type: 'finding', session, finding, explanation: '' } as never);
  const facts = {
    ...{ name: 's', agent: 'a', model: 'claude-haiku-4-5', inputTokens: 2_000_000, outputTokens: 0 },
    ...{ cachedTokens: 0, cacheWriteTokens: 1_000_000 },
    models: [
      {
        model: 'claude-sonnet-4-5',
        inputTokens: 1_000_000,
        outputTokens: 0,
        cachedTokens: 0,
        cacheWriteTokens: 1_000_000,
      },
      { model: 'claude-haiku-4-5', inputTokens: 1_000_000, outputTokens: 0, cachedTokens: 0 },
    ],
  };
  const { loops } = reportOf({ program: 'p', ended: 'agent', exitCode: 0, sessions: [facts as never] });
  expect(loops[0]?.cost).toBe((3.75 + 1) / 2);
});

test('what costs less than a cent is not said to cost nothing', () => {
  expect(closingLine({ ...report, loops: [{ ...loop, cost: 0.0012 }] })).toContain('about $0.0012.');
});
