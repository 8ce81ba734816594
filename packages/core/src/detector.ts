import { type EventOf, type EventType, isEventType, type Json } from './event.js';
import type { LoopKind } from './finding.js';
import { aFunction, checked } from './shape.js';
import type { Step } from './step/step.js';
import type { Words } from './text/words.js';

/**
 * What detectors can read: the events themselves, each call joined with its result (see `step/`), and messages and
 * reasoning as words (see `text/words.ts`).
 */
export type Readable = EventType | 'step' | 'words';
/** What `observe` receives for a type that a detector reads. */
export type ReadingOf<Type extends Readable> = Type extends EventType
  ? EventOf<Type>
  : Type extends 'step'
    ? Step
    : Type extends 'words'
      ? Words
      : never;

/**
 * What a detector returns when it sees a loop, at every event that continues the loop. The watch groups the sightings
 * of all detectors into episodes (see `episode.ts`) and counts them in `Finding.again`, so a detector need not remember
 * what it has reported. An `onset` after the last sighting of an episode begins a new one.
 */
export interface Sighting<Evidence extends Json = Json> {
  kind: LoopKind;
  status: 'suspect' | 'looping';
  onset: number;
  /** 0..1. Lower if results were not seen. */
  confidence: number;
  evidence: Evidence;
  tools?: readonly string[];
  calls?: readonly number[];
  /** For text: after how many characters of the message it was seen. Sightings of one event are filed in this order. */
  position?: number;
}

/** Options by name, as JSON. */
export type DetectorOptions = { readonly [name: string]: unknown };

/**
 * A detector is a value: validated options and pure functions, shared by all sessions. The engine owns the state.
 */
export interface DetectorSpec<Type extends Readable, State, Evidence extends Json> {
  /** Kebab-case, named after what it sees. */
  readonly name: string;
  /** Only these reach `observe`. */
  readonly reads: readonly Type[];
  /** For `words`: a message with at most this many characters never leads to a sighting. */
  readonly quiet?: number;
  /** The state of a fresh session, of a bounded size. */
  start(): State;
  /**
   * May change `state` and nothing else; must not throw. `seq` is the index of the event in the session. A list of
   * sightings is for text, because one delta can hold several.
   */
  observe(
    state: State,
    reading: ReadingOf<Type>,
    seq: number,
  ): Sighting<Evidence> | readonly Sighting<Evidence>[] | undefined;
  /** One or two plain sentences about this loop, for the user and for the model. */
  explain(evidence: Evidence): string;
  /** The options in use, defaults included, to be shown to users; undefined while it looks for nothing. */
  options?(): DetectorOptions | undefined;
  /** Only if the state is not JSON already (typed arrays, maps). */
  save?(state: State): Json;
  /** Gets its own copy of what was saved. Throws if that is not a valid state. */
  load?(saved: Json): State;
}

/** A detector without its type parameters, as lists of detectors hold them. */
export interface Detector {
  readonly name: string;
  readonly reads: readonly Readable[];
  readonly quiet?: number;
  start(): unknown;
  observe(state: unknown, reading: ReadingOf<Readable>, seq: number): Sighting | readonly Sighting[] | undefined;
  explain(evidence: Json): string;
  options?(): DetectorOptions | undefined;
  save(state: unknown): Json;
  load(saved: Json): unknown;
}

const specLike = { name: '', reads: [''], start: aFunction, observe: aFunction, explain: aFunction };

/** Makes a detector from its parts. Throws if a part is missing or wrong, or only one of `save` and `load` is there. */
export function defineDetector<Type extends Readable, State, Evidence extends Json>(
  spec: DetectorSpec<Type, State, Evidence>,
): Detector {
  checked(specLike, spec, 'defineDetector: spec');
  if (!/^[a-z][a-z0-9-]*$/.test(spec.name))
    throw new TypeError(`defineDetector: name must be kebab-case, got ${JSON.stringify(spec.name)}`);
  if ((spec.save === undefined) !== (spec.load === undefined))
    throw new TypeError(`defineDetector: ${spec.name} needs both save and load, or neither`);
  for (const type of spec.reads)
    if (type !== 'step' && type !== 'words' && !isEventType(type))
      throw new TypeError(`defineDetector: ${spec.name} reads ${JSON.stringify(type)}, which is no event`);
  // The functions of the spec are used directly: a wrapper would cost one more call for every detector and event.
  return {
    ...(spec as unknown as Pick<Detector, 'name' | 'reads' | 'quiet' | 'start' | 'observe' | 'explain' | 'options'>),
    save: (state) => (spec.save ? spec.save(state as State) : (state as Json)),
    load: (saved) => (spec.load ? spec.load(saved) : checked(spec.start() as Json, saved, 'the state')),
  };
}
