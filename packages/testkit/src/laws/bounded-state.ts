import { createWatch, type Readable } from 'loopfuse';
import { longSession } from '../arbitraries/long-session.js';
import { type LawOptions, type MakeDetectors, namedScenes } from './law.js';

export interface BoundedStateOptions extends LawOptions {
  /** The bound on the snapshot of the whole session, in characters of JSON. */
  readonly snapshotBytes?: number;
  readonly events?: number;
}

const measuredEvery = 2500;

/**
 * After 100,000 events that are always new, and after its loops, the state of every detector is still under
 * `stateBytes`, and the snapshot of the session under `snapshotBytes`.
 */
export function checkBoundedState(
  make: MakeDetectors,
  {
    stateBytes = 65_536,
    snapshotBytes = Number.POSITIVE_INFINITY,
    events = 100_000,
    tools = {},
    loops,
    work,
  }: BoundedStateOptions = {},
): void {
  const detectors = make();
  const watch = createWatch({ detectors, tools });
  const reads = new Set<Readable>(detectors.flatMap((detector) => detector.reads));

  function measure(): void {
    const snapshot = watch.snapshot();
    for (const [name, state] of Object.entries(snapshot.lanes[0]?.detectors ?? {})) {
      const size = JSON.stringify(state).length;
      if (size > stateBytes)
        throw new Error(
          `bounded state: after ${watch.seq} events the state of ${name} has ${size} characters, over ${stateBytes}`,
        );
    }
    const size = JSON.stringify(snapshot).length;
    if (size > snapshotBytes)
      throw new Error(
        `bounded state: after ${watch.seq} events the snapshot has ${size} characters, over ${snapshotBytes}`,
      );
  }

  for (const [, scene] of [...namedScenes(loops), ...namedScenes(work)]) {
    for (const event of scene) watch.observe(event);
    measure();
  }
  for (const event of longSession(reads, events)) {
    watch.observe(event);
    if (watch.seq % measuredEvery === 0) measure();
  }
  measure();
}
