import { expect, test } from 'vitest';
import type { AgentEvent } from './event.js';
import { createGuard } from './guard.js';
import { type PolicyName, policies, policyNames } from './policies.js';
import { isHalt } from './policy.js';
import { balanced } from './presets/index.js';

/** What is done about an agent that goes round and takes no notice, until it is halted. */
function decisionsOn(name: PolicyName, round: (place: number) => readonly AgentEvent[]): string[] {
  const guard = createGuard({ detectors: balanced(), policy: policies[name].make() });
  const decisions: string[] = [];
  for (const event of Array.from({ length: 60 }, (_, place) => round(place)).flat()) {
    const decision = guard.observe(event);
    if (decision.type !== 'allow') decisions.push(decision.type);
    if (isHalt(decision)) break; // an open circuit gives the same decision at every event
  }
  return decisions;
}

const sameCall = (place: number): AgentEvent[] => [
  { type: 'turn-start' },
  { type: 'tool-call', id: `${place}`, tool: 'read_file', input: { path: 'a.txt' } },
  { type: 'tool-result', id: `${place}`, output: 'The same as before.' },
  { type: 'turn-end' },
];

const sameWords = (): AgentEvent[] => [
  { type: 'turn-start' },
  { type: 'text', text: 'I will check it now. '.repeat(40) },
  { type: 'turn-end' },
];

const said: { readonly [Name in PolicyName]: readonly [description: string, calls: string[], words: string[]] } = {
  interactive: ['tell the model once, then ask you', ['steer', 'ask'], ['steer', 'ask']],
  unattended: ['tell the model, refuse the call, then stop', ['steer', 'block', 'stop'], ['steer', 'steer', 'stop']],
  ask: ['ask you at once', ['ask'], ['ask']],
  stop: ['stop at once', ['stop'], ['stop']],
  shadow: ['only watch, and report what would have been done', [], []],
};

test.each(policyNames)('%s does what its description says, about calls and about words', (name) => {
  const [description, calls, words] = said[name];
  expect(policies[name].description).toBe(description);
  expect(decisionsOn(name, sameCall)).toEqual(calls);
  expect(decisionsOn(name, sameWords)).toEqual(words);
});
