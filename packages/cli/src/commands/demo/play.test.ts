import { type AgentEvent, interactive, shadow, unattended } from 'loopfuse';
import { expect, test } from 'vitest';
import { fakeTerminal } from '../../../testing/terminal.js';
import { draw } from './draw.js';
import { play } from './play.js';

/** An agent that sends the same rejected edit `rounds` times. */
function stuck(rounds: number): AgentEvent[] {
  const events: AgentEvent[] = [{ type: 'prompt', text: 'Fix it.' }];
  for (let k = 0; k < rounds; k++) {
    const id = `c${k}`;
    events.push({ type: 'text', text: 'This ti' }, { type: 'text', text: `me it works, promise ${k}.` });
    events.push({ type: 'tool-call', id, tool: 'Edit', input: { path: 'a.ts', old: 'x', text: 'y' } });
    events.push({ type: 'usage', inputTokens: 1000, outputTokens: 50 });
    events.push({ type: 'tool-result', id, output: 'Error: x was not found in a.ts', failed: true });
  }
  return events;
}

test('unattended, the model is steered, then refused, then stopped, and the circuit shows it', () => {
  const trips = [...play(stuck(12), unattended)].filter((scene) => scene.type === 'trips');
  expect(trips.map(({ decision, from, to }) => [decision.type, from, to])).toEqual([
    ['steer', 'closed', 'probation'],
    ['block', 'probation', 'probation'],
    ['stop', 'probation', 'open'],
  ]);
});

test('with a person present, the model is steered and then the person is asked', () => {
  const trips = [...play(stuck(12), interactive)].filter((scene) => scene.type === 'trips');
  expect(trips.map(({ decision }) => decision.type)).toEqual(['steer', 'ask']);
});

test('what comes after the stop is counted and not played', () => {
  const scenes = [...play(stuck(12), unattended)];
  const end = scenes.at(-1);
  if (end?.type !== 'ends') throw new Error('a play must end');
  expect(end.played.calls + end.left.calls).toBe(12);
  expect(end.left).toMatchObject({ calls: end.left.same, tokens: end.left.calls * 1050 });
  expect(end.left.calls).toBeGreaterThan(5);
  expect(scenes.filter((scene) => scene.type === 'acts')).toHaveLength(end.played.calls + 1);
});

test('an agent that nobody stops is played to its end', () => {
  const scenes = [...play(stuck(12), shadow)];
  expect(scenes.filter((scene) => scene.type === 'acts')).toHaveLength(12);
  expect(scenes.at(-1)).toMatchObject({ type: 'ends', played: { calls: 12 }, left: { calls: 0 } });
});

test('deltas become what was said', () => {
  const said = [...play(stuck(2), shadow)].filter((scene) => scene.type === 'says');
  expect(said.map(({ text }) => text)).toEqual(['This time it works, promise 0.', 'This time it works, promise 1.']);
});

test.each([40, 60, 80, 120])('every scene fits into %i columns', (columns) => {
  const out = fakeTerminal({ columns });
  for (const policy of [unattended, interactive])
    for (const scene of play(stuck(12), policy))
      for (const line of draw(scene, out)) expect([...line].length).toBeLessThanOrEqual(columns);
});
