import fc from 'fast-check';
import { type AgentEvent, eventProblem, type Json, type Readable } from 'loopfuse';
import { expect, test } from 'vitest';
import { agentEvents } from './agent-events.js';
import { cuts, recut } from './cuts.js';
import { hostileEvents, wrongShapes } from './hostile-events.js';
import { longSession } from './long-session.js';
import { poisoned, poisons } from './poisons.js';
import { sessions } from './sessions.js';

test('agent events, hostile events and sessions are well-formed; wrong shapes are not', () => {
  fc.assert(fc.property(agentEvents(), (event) => eventProblem(event) === undefined));
  fc.assert(fc.property(hostileEvents(), (event) => eventProblem(event) === undefined));
  fc.assert(fc.property(sessions(), (events) => events.every((event) => eventProblem(event) === undefined)));
  fc.assert(fc.property(wrongShapes(), (value) => eventProblem(value) !== undefined));
});

test('loops really occur in sessions: the same call with the same outcome, and the same text over and over', () => {
  const drawn = fc.sample(sessions(), 100);
  const repeating = drawn.filter((events) => mostRepeatedCall(events) >= 6);
  const chanting = drawn.filter((events) => /(.{2,80}?)\1{8}/s.test(textOf(events)));
  expect(repeating.length).toBeGreaterThan(15);
  expect(chanting.length).toBeGreaterThan(15);
});

test('scenes are woven into sessions whole, with ids of their own', () => {
  const scene: AgentEvent[] = [
    { type: 'tool-call', id: 'mine', tool: 'rare_tool', input: 1 },
    { type: 'tool-result', id: 'mine', output: 2 },
  ];
  const drawn = fc.sample(sessions({ scenes: [scene] }), 50);
  const calls = drawn.map((events) =>
    events.flatMap((event, k) =>
      event.type === 'tool-call' && event.tool === 'rare_tool' ? [[event, events[k + 1]]] : [],
    ),
  );
  expect(calls.flat().length).toBeGreaterThan(15);
  for (const pairs of calls) {
    expect(new Set(pairs.map(([call]) => (call as { id: string }).id)).size).toBe(pairs.length);
    for (const [call, result] of pairs)
      expect(result).toMatchObject({ type: 'tool-result', id: (call as { id: string }).id });
  }
});

test('cutting a session again changes neither its text nor anything else, and says where each piece came from', () => {
  fc.assert(
    fc.property(sessions(), cuts(), (events, cut) => {
      const { events: pieces, origin } = recut(events, cut);
      const whole = events.map((event) =>
        'text' in event && event.type !== 'prompt' ? { ...event, text: '' } : event,
      );
      pieces.forEach((piece, k) => {
        const target = whole[origin[k]!]!;
        if ((target.type === 'text' || target.type === 'reasoning') && 'text' in piece) target.text += piece.text;
        else if (target.type === 'steer' && piece.type === 'steer') target.text = piece.text;
      });
      expect(whole).toEqual(events);
    }),
  );
});

test('a long session has as many events as asked for, the same for the same seed, and only what reaches the reader', () => {
  const texts = [...longSession(new Set<Readable>(['text']), 1000)];
  expect(texts.length).toBeGreaterThanOrEqual(1000);
  expect(new Set(texts.map((event) => event.type))).toEqual(new Set(['text']));
  const steps = [...longSession(new Set<Readable>(['step', 'prompt']), 5000, 7)];
  expect(steps).toEqual([...longSession(new Set<Readable>(['step', 'prompt']), 5000, 7)]);
  expect(steps.every((event) => eventProblem(event) === undefined)).toBe(true);
  expect(steps.findIndex((event) => event.type === 'prompt')).toBeGreaterThan(4500);
});

test('poison changes a JSON value, leaves the original alone, and gives JSON', () => {
  const healthy: Json = { a: [1, 2, { b: 'c' }], d: null };
  const before = JSON.stringify(healthy);
  const changed = fc.sample(poisons(), 100).filter((poison) => {
    const sick = poisoned(healthy, poison);
    expect(JSON.stringify(JSON.parse(JSON.stringify(sick)))).toBe(JSON.stringify(sick));
    return JSON.stringify(sick) !== before;
  });
  expect(JSON.stringify(healthy)).toBe(before);
  expect(changed.length).toBeGreaterThan(80);
});

function mostRepeatedCall(events: readonly AgentEvent[]): number {
  const times = new Map<string, number>();
  events.forEach((event, k) => {
    const next = events[k + 1];
    if (event.type !== 'tool-call' || next?.type !== 'tool-result') return;
    const key = JSON.stringify([event.tool, event.input, next.output]);
    times.set(key, (times.get(key) ?? 0) + 1);
  });
  return Math.max(0, ...times.values());
}

function textOf(events: readonly AgentEvent[]): string {
  return events.map((event) => (event.type === 'text' || event.type === 'reasoning' ? event.text : '')).join('');
}
