import fc from 'fast-check';
import type { AgentEvent, Detector, ToolRules } from 'loopfuse';
import { sessions } from '../arbitraries/sessions.js';

/** Makes the detectors under test. Every call returns new ones, so that state that they share by mistake is found. */
export type MakeDetectors = () => readonly Detector[];

/** A session of a test: its events, something that has events, or a function that makes them. */
export type Scene = readonly AgentEvent[] | { readonly events: readonly AgentEvent[] } | (() => readonly AgentEvent[]);

/** Scenes with names, or without. */
export type Scenes = readonly Scene[] | { readonly [name: string]: Scene };

export interface LawOptions {
  /**
   * Sessions on which it must fire. They are mixed into the generated sessions too, so that the laws are tested with
   * findings.
   */
  readonly loops?: Scenes;
  /** Sessions on which it must be silent. */
  readonly work?: Scenes;
  /** The bound that the README states for the state of one detector, in characters of JSON. */
  readonly stateBytes?: number;
  /** `theirs` for detectors whose verdicts depend on the cuts because those of the original do. */
  readonly chunking?: 'ours' | 'theirs';
  readonly tools?: ToolRules;
  /** The number of generated sessions per law. */
  readonly runs?: number;
  /** The seed of fast-check, to repeat a failure. */
  readonly seed?: number;
}

export function namedScenes(scenes: Scenes = []): [name: string, events: readonly AgentEvent[]][] {
  return Object.entries(scenes).map(([key, scene]: [string, Scene]) => [
    Array.isArray(scenes) ? `number ${Number(key) + 1}` : key,
    eventsOf(scene),
  ]);
}

/** Generated sessions with the known loops and the known work mixed in. */
export function lawSessions({ loops, work }: LawOptions): fc.Arbitrary<readonly AgentEvent[]> {
  return sessions({ scenes: [...namedScenes(loops), ...namedScenes(work)].map(([, events]) => events) });
}

/**
 * Checks that `holds` does not throw for generated values. `holds` returns the number of findings. If loops are known
 * and there was no finding, nothing was proven, which is an error too.
 */
export function prove<Value>(
  law: string,
  values: fc.Arbitrary<Value>,
  { runs = 40, seed, loops }: LawOptions,
  holds: (value: Value) => number,
): void {
  let findings = 0;
  const property = fc.property(values, (value) => {
    findings += holds(value);
  });
  fc.assert(property, { numRuns: runs, includeErrorInReport: true, ...(seed === undefined ? {} : { seed }) });
  if (findings === 0 && namedScenes(loops).length > 0)
    throw new Error(`${law}: no finding occurred in ${runs} sessions with its loops mixed in, so nothing was proven`);
}

function eventsOf(scene: Scene): readonly AgentEvent[] {
  if (typeof scene === 'function') return scene();
  return 'events' in scene ? scene.events : scene;
}
