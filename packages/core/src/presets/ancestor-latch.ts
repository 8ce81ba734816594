import { type Detector, defineDetector, type Readable, type ReadingOf, type Sighting } from '../detector.js';
import type { Json } from '../event.js';

type Evidence = { by: string; evidence: Json };

interface State {
  states: unknown[];
  /** The first sighting since the prompt; from then on it is the answer to every event. */
  latched: Sighting<Evidence> | null;
}

/** The events of the ancestors' streams: a latched detector answers at each of them. */
const streamed: readonly Readable[] = ['text', 'reasoning', 'tool-call', 'turn-end', 'retry', 'compaction'];

/**
 * Several detectors under one latch, as in the ancestors: once one of them sees a loop, none gets any more events, and
 * every event of the stream is answered with that loop until the next prompt.
 */
export function latched(name: string, detectors: readonly Detector[]): Detector {
  const reads = [...new Set([...streamed, 'prompt' as const, ...detectors.flatMap((detector) => detector.reads)])];
  const byName = new Map(detectors.map((detector) => [detector.name, detector]));

  function show({ states }: State, event: ReadingOf<Readable>, seq: number): Sighting<Evidence> | undefined {
    for (const [k, detector] of detectors.entries()) {
      if (!detector.reads.includes(event.type)) continue;
      const seen = detector.observe(states[k], event, seq);
      const sighting = (Array.isArray(seen) ? seen[0] : seen) as Sighting | undefined;
      if (sighting) return { ...sighting, evidence: { by: detector.name, evidence: sighting.evidence } };
    }
    return undefined;
  }

  return defineDetector<Readable, State, Evidence>({
    name,
    reads,
    start: () => ({ states: detectors.map((detector) => detector.start()), latched: null }),
    observe(state, event, seq) {
      if (event.type === 'prompt') {
        state.latched = null;
        show(state, event, seq);
        return undefined;
      }
      state.latched ??= show(state, event, seq) ?? null;
      return state.latched ?? undefined;
    },
    options: () => Object.fromEntries(detectors.map((one) => [one.name, one.options?.()])),
    explain: ({ by, evidence }) => byName.get(by)?.explain(evidence) ?? `${name} saw a loop.`,
    save: ({ states, latched: sighting }) => ({
      states: detectors.map((detector, k) => detector.save(states[k])),
      latched: sighting as Json,
    }),
    load(saved) {
      const { states, latched: sighting } = (saved ?? {}) as { states?: Json; latched?: Json };
      if (!Array.isArray(states) || states.length !== detectors.length || !isSaved(sighting))
        throw new TypeError(`it is not a saved ${name}`);
      return {
        states: detectors.map((detector, k) => detector.load(states[k] as Json)),
        latched: sighting as Sighting<Evidence> | null,
      };
    },
  });
}

function isSaved(sighting: Json | undefined): boolean {
  if (sighting === null) return true;
  const { kind, onset, evidence } = (sighting ?? {}) as { kind?: Json; onset?: Json; evidence?: { by?: Json } };
  return typeof kind === 'string' && typeof onset === 'number' && typeof evidence?.by === 'string';
}
