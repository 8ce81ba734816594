import fc from 'fast-check';
import { type Json, resumeWatch, type WatchSnapshot } from 'loopfuse';
import { type Poison, poisoned, poisons } from '../arbitraries/poisons.js';
import { type LawOptions, lawSessions, type MakeDetectors, prove } from './law.js';
import { assertSame, essence, observe, play } from './play.js';

/**
 * With any damage to the saved state of a detector, resuming and watching on do not throw. After `forget`, the findings
 * are those without the damage.
 */
export function checkPoison(make: MakeDetectors, options: LawOptions = {}): void {
  const { tools = {} } = options;
  const cases = fc.tuple(lawSessions(options), lawSessions(options), poisons());

  prove('poison', cases, options, ([before, after, poison]) => {
    const taken = JSON.stringify(play(make(), before, tools).watch.snapshot());

    function findingsAfter(snapshot: WatchSnapshot) {
      const watch = resumeWatch({ detectors: make(), tools }, snapshot);
      for (const event of after) watch.observe(event);
      watch.snapshot();
      watch.observe({ type: 'retry' }); // calls under way are dropped: their ids will come again
      watch.forget();
      return after.flatMap((event) => observe(watch, event)).map(essence);
    }

    const healthy = findingsAfter(JSON.parse(taken) as WatchSnapshot);
    assertSame(
      findingsAfter(withPoison(JSON.parse(taken) as WatchSnapshot, poison)),
      healthy,
      'poison: after forgetting, the broken snapshot still made a difference',
    );
    return healthy.length;
  });
}

function withPoison(snapshot: WatchSnapshot, poison: Poison): WatchSnapshot {
  const lanes = snapshot.lanes.map((lane) => ({
    ...lane,
    detectors: Object.fromEntries(
      Object.entries(lane.detectors).map(([name, state]): [string, Json] => [name, poisoned(state, poison)]),
    ),
  }));
  return { ...snapshot, lanes };
}
