import { expect, test } from 'vitest';
import { type DetectorSpec, defineDetector, type Readable } from './detector.js';
import type { Json } from './event.js';

interface Counter {
  times: number;
  names: string[];
  last: Json;
  inner: { open: boolean };
}

const counter: DetectorSpec<'tool-call', Counter, { times: number }> = {
  name: 'counter',
  reads: ['tool-call'],
  start: () => ({ times: 0, names: [], last: null, inner: { open: false } }),
  observe: () => undefined,
  explain: ({ times }) => `There were ${times} calls.`,
};

test('a detector that is made wrongly is refused, and the error quotes what is wrong', () => {
  expect(() => defineDetector({ ...counter, name: 'Counter' })).toThrow(/kebab-case, got "Counter"/);
  expect(() => defineDetector({ ...counter, observe: undefined as never })).toThrow(
    'defineDetector: spec.observe must be a function, got undefined',
  );
  expect(() => defineDetector({ ...counter, save: () => 0 })).toThrow(/counter needs both save and load/);
  expect(() => defineDetector({ ...counter, reads: ['calls' as 'tool-call'] })).toThrow(
    /counter reads "calls", which is no event/,
  );
});

test('steps can be read like events', () => {
  const reads: Readable[] = ['step', 'prompt'];
  expect(defineDetector({ ...counter, reads: reads as 'tool-call'[] }).reads).toEqual(reads);
});

test('a state that is JSON is saved as it is and taken back if it has the shape of a fresh one', () => {
  const detector = defineDetector(counter);
  const state = { times: 3, names: ['a'], last: { any: 'thing' }, inner: { open: true }, added: 1 };
  expect(detector.save(state)).toBe(state);
  expect(detector.load(state)).toBe(state);
});

test.each<[string, Json]>([
  ['the state must be of type object, got null', null],
  ['the state must be of type object, got []', []],
  ['the state.times must be of type number, got "3"', { times: '3', names: [], last: null, inner: { open: true } }],
  ['the state.names must be of type array, got undefined', { times: 3, last: null, inner: { open: true } }],
  ['the state.inner.open must be of type boolean, got 1', { times: 3, names: [], last: 0, inner: { open: 1 } }],
])('%s: such a state is not taken back', (message, saved) => {
  expect(() => defineDetector(counter).load(saved)).toThrow(message);
});

test('a state that is not JSON is saved and loaded by the detector itself', () => {
  const detector = defineDetector<'text', Uint8Array, null>({
    name: 'bytes',
    reads: ['text'],
    start: () => new Uint8Array(3),
    observe: () => undefined,
    explain: () => '',
    save: (state) => [...state],
    load: (saved) => Uint8Array.from(saved as number[]),
  });
  expect(detector.load(detector.save(Uint8Array.of(1, 2, 3)))).toEqual(Uint8Array.of(1, 2, 3));
});
