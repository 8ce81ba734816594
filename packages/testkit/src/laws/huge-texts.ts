import { createWatch } from 'loopfuse';
import type { LawOptions, MakeDetectors } from './law.js';
import { linearPlaces, linearText, linearUnits } from './linear-time.js';

const length = 70_000;
/** Enough rounds for a finding, so that what is kept of a loop is measured, too. */
const rounds = 6;
const units = ['digits', 'errors', 'ideographs', 'words'] as const;

/**
 * For a text of any length, at any place of an event, the state of every detector stays under `stateBytes`, and the
 * snapshot of every lane under `snapshotBytes`: texts, names and ids are not kept whole.
 */
export function checkHugeTexts(
  make: MakeDetectors,
  { stateBytes = 65_536, snapshotBytes = 65_536, tools = {} }: LawOptions & { readonly snapshotBytes?: number } = {},
): void {
  for (const [place, eventsOf] of Object.entries(linearPlaces)) {
    const watch = createWatch({ detectors: make(), tools });
    for (const unit of units)
      for (const event of eventsOf(linearText(linearUnits[unit], length / units.length))) watch.observe(event);
    const long = linearText('a', length);
    for (let round = 0; round < rounds; round++) for (const event of eventsOf(long)) watch.observe(event);
    for (const lane of watch.snapshot().lanes) {
      for (const [name, state] of Object.entries(lane.detectors))
        checkSize(JSON.stringify(state).length, stateBytes, `the state of ${name}`, place);
      checkSize(JSON.stringify(lane).length, snapshotBytes, 'the snapshot of a lane', place);
    }
  }
}

function checkSize(size: number, most: number, what: string, place: string): void {
  if (size > most)
    throw new Error(`huge texts: with ${length} characters as ${place}, ${what} has ${size} characters, over ${most}`);
}
