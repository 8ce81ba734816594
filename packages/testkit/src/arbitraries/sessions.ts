import fc from 'fast-check';
import type { AgentEvent } from 'loopfuse';
import { agentEvents, type Beat, beats, marks } from './agent-events.js';
import { texts } from './texts.js';

export interface SessionOptions {
  /** Whole sessions to mix in, so that what a detector looks for does occur. */
  readonly scenes?: readonly (readonly AgentEvent[])[];
  /** The most parts of a session: a loop, a chant, some steps, a prompt. */
  readonly maxParts?: number;
}

/**
 * Sessions with real loops among ordinary steps and noise: the same call with the same outcome, cycles, streaks of
 * errors, edits that are undone, polls, chants, monologues. Deltas are in one piece or in several.
 */
export function sessions({ scenes = [], maxParts = 6 }: SessionOptions = {}): fc.Arbitrary<readonly AgentEvent[]> {
  const parts: fc.WeightedArbitrary<readonly AgentEvent[]>[] = [
    { weight: 4, arbitrary: rounds() },
    { weight: 2, arbitrary: variations() },
    { weight: 3, arbitrary: messages() },
    { weight: 1, arbitrary: monologues() },
    { weight: 1, arbitrary: parallel() },
    { weight: 1, arbitrary: marks().map((event) => [event]) },
    { weight: 1, arbitrary: fc.array(agentEvents(), { maxLength: 6 }) },
  ];
  if (scenes.length > 0) parts.push({ weight: 5, arbitrary: fc.constantFrom(...scenes) });
  return fc
    .tuple(
      fc.array(fc.oneof(...parts), { minLength: 1, maxLength: maxParts }),
      fc.constantFrom(undefined, undefined, 40, 20_000),
    )
    .map(([chosen, pace]) => timed(chosen.flatMap(withOwnIds), pace));
}

/** One to five calls, over and over, with or without turns, usage and a few words in between. */
function rounds(): fc.Arbitrary<readonly AgentEvent[]> {
  return fc
    .tuple(fc.array(beats(), { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 12 }), between())
    .map(([cycle, times, around]) =>
      Array.from({ length: times }, (_, k) => [
        ...around,
        ...cycle.flatMap((beat, j) => callAndResult(beat, `${k}.${j}`)),
      ]).flat(),
    );
}

/** Different arguments with the same outcome. */
function variations(): fc.Arbitrary<readonly AgentEvent[]> {
  return fc
    .tuple(beats(), fc.integer({ min: 2, max: 14 }), between())
    .map(([beat, times, around]) =>
      Array.from({ length: times }, (_, k) => [
        ...around,
        ...callAndResult({ ...beat, input: { path: `src/file-${k}.ts`, query: `variant ${k}` } }, `${k}`),
      ]).flat(),
    );
}

function between(): fc.Arbitrary<readonly AgentEvent[]> {
  return fc.constantFrom<readonly AgentEvent[]>(
    [],
    [],
    [{ type: 'turn-start' }],
    [{ type: 'turn-end' }, { type: 'turn-start' }],
    [{ type: 'text', text: 'Let me try again.' }],
    [{ type: 'usage', inputTokens: 900, outputTokens: 40 }],
    [{ type: 'turn-start' }, { type: 'reasoning', text: 'The file is not there. ' }],
  );
}

/** A text, visible or thought, in one delta or in several. */
function messages(): fc.Arbitrary<readonly AgentEvent[]> {
  return fc
    .tuple(fc.constantFrom('text' as const, 'reasoning' as const), texts(), fc.constantFrom(0, 20, 7))
    .map(([type, text, length]) => {
      if (length === 0) return [{ type, text }];
      const deltas: AgentEvent[] = [];
      for (let from = 0; from < text.length; from += length)
        deltas.push({ type, text: text.slice(from, from + length) });
      return deltas;
    });
}

/** The same message, turn after turn. */
function monologues(): fc.Arbitrary<readonly AgentEvent[]> {
  return fc
    .tuple(texts(), fc.integer({ min: 2, max: 8 }))
    .map(([text, times]) =>
      Array.from({ length: times }, (): AgentEvent[] => [
        { type: 'turn-start' },
        { type: 'text', text: text.slice(0, 300) },
        { type: 'turn-end' },
      ]).flat(),
    );
}

/** Calls made together, answered in any order; some never. */
function parallel(): fc.Arbitrary<readonly AgentEvent[]> {
  return fc
    .array(beats(), { minLength: 2, maxLength: 4 })
    .chain((batch) => fc.tuple(fc.constant(batch), fc.shuffledSubarray(batch.map((_, k) => k))))
    .map(([batch, answered]) => [
      ...batch.map((beat, k) => callAndResult(beat, `${k}`)[0]),
      ...answered.map((k) => callAndResult(batch[k]!, `${k}`)[1]),
    ]);
}

function callAndResult({ tool, input, output, failed }: Beat, id: string): [AgentEvent, AgentEvent] {
  return [
    { type: 'tool-call', id, tool, input },
    { type: 'tool-result', id, output, ...(failed === undefined ? {} : { failed }) },
  ];
}

function withOwnIds(part: readonly AgentEvent[], index: number): readonly AgentEvent[] {
  return part.map((event) =>
    event.type === 'tool-call' || event.type === 'tool-result' ? { ...event, id: `${index}:${event.id}` } : event,
  );
}

function timed(events: readonly AgentEvent[], pace: number | undefined): readonly AgentEvent[] {
  return pace === undefined ? events : events.map((event, k) => ({ ...event, at: 1_700_000_000_000 + k * pace }));
}
