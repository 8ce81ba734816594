import type { Decision, Finding } from 'loopfuse';
import { describe, expect, test } from 'vitest';
import { type Measured, measureOf } from './measure.js';

const finding = { kind: 'cycle' } as Finding;
const findings = [finding] as const;
const guard = { explain: () => 'Round and round.' };
const decisions: { readonly [Type in Decision['type']]: Extract<Decision, { type: Type }> } = {
  allow: { type: 'allow' },
  steer: { type: 'steer', message: 'WORDS', findings },
  block: { type: 'block', message: 'WORDS', findings },
  rewind: { type: 'rewind', from: 3, note: 'WORDS', findings },
  escalate: { type: 'escalate', findings },
  ask: { type: 'ask', question: { message: 'WORDS', choices: [] }, findings } as never,
  stop: { type: 'stop', reason: 'WORDS', findings },
};
const at = (type: Decision['type'], moment: 'call' | 'result' | 'resume', asks = true, owed?: string): Measured =>
  measureOf(decisions[type], { moment, asks, owed, guard });

describe('what a decision comes to', () => {
  test.each([
    ['allow', undefined, undefined],
    ['steer', undefined, 'tell'],
    ['block', 'refuse', 'refuse'],
    ['rewind', 'refuse', 'tell'],
    ['escalate', undefined, 'tell'],
    ['ask', 'ask', undefined],
    ['stop', 'end', 'end'],
  ] as const)('%s: %s before a call, %s after it', (type, before, after) => {
    expect([at(type, 'call').measure?.type, at(type, 'result').measure?.type]).toEqual([before, after]);
  });

  test('a message that cannot go out before a call goes out with its result, once', () => {
    const { measure, owes } = at('steer', 'call');
    expect([measure, owes]).toEqual([undefined, 'Loopfuse noticed a loop. WORDS']);
    expect(at('allow', 'result', true, owes)).toEqual({ measure: { type: 'tell', text: owes }, owes: undefined });
    expect(at('allow', 'result').measure).toBeUndefined();
  });

  test('a stop makes what was owed needless', () => {
    expect(at('stop', 'call', true, 'before').owes).toBeUndefined();
  });

  test('a question ends the run where nobody can be asked', () => {
    expect([at('ask', 'call', false).measure?.type, at('ask', 'result', false).measure?.type]).toEqual(['end', 'end']);
  });

  test('an escalation becomes a message: what was seen and what to do', () => {
    expect(at('escalate', 'result').measure?.text).toMatch(/^Loopfuse noticed a loop\. Round and round\. Going round/);
  });
});
